"""Page text put into an answer: the matched sections, the best pages, and what does not fit."""

from __future__ import annotations

import unittest
from typing import Any

from searching import Searching
from wiki import jsontext
from wiki.limits import MODEL_JSON_MAX_BYTES
from wiki.pages import open_page
from wiki.read import read


class Inlined(Searching):
    def fits(self, payload: dict[str, Any]) -> None:
        envelope = {"operation": "search", "ok": True, "payload": payload}
        self.assertLessEqual(len(jsontext.dumps(envelope).encode()), MODEL_JSON_MAX_BYTES)

    def text(self, reference: dict[str, Any]) -> str:
        return open_page(self.vault, reference["page"]).text[reference["start"] : reference["end"]]

    def test_the_matched_section_is_put_into_the_result(self) -> None:
        self.write("wiki/a.md", "# Top\nlead\n## One\nbefore\n## Two\nthe coffee\n### Below\ndeeper\n## Three\nafter\n")
        (result,) = self.searched("coffee", include_content=True)["results"]
        self.assertEqual(result["content"], "## Two\nthe coffee\n### Below\ndeeper\n")
        self.assertEqual(result["content"], self.text({"page": result["path"], "start": result["contentStart"], "end": result["contentEnd"]}))

    def test_a_page_without_headings_gives_its_first_200_lines(self) -> None:
        self.write("wiki/a.md", "coffee\n" + "line\n" * 500)
        (result,) = self.searched("coffee", include_content=True)["results"]
        self.assertEqual(result["content"].count("\n"), 200)

    def test_the_budget_counts_characters_the_best_first_and_the_rest_say_so(self) -> None:
        self.write("wiki/a.md", "coffee coffee coffee " * 10)
        self.write("wiki/b.md", "coffee " + "other words " * 40)
        first, second = self.searched("coffee", include_content=True, inline_budget=300)["results"]
        self.assertEqual((first["path"], len(first["content"])), ("wiki/a.md", 210))
        self.assertTrue(second["budget_exceeded"])
        self.assertNotIn("content", second)
        self.assertIn("other words", self.text(second["read"]))
        for result in self.searched("coffee", include_content=True, inline_budget=0)["results"]:
            self.assertTrue(result["budget_exceeded"])

    def test_all_content_of_an_answer_fits_the_limit_of_an_answer(self) -> None:
        for at in range(20):
            self.write(f"wiki/{at}.md", f"# H\ncoffee {at} " + '"\\\n\u0001é😀' * 1_500)
        payload = self.searched("coffee", limit=20, include_content=True, read_top_n=10, include_toc=True)
        self.fits(payload)
        contents = [result for result in payload["results"] if "content" in result]
        self.assertTrue(contents)
        for result in payload["results"]:
            self.assertNotEqual("content" in result, "budget_exceeded" in result)
            self.assertTrue(self.text(result["read"]))

    def test_the_best_pages_are_read_each_once_and_what_follows_is_named(self) -> None:
        self.write("wiki/a.md", "# A\n" + "coffee\n" * 50 + "## Later\nend\n")
        self.write("wiki/b.md", "# B\ncoffee here\n")
        self.write("wiki/c.md", "# C\none coffee and many other words beside it, so that it comes last\n")
        payload = self.searched("coffee", read_top_n=2, per_page_limit=10, include_toc=True)
        first, second = payload["pages"]
        self.assertEqual((first["page"], first["lineStart"], first["lineEnd"], first["truncated"]), ("wiki/a.md", 1, 10, True))
        self.assertEqual(first["text"], "# A\n" + "coffee\n" * 9)
        self.assertEqual([heading["title"] for heading in first["toc"]], ["A", "Later"])
        self.assertEqual((second["page"], second["truncated"]), ("wiki/b.md", False))
        self.assertNotIn("toc", second)
        rest, following = payload["nextReads"]
        self.assertEqual(first["text"] + self.text(rest["read"]), open_page(self.vault, "wiki/a.md").text)
        self.assertEqual(following["read"]["page"], "wiki/c.md")
        self.assertEqual(read(self.context(), rest["read"])["start"], first["end"])

    def test_a_section_of_the_best_pages_is_read_by_a_part_of_its_heading(self) -> None:
        self.write("wiki/a.md", "# A\ncoffee coffee\n## How to Brew\nwater\n## Brewing gear\nkettle\n")
        self.write("wiki/b.md", "# B\ncoffee and some more words\n")
        payload = self.searched("coffee", read_top_n=2, section="BREW")
        first, second = payload["pages"]
        self.assertEqual((first["section"], first["text"]), ("#how-to-brew", "## How to Brew\nwater\n"))
        self.assertEqual(first["otherSections"], ["#brewing-gear"])
        self.assertEqual((second["section"], second["sectionFound"]), (None, False))
        self.assertEqual([heading["title"] for heading in second["toc"]], ["B"])
        (alone,) = self.searched("coffee", section="brewing")["pages"]
        self.assertEqual(alone["section"], "#brewing-gear")

    def test_a_heading_is_told_by_its_words_however_they_are_written(self) -> None:
        self.write("wiki/a.md", "# A\ncoffee\n## Gru\u0308\u00dfe  an alle\nhallo\n## C# and .NET\nsharp\n")
        for wanted, section in (
            ("Gr\u00fc\u00dfe an", "#gr\u00fc\u00dfe-an-alle"), ("## gr\u00fcsse an alle:", "#gr\u00fc\u00dfe-an-alle"), ("C#", "#c-and-net"), ("#c-and-net", "#c-and-net"), ("#C# and", "#c-and-net"),
        ):  # fmt: skip
            (page,) = self.searched("coffee", section=wanted)["pages"]
            self.assertEqual(page["section"], section, wanted)

    def test_a_page_that_does_not_fit_is_named_with_its_reference(self) -> None:
        self.write("wiki/a.md", "coffee " + "\u0001" * 20_000)
        payload = self.searched("coffee", read_top_n=1)
        self.fits(payload)
        (page,) = payload["pages"]
        self.assertTrue(page["budget_exceeded"])
        self.assertEqual(page["read"], payload["nextReads"][0]["read"])
        self.assertEqual(len(read(self.context(), page["read"])["text"]), 12_000)

    def test_nothing_is_read_when_nothing_is_found(self) -> None:
        self.write("wiki/a.md", "tea")
        payload = self.searched("coffee", read_top_n=3, include_content=True)
        self.assertEqual((payload["pages"], payload["nextReads"]), ([], []))


if __name__ == "__main__":
    unittest.main()
