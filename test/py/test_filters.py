"""Filters by type and tags: what they take, and that they hold whatever the index knows."""

from __future__ import annotations

import unittest

from searching import Searching
from wiki.errors import WikiError
from wiki.filters import Filters
from wiki.index import Facts


def wants(*tags: str, of: tuple[str, ...] = (), type: str | None = None, have: str | None = None) -> bool:
    return Filters.of(type, tags).want(Facts("T", have, of))


class Rules(unittest.TestCase):
    def test_a_tag_covers_those_below_it_whatever_its_case_and_mark(self) -> None:
        for wanted in ("topic", "#topic", "Topic", "#TOPIC", "topic/", " topic "):
            self.assertTrue(wants(wanted, of=("Topic/Coffee",)), wanted)
        self.assertTrue(wants("topic/coffee", of=("topic/coffee",)))
        self.assertFalse(wants("topic/coffee", of=("topic",)))
        self.assertFalse(wants("top", of=("topic",)))

    def test_one_tag_of_several_is_enough(self) -> None:
        self.assertTrue(wants("a", "b", of=("b",)))
        self.assertFalse(wants("a", "b", of=("c",)))

    def test_a_type_is_compared_without_case(self) -> None:
        self.assertTrue(wants(type="Note", have="note "))
        self.assertFalse(wants(type="note", have=None))
        self.assertFalse(wants(type="note", have="notes"))

    def test_composed_and_decomposed_are_one(self) -> None:
        self.assertTrue(wants("cafe\u0301", of=("café",)))

    def test_empty_filters_want_every_page(self) -> None:
        self.assertFalse(Filters.of(None, ()))
        self.assertTrue(wants())


class Filtered(Searching):
    def setUp(self) -> None:
        super().setUp()
        self.write("wiki/best.md", "coffee coffee coffee")
        self.write("wiki/note.md", "---\ntype: note\ntags: [drinks/hot]\n---\ncoffee and words")
        self.write("wiki/inline.md", "coffee, as in #Drinks/cold and `#code`")
        for at in range(40):
            self.write(f"wiki/{at}.md", "coffee coffee")

    def test_filters_apply_after_ranking_and_before_the_limit(self) -> None:
        self.assertEqual(self.paths("coffee", type="note", limit=1), ["note"])
        self.assertEqual(sorted(self.paths("coffee", tags=["#drinks"], limit=2)), ["inline", "note"])
        self.assertEqual(self.paths("coffee", tags=["code"]), [])
        self.assertEqual(self.paths("coffee", tags=["drinks"], type="note"), ["note"])
        plain = {result["path"]: result["score"] for result in self.searched("coffee", limit=100)["results"]}
        for result in self.searched("coffee", tags=["drinks"])["results"]:
            self.assertEqual(result["score"], plain[result["path"]])

    def test_the_total_counts_the_pages_that_are_wanted(self) -> None:
        self.assertEqual(self.searched("coffee", tags=["drinks"], limit=1)["total"], 2)

    def test_an_index_that_knows_no_types_and_tags_is_helped_by_the_pages(self) -> None:
        self.build(compat=True, only="bm25.json")
        payload = self.searched("coffee", tags=["drinks"])
        self.assertEqual(payload["source"], "index-file")
        self.assertEqual(sorted(result["path"] for result in payload["results"]), ["wiki/inline.md", "wiki/note.md"])
        self.assertIsNone(payload["total"])

    def test_a_tag_without_a_name_is_refused_rather_than_left_out(self) -> None:
        for tags in (["#"], ["drinks", " / "]):
            with self.assertRaises(WikiError) as caught:
                self.searched("coffee", tags=tags)
            self.assertEqual(caught.exception.code, "invalid-input")
        self.assertEqual(len(self.paths("coffee", tags=["drinks"])), 2)

    def test_a_type_in_a_list_is_the_type(self) -> None:
        self.write("wiki/listed.md", "---\ntype: [Recipe]\n---\ncoffee")
        self.assertEqual(self.paths("coffee", type="recipe"), ["listed"])

    def test_a_property_is_no_filter(self) -> None:
        self.write("wiki/draft.md", "---\nstatus: draft\n---\nx")
        self.assertEqual(self.paths("status:draft")[:1], ["draft"])  # words like any others


if __name__ == "__main__":
    unittest.main()
