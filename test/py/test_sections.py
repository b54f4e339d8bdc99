"""Sections: they are the page, nest, have names, and are found by what an agent would call them."""

from __future__ import annotations

import random
import time
import unicodedata
import unittest

from cases import load_cases
from random_pages import random_page
from wiki.errors import WikiError
from wiki.lines import Lines
from wiki.markdown import parse
from wiki.sections import Section, find_section, section_at, sections


def of(text: str) -> list[Section]:
    return sections(text, parse(text))


class Cases(unittest.TestCase):
    def test_selectors_breadcrumbs_and_lines(self) -> None:
        for case in load_cases("sections.txt"):
            with self.subTest(case.title, where=case.where):
                shown = [
                    f"{s.selector} | {s.breadcrumb} | {s.line_start}-{s.line_end}" for s in of(case.input)
                ]
                self.assertEqual("\n".join(shown), case.expected)

    def test_an_empty_page_has_none(self) -> None:
        self.assertEqual(of(""), [])

    def test_a_byte_order_mark_alone_is_no_text_before_the_heading(self) -> None:
        self.assertEqual([(s.selector, s.start, s.line_start) for s in of("\ufeff# H\n")], [("#h", 0, 1)])
        self.assertEqual([(s.selector, s.start) for s in of("\ufeff\n# H\n")], [("^lead", 0), ("#h", 2)])

    def test_a_title_as_long_as_a_page_is_shortened_where_it_is_shown(self) -> None:
        text = "# " + "long " * 40_000 + "\n" + "## b\n" * 1000
        found = of(text)
        self.assertLess(max(len(s.breadcrumb) for s in found), 500)
        self.assertLess(max(len(s.selector) for s in found), 70)
        self.assertEqual(find_section(found, found[0].title), found[0])


class Properties(unittest.TestCase):
    def test_on_any_page(self) -> None:
        chance = random.Random(5)
        for _ in range(2000):
            text = random_page(chance, pieces=60)
            found = of(text)
            lines = Lines(text)
            with self.subTest(ascii(text)):
                self.assertEqual("".join(text[s.start : s.own_end] for s in found), text)
                self.assertEqual(len({s.selector for s in found}), len(found))
                open_ends: list[int] = []
                for section in found:
                    while open_ends and open_ends[-1] <= section.start:
                        open_ends.pop()
                    self.assertLessEqual(section.end, open_ends[-1] if open_ends else len(text))
                    open_ends.append(section.end)
                    self.assertLessEqual(section.own_end, section.end)
                    self.assertEqual(
                        (section.line_start, section.line_end), lines.of(section.start, section.end)
                    )
                    self.assertEqual(find_section(found, section.selector), section)
                    self.assertEqual(section_at(found, section.start), section)
                    self.assertEqual(section_at(found, section.own_end - 1), section)


class Finding(unittest.TestCase):
    PAGE = (
        "lead\n# 2024\n## Notes\na\n# 2025\n## Notes\nb\n### 1.3.  Scope and limits\n"
        "# Größe Ü\n# A > B\n# C\n# C++\n"
    )

    def found(self, wanted: str, page: str = PAGE) -> str:
        return find_section(of(page), wanted).selector

    def failure(self, wanted: str, page: str = PAGE) -> WikiError:
        with self.assertRaises(WikiError) as caught:
            find_section(of(page), wanted)
        self.assertLessEqual(len(caught.exception.message), 500)
        return caught.exception

    def test_by_its_selector(self) -> None:
        self.assertEqual(
            [self.found(s) for s in ("^lead", "#notes", "#notes~2")], ["^lead", "#notes", "#notes~2"]
        )

    def test_by_its_heading_whatever_the_case_spaces_and_punctuation_at_the_end(self) -> None:
        for wanted in (
            "1.3. scope and limits",
            " 1.3.  SCOPE  and limits: ",
            "### 1.3. Scope and limits",
            "1.3. Scope and limits。",
        ):
            with self.subTest(wanted):
                self.assertEqual(self.found(wanted), "#1-3-scope-and-limits")

    def test_by_its_heading_in_either_unicode_form(self) -> None:
        self.assertEqual(self.found(unicodedata.normalize("NFD", "größe ü")), "#größe-ü")

    def test_by_its_breadcrumb_or_the_end_of_it(self) -> None:
        self.assertEqual(self.found("2025 > Notes"), "#notes~2")
        self.assertEqual(self.found("2024>notes"), "#notes")
        self.assertEqual(self.found("Notes > 1.3. Scope and limits"), "#1-3-scope-and-limits")

    def test_a_heading_with_a_breadcrumbs_mark_in_it(self) -> None:
        self.assertEqual(self.found("A > B"), "#a-b")

    def test_punctuation_that_is_part_of_a_name_counts(self) -> None:
        self.assertEqual((self.found("C"), self.found("c++")), ("#c", "#c~2"))

    def test_the_whole_breadcrumb_goes_before_the_end_of_another(self) -> None:
        self.assertEqual(self.found("A > B", "# X\n## A\n### B\n# A\n## B\n"), "#b~2")

    def test_a_heading_that_stands_twice_is_refused_with_those_that_fit(self) -> None:
        error = self.failure("Notes")
        self.assertEqual(error.code, "section-ambiguous")
        expected = [
            {"section": "#notes", "breadcrumb": "2024 > Notes", "line": 3},
            {"section": "#notes~2", "breadcrumb": "2025 > Notes", "line": 6},
        ]
        self.assertEqual((error.payload or {})["sections"], expected)
        self.assertEqual(self.failure("notes").code, "section-ambiguous")

    def test_an_unknown_one_is_refused_with_the_nearest(self) -> None:
        for wanted, nearest in (
            ("Nots", "#notes"),
            ("scope", "#1-3-scope-and-limits"),
            ("2025 > scope and limit", "#1-3-scope-and-limits"),
        ):
            with self.subTest(wanted):
                error = self.failure(wanted)
                self.assertEqual(error.code, "section-not-found")
                self.assertEqual((error.payload or {})["sections"][0]["section"], nearest)
        for wanted in ("zzzzzz", "...", "#nothing", "> >"):
            self.assertEqual(self.failure(wanted).payload, {"sections": []}, wanted)

    def test_the_lists_are_short_and_quick_however_many_sections_there_are(self) -> None:
        page = "## Notes\n" * 20_000 + "".join(f"## Part {i}\n" for i in range(5_000))
        found = of(page)
        started = time.perf_counter()
        for wanted, most in (("notes", 20), ("x" * 2000, 5), ("Prat 77", 5)):
            with self.assertRaises(WikiError) as caught:
                find_section(found, wanted)
            self.assertLessEqual(len((caught.exception.payload or {})["sections"]), most)
        self.assertLess(time.perf_counter() - started, 10)
