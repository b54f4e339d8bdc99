"""One request text in, one valid envelope out, whatever the text is."""

from __future__ import annotations

import json
import os
import random
import unittest
from pathlib import Path
from typing import Any

import wiki.bridge
from envelopes import Quiet, Requests
from swapping import swapped
from wiki.bridge import handle, smaller_request
from wiki.errors import WikiError
from wiki.limits import REQUEST_MAX_BYTES, RESPONSE_MAX_BYTES


class Handling(Requests):
    def test_an_operation_is_answered_with_its_payload(self) -> None:
        envelope = self.envelope(self.request("outline", {"page": "wiki/a.md"}))
        self.assertEqual(envelope["operation"], "outline")
        self.assertEqual(envelope["payload"]["vault"], "/my/vault")
        self.assertEqual(envelope["payload"]["page"], "wiki/a.md")

    def test_a_failure_keeps_its_code_and_its_structure(self) -> None:
        envelope = self.envelope(self.request("outline", {"page": "wiki/A.md"}))
        self.assertEqual(envelope["code"], "page-refused")
        self.assertEqual(
            envelope["payload"], {"refusal": "alias", "page": "wiki/A.md", "listed": ["wiki/a.md"]}
        )

    def test_what_is_no_request_is_invalid_input(self) -> None:
        for text in (
            "",
            "{",
            "[]",
            "null",
            '"x"',
            "5",
            "{}",
            "[" * 5_000,
            '{"operation":5}',
            '{"operation":"write"}',
            "\ud800",
        ):
            self.assertEqual(self.envelope(text)["code"], "invalid-input", text[:20])

    def test_members_of_the_wrong_kind_are_invalid_input(self) -> None:
        for member in (
            {"arguments": []},
            {"arguments": "x"},
            {"vault": []},
            {"vault": {"shown": 5}},
            {"vault": {"shown": "/v", "wiki": 5}},
            {"remainingMs": "9"},
            {"remainingMs": True},
            {"remainingMs": -1},
            {"remainingMs": 1e300},
            {"host": "x"},
        ):
            envelope = self.envelope(self.request("outline", {"page": "wiki/a.md"}) | member)
            self.assertEqual((envelope["operation"], envelope["code"]), ("unknown", "invalid-input"), member)

    def test_a_request_may_have_its_limit_and_not_a_byte_more(self) -> None:
        text = json.dumps(self.request("outline", {"page": "wiki/a.md"}))
        filled = text + " " * (REQUEST_MAX_BYTES - len(text))
        self.assertTrue(self.envelope(filled)["ok"])
        self.assertEqual(self.envelope(filled + " ")["code"], "invalid-input")

    def test_no_text_of_any_kind_gives_anything_but_an_envelope(self) -> None:
        chance = random.Random(11)
        whole = json.dumps(self.request("read", {"page": "wiki/a.md", "start": 0, "end": 2}))
        for _ in range(3_000):
            at = chance.randrange(len(whole))
            piece = chance.choice(
                ['"', "{", "]", "\\", "\ud800", "null", "1e999", "-", "\x00", "🌱", "read", "true", ""]
            )
            self.envelope(whole[:at] + piece + whole[at + chance.randrange(4) :])

    def test_arguments_of_every_kind_give_an_envelope(self) -> None:
        values: list[Any] = [
            None,
            True,
            0,
            -1,
            1.5,
            10**400,
            "",
            "x" * 5_000,
            "\ud800",
            "wiki/a.md",
            [],
            {},
            [[]],
            "\0",
            ".",
        ]
        chance = random.Random(12)
        names = "page expectedHash section start end view maxChars cursor limit offset vault other".split()
        for operation in ("outline", "read", "doctor"):
            for _ in range(400):
                arguments = {
                    name: chance.choice(values) for name in chance.sample(names, chance.randrange(6))
                }
                self.envelope(self.request(operation, arguments))

    def test_the_vault_is_looked_at_before_every_operation_but_doctor(self) -> None:
        for operation in ("search", "outline", "read", "index"):
            for vault, code in (
                ({"shown": "", "wiki": "wiki"}, "no-vault"),
                ({"shown": "/v", "wiki": "notes"}, "wiki-missing"),
                ({"shown": "/v", "wiki": "wiki/a.md"}, "wiki-missing"),
            ):
                envelope = self.envelope(self.request(operation, {}, vault=vault))
                self.assertEqual((envelope["operation"], envelope["code"]), (operation, code))
        self.assertTrue(self.envelope(self.request("doctor", {}, vault={"shown": "", "wiki": "wiki"}))["ok"])

    def test_a_missing_vault_is_named_with_a_hint_on_its_spelling(self) -> None:
        self.root += "/nowhere"
        request = self.request(
            "outline", {}, vault={"shown": "/Users/me/Mobile\\ Documents/x", "wiki": "wiki"}
        )
        envelope = self.envelope(request)
        self.assertEqual(envelope["code"], "vault-missing")
        self.assertIn('"/Users/me/Mobile\\ Documents/x"', envelope["message"])
        self.assertIn("how a shell writes it", envelope["message"])

    def test_a_wiki_folder_in_other_case_is_told_its_spelling(self) -> None:
        envelope = self.envelope(self.request("outline", {}, vault={"shown": "/v", "wiki": "Wiki"}))
        self.assertIn('There is "wiki"', envelope["message"])

    def test_a_wiki_folder_that_is_a_link_is_missing(self) -> None:
        os.symlink("wiki", Path(self.root, "linked"))
        envelope = self.envelope(self.request("outline", {}, vault={"shown": "/v", "wiki": "linked"}))
        self.assertEqual(envelope["code"], "wiki-missing")
        self.assertIn("symbolic link", envelope["message"])

    def test_an_unforeseen_error_is_told_by_kind_and_message_and_traced_to_stderr(self) -> None:
        def fails(*_: Any) -> dict[str, Any]:
            raise KeyError("x\n\u202e" * 2_000)

        envelope = self.envelope(self.request("outline"), fails)
        self.assertEqual((envelope["operation"], envelope["code"]), ("outline", "sandbox-failed"))
        self.assertIn("KeyError", envelope["message"])
        self.assertNotIn("Traceback", envelope["message"])
        self.assertNotIn("\n", envelope["message"])
        self.assertIn("KeyError", self.stderr)
        self.assertLessEqual(len(self.stderr), 5_000)

    def test_an_error_of_any_class_is_an_envelope(self) -> None:
        for error in (
            RecursionError(),
            MemoryError(),
            OSError(5, "x"),
            GeneratorExit(),
            UnicodeDecodeError("utf-8", b"", 0, 1, ""),
        ):

            def fails(*_: Any) -> dict[str, Any]:
                raise error

            self.assertEqual(self.envelope(self.request("outline"), fails)["code"], "sandbox-failed")

    def test_an_interrupt_goes_through(self) -> None:
        for interrupt in (KeyboardInterrupt, SystemExit):

            def fails(*_: Any) -> dict[str, Any]:
                raise interrupt

            with self.assertRaises(interrupt):
                self.envelope(self.request("outline"), fails)

    def test_a_message_is_at_most_500_characters(self) -> None:
        def fails(*_: Any) -> dict[str, Any]:
            raise WikiError("page-not-found", "🌱" * 501)

        with swapped(wiki.bridge, "answer", fails):
            message = json.loads(handle(json.dumps(self.request("read")), Quiet(), root=self.root))["message"]
        self.assertEqual(message, "🌱" * 499 + "…")


class OutputLimit(Requests):
    def sized(
        self, operation: str, arguments: dict[str, Any], unit: str, count: int, ok: bool = True
    ) -> dict[str, Any]:
        def answers(*_: Any) -> dict[str, Any]:
            if ok:
                return {"operation": operation, "ok": True, "payload": {"text": unit * count}}
            return {
                "operation": operation,
                "ok": False,
                "code": "section-ambiguous",
                "message": "m",
                "payload": {"t": unit * count},
            }

        return self.envelope(self.request(operation, arguments), answers)

    def test_an_answer_may_have_its_limit_and_not_a_byte_more(self) -> None:
        frame = len('{"operation":"read","ok":true,"payload":{"text":""}}')
        for unit, width in (("x", 1), ("é", 2), ("🌱", 4), ('"', 2), ("\n", 2), ("\x01", 6)):
            count = (RESPONSE_MAX_BYTES - frame) // width
            whole = self.sized("read", {}, unit, count)
            self.assertEqual(whole["payload"]["text"], unit * count)
            self.assertEqual(self.sized("read", {}, unit, count + 1)["code"], "output-limit", unit)

    def test_the_smaller_request_that_would_fit_is_named(self) -> None:
        envelope = self.sized("read", {"maxChars": 12_000}, "x", 2 * RESPONSE_MAX_BYTES)
        self.assertEqual(envelope["payload"]["smaller"], {"maxChars": 4799})
        self.assertIn("maxChars: 4799", envelope["message"])

    def test_a_failure_that_is_too_large_keeps_its_code(self) -> None:
        envelope = self.sized("read", {}, "x", RESPONSE_MAX_BYTES, ok=False)
        self.assertEqual(envelope["code"], "section-ambiguous")
        self.assertNotIn("payload", envelope)

    def test_the_smaller_request_scales_what_was_asked_for(self) -> None:
        self.assertEqual(smaller_request("outline", {}, 0.5), {"limit": 4})
        self.assertEqual(smaller_request("search", {"limit": 100}, 0.5), {"limit": 40})
        self.assertEqual(
            smaller_request(
                "search", {"include_content": True, "read_top_n": 10, "per_page_limit": 500}, 0.5
            ),
            {"limit": 4, "inline_budget": 26_214, "read_top_n": 4, "per_page_limit": 200},
        )
        self.assertEqual(smaller_request("outline", {"limit": 1}, 0.001), {"limit": 1})
        self.assertEqual(smaller_request("doctor", {}, 0.5), {})


if __name__ == "__main__":
    unittest.main()
