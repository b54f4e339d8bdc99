"""What a search says it looked at is what the folder holds, counted from nothing or from what the index file knows."""

from __future__ import annotations

import unittest

from indexed import Indexed
from wiki import survey
from wiki.excluded import Excluded
from wiki.survey import surveyed


class Counting(Indexed):
    def setUp(self) -> None:
        super().setUp()
        survey._MEMORY.vault = None
        self.write("wiki/tea.md", "leaf")
        self.write("wiki/old/milk.md", "cow")
        self.write("wiki/log.md")
        self.write("wiki/.hidden.md")

    def counts(self, excluded: Excluded, *, from_nothing: bool) -> tuple[object, ...]:
        ctx = self.context()
        if from_nothing:
            survey._MEMORY.vault = None
        counted = None if from_nothing else self.choose().counted
        found = surveyed(ctx, excluded, counted)
        return found.checked, found.pages, found.excluded, +found.skipped

    def test_it_is_the_same_from_nothing_and_from_the_index_file_fresh_or_stale(self) -> None:
        self.build()
        for excluded in (Excluded(), Excluded(prefixes=("wiki/old/",))):
            survey._MEMORY.vault = None
            first = self.counts(excluded, from_nothing=False)
            self.assertEqual(first[:3], (4, 2, int(bool(excluded))))
            self.assertEqual(self.counts(excluded, from_nothing=True), first)
            survey._MEMORY.vault = None
            self.write("wiki/new.md")
            self.remove("wiki/log.md")
            second = self.counts(excluded, from_nothing=False)
            self.assertEqual(self.counts(excluded, from_nothing=True), second)
            self.assertEqual(second[1], 3)
            self.remove("wiki/new.md")
            self.write("wiki/log.md")
            self.build()


if __name__ == "__main__":
    unittest.main()
