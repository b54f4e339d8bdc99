"""Ranking: the contract's formula, checked by a second opinion of a few lines."""

from __future__ import annotations

import math
import random
import unittest
from collections import Counter

from wiki.index import Analysed, Facts
from wiki.overlay import LiveIndex
from wiki.ranking import rank


def oracle(pages, query, boosted=()):
    """Scores by the contract's section 6, from plain lists of tokens: ``{path: score}`` of all pages that match."""
    average = sum(map(len, pages.values())) / len(pages)
    scores = {}
    for path, tokens in pages.items():
        for token, weight in query:
            df = sum(token in other for other in pages.values())
            tf = tokens.count(token)
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
    def test_scores_and_order_are_those_of_the_formula(self):
        chance = random.Random(1)
        for round in range(60):
            pages = random_pages(chance, chance.randint(1, 80))
            index = live_index(pages)
            query = [(f"w{chance.randint(0, 45)}", chance.choice([1, 1, 0.4])) for _ in range(chance.randint(1, 5))]
            boosted = {path for path in pages if chance.random() < 0.03 and any(t in pages[path] for t, _ in query)}
            expected = oracle(pages, query, boosted)
            limit = chance.choice([1, 3, 10, 100])
            got = rank(index, query, limit=limit, boosted=[index.doc_of(path) for path in boosted])
            best = sorted(expected, key=lambda path: (-round_off(expected[path]), path))[:limit]
            self.assertEqual([index.path(scored.doc) for scored in got], best)
            for scored in got:
                self.assertAlmostEqual(scored.score, expected[index.path(scored.doc)], delta=1e-9)


def round_off(score):
    return round(score, 9)


if __name__ == "__main__":
    unittest.main()
