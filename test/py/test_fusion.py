"""Two rankings become one by their ranks alone."""

from __future__ import annotations

import unittest

from wiki.fusion import fuse, meaning_counts


class Fusion(unittest.TestCase):
    def test_a_page_in_both_rankings_has_the_sum_of_both_shares(self) -> None:
        fused = dict(fuse(["a", "b"], ["b"]))
        self.assertEqual(fused, {"a": 1 / 61, "b": 1 / 62 + 1 / 61})

    def test_pages_of_both_rankings_come_before_pages_of_one(self) -> None:
        self.assertEqual([path for path, _ in fuse(["a", "b", "c"], ["d", "c"])][0], "c")

    def test_ties_go_by_semantic_rank_first(self) -> None:
        self.assertEqual([path for path, _ in fuse(["words"], ["meaning"])], ["meaning", "words"])
        self.assertEqual([path for path, _ in fuse(["a", "b"], ["b", "a"])], ["b", "a"])

    def test_every_page_comes_once_and_scores_fall(self) -> None:
        fused = fuse(["a", "b", "c", "d"], ["d", "e", "a"])
        self.assertEqual(sorted(path for path, _ in fused), ["a", "b", "c", "d", "e"])
        self.assertEqual([score for _, score in fused], sorted((score for _, score in fused), reverse=True))

    def test_one_empty_ranking_leaves_the_other_as_it_is(self) -> None:
        self.assertEqual([path for path, _ in fuse(["b", "a"], [])], ["b", "a"])
        self.assertEqual([path for path, _ in fuse([], ["b", "a"])], ["b", "a"])
        self.assertEqual(fuse([], []), [])


class Counting(unittest.TestCase):
    def test_meaning_counts_where_words_say_little(self) -> None:
        self.assertTrue(meaning_counts(0.2, 900, 1_000))

    def test_where_words_say_much_it_counts_if_it_bears_them_out(self) -> None:
        self.assertTrue(meaning_counts(0.9, 30, 1_000))
        self.assertFalse(meaning_counts(0.9, 31, 1_000))

    def test_in_a_small_wiki_a_share_of_its_pages_is_not_asked_for(self) -> None:
        self.assertTrue(meaning_counts(0.9, 20, 25))
        self.assertFalse(meaning_counts(0.9, 21, 25))

    def test_without_pages_by_words_there_is_nothing_to_bear_out(self) -> None:
        self.assertTrue(meaning_counts(0.9, None, 1_000))


if __name__ == "__main__":
    unittest.main()
