"""Ranking: the contract's formula, checked by a second opinion of a few lines."""

from __future__ import annotations

import math
import random
import unittest
from collections import Counter

from wiki.index import Analysed, Facts
from wiki.overlay import LiveIndex
from wiki.ranking import rank, rank_all


def oracle(pages, query, boosted=()):
    """Scores by the contract's section 6, from plain lists of tokens: ``{path: score}`` of all pages that match."""
    average = sum(map(len, pages.values())) / len(pages)
    counts = {path: Counter(tokens) for path, tokens in pages.items()}
    frequency = Counter(token for tokens in pages.values() for token in set(tokens))
    scores = {}
    for path, tokens in pages.items():
        for token, weight in query:
            df, tf = frequency[token], counts[path][token]
            if tf:
                idf = math.log(1 + (len(pages) - df + 0.5) / (df + 0.5))
                part = idf * tf * (1.5 + 1) / (tf + 1.5 * (1 - 0.75 + 0.75 * len(tokens) / average))
                scores[path] = scores.get(path, 0) + weight * part
    best = max(scores.values(), default=0)
    return {path: score + (best if path in boosted else 0) for path, score in scores.items()}


def live_index(pages):
    index = LiveIndex("test")
    for path, tokens in pages.items():
        index.add(path, Analysed(Counter(tokens), len(tokens), (), Facts(path, None, ())))
    return index


def random_pages(chance, pages, words=40, longest=60):
    vocabulary = [f"w{n}" for n in range(words)]
    weights = [1 / (n + 1) for n in range(words)]
    return {
        f"wiki/p{n:04}.md": chance.choices(vocabulary, weights, k=chance.randint(1, longest)) for n in range(pages)
    }


class Ranking(unittest.TestCase):
    def assert_ranked(self, pages, query, *, limit, boosted=()):
        index = live_index(pages)
        expected = oracle(pages, query, boosted)
        got = rank_all(index, query, limit=limit, boosted=[index.doc_of(path) for path in boosted])
        self.assertEqual(got.matching, len(expected))
        best = sorted(expected, key=lambda path: (-round(expected[path], 9), path))[:limit]
        self.assertEqual([index.path(doc) for doc, _ in got.best], best)
        for doc, score in got.best:
            self.assertAlmostEqual(score, expected[index.path(doc)], delta=1e-9)

    def test_scores_and_order_are_those_of_the_formula(self):
        chance = random.Random(1)
        for _ in range(120):
            pages = random_pages(chance, chance.randint(1, 150))
            query = [(f"w{chance.randint(0, 45)}", chance.choice([1, 1, 0.4])) for _ in range(chance.randint(1, 5))]
            boosted = {path for path in pages if chance.random() < 0.03 and any(t in pages[path] for t, _ in query)}
            self.assert_ranked(pages, query, limit=chance.choice([1, 3, 10, 100]), boosted=boosted)

    def test_queries_of_many_words_too(self):
        chance = random.Random(2)
        for words in (8, 9, 30, 200):
            for _ in range(6):
                pages = random_pages(chance, 120, words=250, longest=200)
                query = [(f"w{chance.randint(0, 260)}", 1) for _ in range(words)]
                self.assert_ranked(pages, query, limit=chance.choice([1, 10]))

    def test_pages_of_very_different_length_too(self):
        chance = random.Random(3)
        pages = random_pages(chance, 60) | {f"wiki/long{n}.md": ["w0"] * 3_000 + ["w9"] * n for n in range(1, 30)}
        for query in ([("w0", 1)], [("w9", 1)], [("w0", 1), ("w9", 0.4), ("w0", 1)]):
            self.assert_ranked(pages, query, limit=10)

    def test_ties_are_in_the_order_of_paths_whatever_order_pages_came_in(self):
        paths = [f"wiki/{name}.md" for name in ("b", "a b", "a/c", "é", "Z", "a")]
        index = live_index({path: ["same", "words"] for path in paths})
        self.assertEqual([index.path(doc) for doc, _ in rank(index, [("same", 1)], limit=4)], sorted(paths)[:4])

    def test_a_boosted_page_gains_the_best_score_once_more(self):
        index = live_index({"wiki/a.md": ["x", "x"], "wiki/b.md": ["x", "y", "y", "y"], "wiki/c.md": ["z"]})
        plain = dict(rank(index, [("x", 1)], limit=5))
        boosted = dict(rank(index, [("x", 1)], limit=5, boosted=[1]))
        self.assertEqual(boosted[1], plain[1] + max(plain.values()))
        self.assertEqual(boosted[0], plain[0])

    def test_a_word_that_no_page_has_changes_nothing(self):
        index = live_index({"wiki/a.md": ["x"], "wiki/b.md": ["y"]})
        self.assertEqual(rank(index, [("nowhere", 1), ("x", 1)], limit=5), rank(index, [("x", 1)], limit=5))
        self.assertEqual(rank_all(index, [("nowhere", 1)], limit=5), ([], 0))
        self.assertEqual(rank(live_index({}), [("x", 1)], limit=5), [])


if __name__ == "__main__":
    unittest.main()
