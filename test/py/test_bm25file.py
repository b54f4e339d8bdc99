"""Version-1 index files: read whole or not at all."""

from __future__ import annotations

import json
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

from indexed import FILES, Indexed, ranking
from test_ranking import oracle
from wiki import bm25file, piecewise, tokens
from wiki.bm25file import PATH, read_version1
from wiki.heldfile import look_at
from wiki.index import PLAIN, Damaged
from wiki.overlay import LiveIndex

BY_HAND = {
    "version": 1,
    "documents": 3,
    "lengths": {"wiki/tea.md": 4, "wiki/a b/coffee.md": 3, "wiki/日.md": 2},
    "terms": {
        "bean": {"wiki/a b/coffee.md": 2, "wiki/tea.md": 1},
        "leaf": {"wiki/tea.md": 3},
        "日": {"wiki/日.md": 2},
        "cup": {"wiki/a b/coffee.md": 1},
    },
    "titles": {"wiki/tea.md": ["leaf"], "wiki/a b/coffee.md": ["bean", "cup"], "wiki/日.md": []},
}
TOKENS = {
    "wiki/tea.md": ["bean", "leaf", "leaf", "leaf"],
    "wiki/a b/coffee.md": ["bean", "bean", "cup"],
    "wiki/日.md": ["日", "日"],
}


class Version1(Indexed):
    def read(self, data: Any) -> LiveIndex:
        self.put("bm25.json", data if isinstance(data, bytes) else json.dumps(data).encode())
        return read_version1(self.vault, look_at(self.vault, PATH), lambda: None)

    def test_a_file_made_by_hand_ranks_by_the_formula(self) -> None:
        index = self.read(BY_HAND)
        self.assertEqual((index.count, index.tokenizer), (3, PLAIN))
        for query in (["bean"], ["leaf", "bean"], ["日"], ["bean", "bean", "cup"], ["nothing"]):
            expected = oracle(TOKENS, [(token, 1) for token in query])
            got = dict(ranking(index, query))
            self.assertEqual(got.keys(), expected.keys())
            for path, score in expected.items():
                self.assertAlmostEqual(got[path], score, delta=1e-9)
        self.assertEqual([index.path(doc) for doc in index.titled(("bean", "cup"))], ["wiki/a b/coffee.md"])
        self.assertEqual(index.titled(()), [])
        self.assertIsNone(index.facts(0))

    def test_spelling_of_the_json_does_not_matter(self) -> None:
        plain = ranking(self.read(BY_HAND), ["leaf", "bean", "日"])
        turned = dict(reversed(BY_HAND.items()))  # the terms stand before the pages
        for text in (
            json.dumps(BY_HAND, ensure_ascii=False),
            json.dumps(BY_HAND, indent=3),
            json.dumps(BY_HAND, sort_keys=True, separators=(",", ":")),
            json.dumps(turned, indent="\t").replace("\n", "\r\n"),
            "\ufeff" + json.dumps(BY_HAND | {"made": "2024-01-01", "by": None, "size": 1.5e3}),
        ):
            self.assertEqual(ranking(self.read(text.encode()), ["leaf", "bean", "日"]), plain)

    def test_a_file_is_read_in_pieces_of_any_size(self) -> None:
        plain = ranking(self.read(BY_HAND), ["leaf", "bean", "日"])
        data = json.dumps(BY_HAND, ensure_ascii=False, indent=1).encode()
        for size in (1, 2, 3, 7, 64):
            with mock.patch.object(piecewise, "_PIECE_BYTES", size):
                self.assertEqual(ranking(self.read(data), ["leaf", "bean", "日"]), plain)

    def test_what_is_malformed_anywhere_is_not_used_at_all(self) -> None:
        def changed(**members: Any) -> dict[str, Any]:
            return {key: value for key, value in (BY_HAND | members).items() if value is not ...}

        text = json.dumps(BY_HAND)
        for what, data in {
            "no JSON": b"hello",
            "nothing": b"",
            "a list": b"[]",
            "cut short": text[:-1].encode(),
            "something after the end": f"{text}x".encode(),
            "not UTF-8": text.encode()[:-2] + b"\xff}}",
            "another version": changed(version=2),
            "a version that is no number": changed(version=True),
            "a version of text": changed(version="1"),
            "a wrong number of pages": changed(documents=4),
            "a number of pages that is none": changed(documents=3.0),
            **{f"no {key}": changed(**{key: ...}) for key in BY_HAND},
            "lengths as a list": changed(lengths=[1]),
            "a negative length": changed(lengths=BY_HAND["lengths"] | {"wiki/tea.md": -1}),
            "a length with a fraction": changed(lengths=BY_HAND["lengths"] | {"wiki/tea.md": 1.5}),
            "a length that is true": changed(lengths=BY_HAND["lengths"] | {"wiki/tea.md": True}),
            "a length beyond counting": changed(lengths=BY_HAND["lengths"] | {"wiki/tea.md": 10**30}),
            "a path that leads out": changed(documents=4, lengths=BY_HAND["lengths"] | {"../secret.md": 1}),
            "an absolute path": changed(documents=4, lengths=BY_HAND["lengths"] | {"/etc/x.md": 1}),
            "a path that is no page": changed(documents=4, lengths=BY_HAND["lengths"] | {"wiki/x.txt": 1}),
            "a path that is not canonical": changed(documents=4, lengths=BY_HAND["lengths"] | {"wiki//x.md": 1}),
            "half a character in a path": changed(documents=4, lengths=BY_HAND["lengths"] | {"wiki/\ud800.md": 1}),
            "terms as a list": changed(terms=[]),
            "a term without pages as a number": changed(terms={"a": 1}),
            "a term in an unknown page": changed(terms={"a": {"wiki/none.md": 1}}),
            "a term that stands zero times": changed(terms={"a": {"wiki/tea.md": 0}}),
            "a term that stands true times": changed(terms={"a": {"wiki/tea.md": True}}),
            "a term that stands 1.0 times": changed(terms={"a": {"wiki/tea.md": 1.0}}),
            "a term that stands as text": changed(terms={"a": {"wiki/tea.md": "1"}}),
            "a term nested": changed(terms={"a": {"wiki/tea.md": {"x": 1}}}),
            "titles as a list": changed(titles=[]),
            "a title of an unknown page": changed(titles={"wiki/none.md": ["a"]}),
            "a title as a text": changed(titles={"wiki/tea.md": "leaf"}),
            "a title with a number": changed(titles={"wiki/tea.md": [1]}),
            "aliases that are not lists of lists": changed(aliases={"wiki/tea.md": ["a"]}),
            "a tokenizer that is no text": changed(tokenizer=1),
            "a key with a deep value": changed(more={"a": []}),
            "a key twice": text.replace('"documents"', '"version": 1, "documents"').encode(),
            "a page twice in a term": text.replace('{"wiki/tea.md": 3}', '{"wiki/tea.md": 3, "wiki/tea.md": 3}').encode(),
            "a term twice": text.replace('"cup": {', '"leaf": {').encode(),
            "a number with a zero before": text.replace('"documents": 3', '"documents": 03').encode(),
            "a bad escape": text.replace("leaf", "\\q").encode(),
            "a line feed in a text": text.replace("leaf", "le\naf").encode(),
            "a comma too many": text.replace('"wiki/tea.md": 3}', '"wiki/tea.md": 3,}').encode(),
            "deep nesting": b'{"version":' + b"[" * 100_000,
            "deep nesting in a term": b'{"version":1,"terms":{"a":' + b'{"a":' * 100_000,
        }.items():
            with self.subTest(what), self.assertRaises(Damaged) as caught:
                self.read(data)
            if not isinstance(data, bytes) or len(data) > 100:
                self.assertRegex(str(caught.exception), r"^It .*\.$")

    def test_a_file_beyond_the_bound_is_refused_without_being_read(self) -> None:
        with mock.patch.object(bm25file, "MAX_BYTES", 100), self.assertRaisesRegex(Damaged, "larger than 100 bytes"):
            self.read(BY_HAND)

    def test_reading_can_be_given_up(self) -> None:
        self.put("bm25.json", json.dumps(BY_HAND).encode())
        with self.assertRaises(InterruptedError):
            read_version1(self.vault, look_at(self.vault, PATH), mock.Mock(side_effect=InterruptedError))


class Written(Indexed):
    def test_the_file_is_what_the_contract_describes(self) -> None:
        self.write("wiki/tea.md", "---\ntitle: Green Tea\naliases: [Cha]\n---\n# Tea\nleaf leaf")
        self.write("wiki/plain.md", "leaf")
        self.build(compat=True)
        value = json.loads(Path(self.root, FILES, "bm25.json").read_bytes())
        self.assertEqual((value["version"], value["documents"], value["tokenizer"]), (1, 2, tokens.TOKENIZER))
        self.assertEqual(set(value), {"version", "documents", "lengths", "terms", "titles", "tokenizer", "aliases"})
        self.assertEqual(value["lengths"].keys(), {"wiki/tea.md", "wiki/plain.md"})
        self.assertEqual(value["terms"]["leaf"], {"wiki/plain.md": 1, "wiki/tea.md": 2})
        self.assertEqual(value["titles"], {"wiki/plain.md": ["plain"], "wiki/tea.md": ["tea"]})
        self.assertEqual(value["aliases"], {"wiki/tea.md": [["green", "tea"], ["cha"]]})


if __name__ == "__main__":
    unittest.main()
