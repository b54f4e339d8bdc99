"""Every index of the same pages ranks the same, to the last digit and tie, whatever was edited on the way."""

from __future__ import annotations

import random
import unittest
from pathlib import Path
from unittest import mock

from indexed import Indexed, ranking
from wiki import live, overlay
from wiki.heldfile import look_at
from wiki.bm25file import PATH as VERSION1, read_version1
from wiki.packedfile import PATH as PACKED, PackedFile

BEGINNINGS, ENDS = ("ka", "mo", "ti", "re", "su", "日", "é"), ("n", "ra", "lo", "zu", "1")
WORDS = [f"{beginning}{end}" for beginning in BEGINNINGS for end in ENDS]
WEIGHTS = [1 / (at + 1) for at in range(len(WORDS))]


def page(chance: random.Random) -> str:
    """A few words, the common ones often; sometimes one word very often, a title, aliases."""
    words = chance.choices(WORDS, WEIGHTS, k=chance.choice([1, 5, 30, 30, 80]))
    if chance.random() < 0.1:
        words += [chance.choice(WORDS)] * chance.choice([254, 255, 256, 300])
    title, alias = chance.choices(WORDS, k=2)
    head = f"---\ntitle: {title}\naliases: [{alias}]\n---\n" if chance.random() < 0.3 else ""
    h1 = f"# {' '.join(chance.choices(WORDS[:8], k=2))}\n" if chance.random() < 0.6 else ""
    return head + h1 + " ".join(words)


class SameRanking(Indexed):
    def edit(self, chance: random.Random, paths: list[str], changes: int) -> None:
        for _ in range(changes):
            kind = chance.random()
            if kind < 0.4 or len(paths) < 3:
                path = f"wiki/{chance.choice('abc')}/{len(paths)}-{chance.randrange(10**6)}.md"
                paths.append(path)
                self.write(path, page(chance))
            elif kind < 0.7:
                self.write(chance.choice(paths), page(chance))
            elif kind < 0.8:  # same content, other time
                path = chance.choice(paths)
                self.write(path, Path(self.root, path).read_text("utf-8"))
            else:
                path = paths.pop(chance.randrange(len(paths)))
                text = Path(self.root, path).read_text("utf-8")
                self.remove(path)
                if kind < 0.9:  # renamed
                    paths.append(f"{path[:-3]}-moved.md")
                    self.write(paths[-1], text)

    def all_indexes(self) -> dict[str, object]:
        """A version-1 file, a packed file and a live index, each made from the pages of now."""
        self.build(compat=True)
        packed = PackedFile(self.vault, look_at(self.vault, PACKED))
        version1 = read_version1(self.vault, look_at(self.vault, VERSION1), lambda: None)
        self.addCleanup(packed.file.let_go)
        for file in (PACKED, VERSION1):
            self.remove(file)
        with self.another_process():
            return {"packed": packed, "version 1": version1, "live": self.choose().index}

    def assert_all_same(self, chance: random.Random, indexes: dict[str, object]) -> None:
        for _ in range(12):
            tokens = chance.choices([*WORDS, "nowhere"], k=chance.choice([1, 1, 2, 3, 4, 12]))
            title = (tokens[0],)
            limit = chance.choice([1, 3, 10, 100])
            rankings = {
                name: ranking(index, tokens, limit=limit, boosted=index.titled(title))
                for name, index in indexes.items()
            }
            first = next(iter(rankings.values()))
            for name, other in rankings.items():
                self.assertEqual(other, first, f"{name}, {tokens}")
        facts = {name: (index.count, index.average, sorted(index.terms())) for name, index in indexes.items()}
        for name, other in facts.items():
            self.assertEqual(other, facts["live"], name)

    def test_over_random_edits(self) -> None:
        chance = random.Random(7)
        for round in range(4):
            paths: list[str] = []
            self.edit(chance, paths, 40)
            self.build(only="index.bin")
            live.forget()
            self.assertEqual(self.choose().source, "index-file")
            for edits in (1, 3, 20, 60):
                self.edit(chance, paths, edits)
                mended = self.choose()
                self.assertEqual((mended.freshness, mended.source), ("stale", "live"))
                self.assertIsNotNone(mended.index.base)
                stale_file = Path(self.root, PACKED)
                aside = stale_file.rename(f"{self.root}/aside")
                indexes = self.all_indexes()
                aside.rename(stale_file)
                self.assert_all_same(chance, indexes | {"mended": mended.index})
            for path in paths:
                self.remove(path)
            self.remove(PACKED)

    def test_when_pages_that_are_gone_are_dropped_from_memory(self) -> None:
        with mock.patch.object(overlay, "_COMPACT_FROM", 5):
            self.test_a_live_index_over_random_edits()
            self.test_over_random_edits()

    def test_a_live_index_over_random_edits(self) -> None:
        chance = random.Random(11)
        paths: list[str] = []
        for edits in (30, 1, 5, 40, 80):
            self.edit(chance, paths, edits)
            followed = self.choose()
            self.assertEqual((followed.freshness, followed.source), ("unavailable", "live"))
            self.assert_all_same(chance, self.all_indexes() | {"followed": followed.index})


if __name__ == "__main__":
    unittest.main()
