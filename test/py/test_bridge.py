"""One request text in, one valid envelope out, whatever the text is; and the devices it goes through."""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import tempfile
import unittest
from pathlib import Path
from typing import Any, Callable

import wiki.bridge
import wiki.devices
from folders import Folder
from swapping import swapped
from wiki.bridge import handle, serve, smaller_request
from wiki.devices import SandboxSurroundings, received, sent
from wiki.errors import WikiError
from wiki.limits import REQUEST_MAX_BYTES, RESPONSE_MAX_BYTES

CODES = frozenset(
    "invalid-input config-invalid no-vault vault-missing wiki-missing page-not-found page-refused hash-mismatch"
    " section-not-found section-ambiguous span-out-of-range cursor-invalid deadline cancelled output-limit"
    " sandbox-failed".split()
)


class Quiet:
    """Surroundings where nothing is to be had but the time."""

    def listing(self) -> bytes:
        return b""

    def yaml(self, text: str) -> str:
        return "{}"

    def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        return {"error": "nobody is there"}

    def progress(self, what: str, done: int, total: int) -> None:
        pass

    def remaining(self) -> float:
        return 30.0

    def emit(self, name: str, data: bytes) -> None:
        raise AssertionError("no operation here makes files")


class Requests(Folder):
    def setUp(self) -> None:
        super().setUp()
        self.write("wiki/a.md", "# A\ntext\n")

    def envelope(self, request: Any, answering: Callable[..., Any] | None = None) -> dict[str, Any]:
        """The envelope for a request, checked for what every envelope must be."""
        text = request if isinstance(request, str) else json.dumps(request)
        stderr = io.StringIO()
        with contextlib.redirect_stderr(stderr):
            if answering is None:
                response = handle(text, Quiet(), root=self.root)
            else:
                with swapped(wiki.bridge, "answer", answering):
                    response = handle(text, Quiet(), root=self.root)
        self.stderr = stderr.getvalue()
        self.assertLessEqual(len(response.encode("utf-8")), RESPONSE_MAX_BYTES)
        envelope = json.loads(response)
        self.assertIsInstance(envelope["operation"], str)
        if envelope["ok"] is True:
            self.assertEqual(sorted(envelope), ["ok", "operation", "payload"])
        else:
            self.assertIs(envelope["ok"], False)
            self.assertIn(envelope["code"], CODES)
            self.assertLessEqual(len(envelope["message"]), 500)
            self.assertLessEqual(set(envelope), {"ok", "operation", "code", "message", "payload"})
        return envelope

    def request(self, operation: str, arguments: Any = None, **more: Any) -> dict[str, Any]:
        vault = {"shown": "/my/vault", "wiki": "wiki"}
        return {"operation": operation, "arguments": arguments, "vault": vault, "remainingMs": 9_000, "host": {}} | more


class Handling(Requests):
    def test_an_operation_is_answered_with_its_payload(self) -> None:
        envelope = self.envelope(self.request("outline", {"page": "wiki/a.md"}))
        self.assertEqual(envelope["operation"], "outline")
        self.assertEqual(envelope["payload"]["vault"], "/my/vault")
        self.assertEqual(envelope["payload"]["page"], "wiki/a.md")

    def test_a_failure_keeps_its_code_and_its_structure(self) -> None:
        envelope = self.envelope(self.request("outline", {"page": "wiki/A.md"}))
        self.assertEqual(envelope["code"], "page-refused")
        self.assertEqual(envelope["payload"], {"refusal": "alias", "page": "wiki/A.md", "listed": ["wiki/a.md"]})

    def test_what_is_no_request_is_invalid_input(self) -> None:
        for text in ("", "{", "[]", "null", '"x"', "5", "{}", "[" * 5_000, '{"operation":5}', '{"operation":"write"}', "\ud800"):
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
            piece = chance.choice(['"', "{", "]", "\\", "\ud800", "null", "1e999", "-", "\x00", "🌱", "read", "true", ""])
            self.envelope(whole[:at] + piece + whole[at + chance.randrange(4) :])

    def test_arguments_of_every_kind_give_an_envelope(self) -> None:
        values: list[Any] = [None, True, 0, -1, 1.5, 10**400, "", "x" * 5_000, "\ud800", "wiki/a.md", [], {}, [[]], "\0", "."]
        chance = random.Random(12)
        names = "page expectedHash section start end view maxChars cursor limit offset vault other".split()
        for operation in ("outline", "read", "doctor"):
            for _ in range(400):
                arguments = {name: chance.choice(values) for name in chance.sample(names, chance.randrange(6))}
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
        request = self.request("outline", {}, vault={"shown": "/Users/me/Mobile\\ Documents/x", "wiki": "wiki"})
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
        for error in (RecursionError(), MemoryError(), OSError(5, "x"), GeneratorExit(), UnicodeDecodeError("utf-8", b"", 0, 1, "")):

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
    def sized(self, operation: str, arguments: dict[str, Any], unit: str, count: int, ok: bool = True) -> dict[str, Any]:
        def answers(*_: Any) -> dict[str, Any]:
            if ok:
                return {"operation": operation, "ok": True, "payload": {"text": unit * count}}
            return {"operation": operation, "ok": False, "code": "section-ambiguous", "message": "m", "payload": {"t": unit * count}}

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
            smaller_request("search", {"include_content": True, "read_top_n": 10, "per_page_limit": 500}, 0.5),
            {"limit": 4, "inline_budget": 26_214, "read_top_n": 4, "per_page_limit": 200},
        )
        self.assertEqual(smaller_request("outline", {"limit": 1}, 0.001), {"limit": 1})
        self.assertEqual(smaller_request("doctor", {}, 0.5), {})


class Devices(unittest.TestCase):
    """Files in the place of the devices: what is written lies before what is read, as far as one handle sees."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        real = os.open
        opening = swapped(wiki.devices.os, "open", lambda path, flags: real(path.replace("/dev/", f"{self.folder}/"), flags))
        opening.__enter__()
        self.addCleanup(opening.__exit__, None, None, None)

    def device(self, name: str, data: bytes = b"") -> Path:
        file = Path(self.folder, name)
        file.write_bytes(data)
        return file

    def answering(self, name: str, question: bytes, answer: bytes) -> Path:
        return self.device(name, b"?" * len(question) + answer)

    def test_everything_is_read_and_written_however_small_the_pieces(self) -> None:
        file = self.device("d", b"0123456789" * 1_000)
        read, write = os.read, os.write
        with swapped(wiki.devices.os, "read", lambda handle, most: read(handle, min(most, 7))):
            self.assertEqual(received("/dev/d"), b"0123456789" * 1_000)
        with swapped(wiki.devices.os, "write", lambda handle, data: write(handle, bytes(data)[:7])):
            sent("/dev/d", b"abcdefghij" * 1_000)
        self.assertEqual(file.read_bytes(), b"abcdefghij" * 1_000)

    def test_one_write_takes_at_most_a_mebibyte(self) -> None:
        self.device("d")
        sizes: list[int] = []
        write = os.write
        with swapped(wiki.devices.os, "write", lambda handle, data: sizes.append(len(data)) or write(handle, data)):
            sent("/dev/d", b"x" * (2 * 1024 * 1024 + 1))
        self.assertEqual(sizes, [1024 * 1024, 1024 * 1024, 1])

    def test_a_device_that_takes_nothing_is_an_error(self) -> None:
        self.device("d")
        with swapped(wiki.devices.os, "write", lambda handle, data: 0), self.assertRaises(OSError):
            sent("/dev/d", b"x")

    def test_a_request_is_answered_through_the_devices(self) -> None:
        self.device("wiki_req", b'{"operation":"outline","arguments":{"page":5},"vault":{"shown":"/v","wiki":"wiki"}}')
        answer = self.device("wiki_res")
        serve()
        self.assertIs(json.loads(answer.read_bytes())["ok"], False)

    def test_a_request_that_is_not_utf_8_is_answered_too(self) -> None:
        self.device("wiki_req", b'\xff{"operation"')
        answer = self.device("wiki_res")
        serve()
        self.assertEqual(json.loads(answer.read_bytes())["code"], "invalid-input")

    def test_the_listing_is_read_once(self) -> None:
        self.device("wiki_listing", b"f 1 1 1 1 wiki/a.md\0")
        surroundings = SandboxSurroundings()
        self.assertEqual(surroundings.listing(), b"f 1 1 1 1 wiki/a.md\0")
        self.device("wiki_listing")
        self.assertEqual(surroundings.listing(), b"f 1 1 1 1 wiki/a.md\0")

    def test_yaml_is_text_out_and_json_text_in(self) -> None:
        text = "title: é\n"
        self.answering("wiki_yaml", text.encode(), b'{"ok":true,"value":"{\\"title\\":\\"\xc3\xa9\\"}"}')
        self.assertEqual(SandboxSurroundings().yaml(text), '{"title":"é"}')

    def test_a_fault_in_yaml_is_a_value_error_with_its_sentence(self) -> None:
        self.answering("wiki_yaml", b"a: [", b'{"ok":false,"error":"line 1: no end"}')
        with self.assertRaisesRegex(ValueError, "^line 1: no end$"):
            SandboxSurroundings().yaml("a: [")

    def test_yaml_that_cannot_be_asked_is_a_value_error(self) -> None:
        with self.assertRaises(ValueError):
            SandboxSurroundings().yaml("a: b")
        with self.assertRaises(ValueError):
            SandboxSurroundings().yaml("x" * (1024 * 1024 + 1))

    def test_a_question_to_the_host_is_answered_with_an_object(self) -> None:
        self.answering("wiki_ask", b'{"ask":"embed"}', b'{"vectors":[[1]]}')
        self.assertEqual(SandboxSurroundings().ask({"ask": "embed"}), {"vectors": [[1]]})

    def test_a_host_that_fails_is_an_error_in_the_answer(self) -> None:
        surroundings = SandboxSurroundings()
        self.assertIn("error", surroundings.ask({"ask": "embed"}))  # there is no such device
        for answer in (b"", b"[1]", b"{", b"[" * 5_000):
            self.answering("wiki_ask", b'{"ask":"embed"}', answer)
            self.assertEqual(list(surroundings.ask({"ask": "embed"})), ["error"])
        self.assertIn("larger", surroundings.ask({"texts": ["x" * (1024 * 1024)]})["error"])

    def test_progress_is_told_now_and_then_and_at_the_end(self) -> None:
        told: list[bytes] = []
        surroundings = SandboxSurroundings()
        with swapped(wiki.devices, "sent", lambda device, data: told.append(data)):
            for done in range(1, 1_001):
                surroundings.progress("Reading pages", done, 1_000)
        self.assertEqual(told[0], b"1 1000 Reading pages")
        self.assertEqual(told[-1], b"1000 1000 Reading pages")
        self.assertLess(len(told), 200)

    def test_progress_that_nobody_takes_does_no_harm(self) -> None:
        SandboxSurroundings().progress("Reading\npages", 1, 2)

    def test_a_file_goes_out_as_a_header_and_its_bytes(self) -> None:
        out = self.device("wiki_out")
        SandboxSurroundings().emit("bm25.json", b"\x00\xff")
        self.assertEqual(out.read_bytes(), b'{"name":"bm25.json","bytes":2}\x00\xff')

    def test_a_file_that_the_host_does_not_take_is_a_failure(self) -> None:
        with self.assertRaises(WikiError) as caught:
            SandboxSurroundings().emit("bm25.json", b"x")
        self.assertEqual(caught.exception.code, "sandbox-failed")

    def test_the_time_left_is_what_the_request_allowed(self) -> None:
        surroundings = SandboxSurroundings()
        surroundings.allow(5.0)
        self.assertLessEqual(surroundings.remaining(), 5.0)
        self.assertGreater(surroundings.remaining(), 4.0)


if __name__ == "__main__":
    unittest.main()
