"""Headings: found as CommonMark and Obsidian find them, at their places in the text, in linear time."""

from __future__ import annotations

import random
import unittest

from cases import load_cases
from linear import grows_linearly
from random_pages import random_page
from wiki.blocks import find_headings, parse_blocks
from wiki.markdown import parse


def shown(text: str) -> str:
    return "\n".join(f"{h.level} | {h.title} | line {h.line}" for h in parse(text).headings)


class Cases(unittest.TestCase):
    def check(self, name: str) -> None:
        for case in load_cases(name):
            with self.subTest(case.title, where=case.where):
                self.assertEqual(shown(case.input), case.expected)

    def test_lines_that_are_headings(self) -> None:
        self.check("headings.txt")

    def test_lines_that_code_html_and_comments_hide(self) -> None:
        self.check("hidden.txt")

    def test_lines_in_quotes_and_lists(self) -> None:
        self.check("containers.txt")


class Positions(unittest.TestCase):
    def test_a_heading_spans_its_lines_without_the_last_line_end(self) -> None:
        text = "é\r\n## B ##\r\nTwo\r\nlines\r\n---\r\nx"
        spans = [text[heading.start : heading.end] for heading in parse(text).headings]
        self.assertEqual(spans, ["## B ##", "Two\r\nlines\r\n---"])

    def test_a_byte_order_mark_counts_as_one_character_and_hides_nothing(self) -> None:
        (heading,) = parse("\ufeff# H\n").headings
        self.assertEqual((heading.start, heading.end, heading.line, heading.title), (1, 4, 1, "H"))

    def test_only_three_line_ends_end_a_line(self) -> None:
        (heading,) = parse("a\u2028b\x0cc\x85d\n## H\n").headings
        self.assertEqual(heading.line, 2)

    def test_white_space_of_unicode_is_text(self) -> None:
        self.assertEqual(shown("#\u00a0no\n\u3000# no\n# \u00a0a\u3000\n"), "1 | \u00a0a\u3000 | line 3")


class Hidden(unittest.TestCase):
    def test_what_is_hidden_is_told_with_its_span_and_kind(self) -> None:
        text = "a\n```x\n# b\n```\n\n    code\n\n<div>\nc\n\n%%\nd\n%% e\n"
        hidden = [(text[start:end], kind) for start, end, kind in parse(text).hidden]
        expected = [
            ("```x\n# b\n```", "fence"),
            ("code", "code"),
            ("<div>\nc", "html"),
            ("%%\nd\n%%", "comment"),
        ]
        self.assertEqual(hidden, expected)

    def test_running_text_and_quotes_are_told_with_their_spans(self) -> None:
        text = "# a\nb\nc\n\n> d\n> > e\nf\n\n- g\n"
        blocks = parse(text).blocks
        self.assertEqual([text[a:b] for a, b in blocks.texts], ["# a"[2:], "b\nc", "d", "e\nf", "g"])
        self.assertEqual([text[a:b] for a, b in blocks.quotes], ["> d\n> > e\nf", "> e\nf"])


class BothWays(unittest.TestCase):
    def test_the_quick_way_finds_the_headings_that_reading_everything_finds(self) -> None:
        chance = random.Random(20260517)
        for _ in range(3000):
            text = random_page(chance)
            start = parse(text).body
            self.assertEqual(find_headings(text, start), parse_blocks(text, start).headings, ascii(text))


class Time(unittest.TestCase):
    """Twice the text takes about twice the time; a step more of it would take four times and more."""

    def test_no_text_takes_more_than_linear_time(self) -> None:
        for build in (
            lambda n: "- " * n + "x" + "\n" * n,
            lambda n: ">" * n + "x\n" + ">" * n,
            lambda n: "* " * n + "x",
            lambda n: "a\n===\n" * n,
            lambda n: "[a]: b 'c\n" * n + "===",
            lambda n: "<a " * n + "<b c=d" * n,
            lambda n: "%%\n" * n,
            lambda n: "- " * (n // 100) + "x\n" + "y\n" * n + "\n \n" * n,
            lambda n: "# " + "# " * n + "x",
            lambda n: " " * n + "\n" + "-\n" * n,
        ):
            with self.subTest(text=build(3)):
                self.assertTrue(grows_linearly(lambda size: _read(build(size)), 2_000))


def _read(text: str) -> None:
    structure = parse(text)
    _ = structure.headings, structure.hidden
