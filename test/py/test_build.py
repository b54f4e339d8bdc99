"""The index operation: what it reads, what it hands to the host, and what it says."""

from __future__ import annotations

import random
import unittest
from pathlib import Path
from unittest import mock

from indexed import FILES, Indexed, ranking
from wiki import build as building
from wiki.build import build
from wiki.errors import WikiError
from wiki.heldfile import look_at
from wiki.packedfile import PATH, PackedFile
from wiki.pages import Unreadable, read_entry


class Building(Indexed):
    def setUp(self) -> None:
        super().setUp()
        self.write("wiki/tea.md", "# Tea\nleaf leaf water")
        self.write("wiki/coffee.md", "# Coffee\nbean water")
        self.write("wiki/log.md", "what happened")
        self.write("wiki/.hidden.md", "secret")

    def test_it_says_what_it_made_and_what_it_left_out(self) -> None:
        payload = self.build()
        size = len(self.around.emitted["index.bin"])
        self.assertEqual(
            payload,
            {
                "vault": self.root,
                "pages": 2,
                "terms": 5,
                "files": [{"name": "index.bin", "bytes": size}],
                "skipped": {"hidden": 1, "reserved": 1},
                "unread": [],
                "unseen": [],
            },
        )
        self.assertIn(("Reading pages", 2, 2), self.around.told)

    def test_the_version_1_file_is_made_only_when_asked_for(self) -> None:
        self.build()
        self.assertEqual(list(self.around.emitted), ["index.bin"])
        payload = self.build(compat=True)
        self.assertEqual([file["name"] for file in payload["files"]], ["index.bin", "bm25.json"])
        for file in payload["files"]:
            self.assertEqual(file["bytes"], len(self.around.emitted[file["name"]]))

    def test_two_builds_give_the_same_bytes(self) -> None:
        self.build(compat=True)
        first = self.around.emitted
        with self.another_process():
            self.build(compat=True)
        self.assertEqual(self.around.emitted, first)

    def test_many_pages_are_built_in_runs_with_the_same_result(self) -> None:
        chance = random.Random(2)
        for at in range(60):
            words = [f"w{chance.randrange(40)}" for _ in range(30)] + ["often"] * (300 if at == 33 else 0)
            self.write(f"wiki/{at:02}.md", " ".join(words))
        self.build(compat=True)
        whole = self.around.emitted
        for postings in (1, 100, 500):
            with mock.patch.object(building, "RUN_POSTINGS", postings):
                self.build(compat=True)
            self.assertEqual(self.around.emitted, whole)

    def test_a_page_that_cannot_be_read_is_named_and_the_others_are_indexed(self) -> None:
        def reading(vault: object, entry: object) -> object:
            if entry.path == "wiki/tea.md":
                raise Unreadable("unreadable")
            return read_entry(vault, entry)

        with mock.patch.object(building, "read_entry", reading):
            payload = self.build()
        self.assertEqual((payload["pages"], payload["unread"]), (1, [{"page": "wiki/tea.md", "reason": "unreadable"}]))
        packed = PackedFile(self.vault, look_at(self.vault, PATH))
        self.addCleanup(packed.file.let_go)
        self.assertEqual([path for path, _ in ranking(packed, ["water", "leaf"])], ["wiki/coffee.md"])

    def test_when_time_is_up_it_says_how_to_have_more(self) -> None:
        with self.assertRaises(WikiError) as caught:
            build(self.context(pages_in_time=1), {})
        self.assertEqual(caught.exception.code, "deadline")
        self.assertRegex(caught.exception.message, "1 of 2 pages.*--timeout")

    def test_it_writes_nothing_itself(self) -> None:
        before = sorted(Path(self.root).rglob("*"))
        build(self.context(), {"compat": True})
        self.assertEqual(sorted(Path(self.root).rglob("*")), before)
        self.assertFalse(Path(self.root, FILES).exists())

    def test_an_unknown_argument_is_refused(self) -> None:
        for args in ({"compat": 1}, {"other": True}):
            with self.assertRaises(WikiError) as caught:
                build(self.context(), args)
            self.assertEqual(caught.exception.code, "invalid-input")


if __name__ == "__main__":
    unittest.main()
