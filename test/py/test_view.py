"""The view ``current``: what is marked as no longer in force is left out, and nothing disappears unseen."""

from __future__ import annotations

import random
import unittest
from typing import Any

from cases import load_cases
from linear import grows_linearly
from random_pages import random_page
from test_read import ReadCase
from wiki.markdown import parse
from wiki.sections import sections
from wiki.view import PIECES_MAX, WORDS, elisions, window


def shown(text: str, status: str | None = None) -> str:
    structure = parse(text)
    part = window(
        text, elisions(text, structure, sections(text, structure), status), 0, len(text), len(text) + 1
    )
    kept = "".join(text[a:b] for a, b in part.segments)
    lines = [kept, *(f"{text[e.start : e.end]} | {e.reason}" for e in part.elided)]
    return "\n".join(line.replace("\n", "⏎") for line in lines)


class Marks(unittest.TestCase):
    def test_cases(self) -> None:
        for case in load_cases("current.txt"):
            with self.subTest(case.title, where=case.where):
                self.assertEqual(shown(case.input), case.expected)

    def test_every_word_counts_in_a_heading_a_callout_and_a_status(self) -> None:
        for word in WORDS:
            with self.subTest(word):
                self.assertEqual(shown(f"# A ({word.title()})\n").split("\n")[0], "")
                self.assertEqual(shown(f"> [!{word}]\n").split("\n")[0], "")
                self.assertEqual(shown("a\n", word).split("\n")[0], "")

    def test_a_page_that_is_no_longer_in_force_keeps_its_frontmatter(self) -> None:
        text = "---\nstatus: Superseded\nby: b\n---\n# A\nx\n"
        expected = "---⏎status: Superseded⏎by: b⏎---⏎\n# A⏎x⏎ | page status: superseded"
        self.assertEqual(shown(text, "Superseded"), expected)
        self.assertEqual(shown(text, "final"), text.replace("\n", "⏎"))


class Current(ReadCase):
    def check(self, parts: list[dict[str, Any]], text: str) -> None:
        """Segments are the text with its source; with what is left out they are the whole selection."""
        selection = parts[0]["selection"]
        at = selection["start"]
        for part in parts:
            self.assertEqual(part["start"], at)
            pieces = [(s["start"], s["end"]) for s in part["segments"]] + [
                (e["start"], e["end"]) for e in part["elided"]
            ]
            for start, end in sorted(pieces):
                self.assertEqual(start, at)
                self.assertGreater(end, start)
                at = end
            self.assertEqual(part["end"], at)
            kept = 0
            for segment in part["segments"]:
                self.assertEqual(segment["textStart"], kept)
                kept = segment["textEnd"]
                self.assertEqual(
                    part["text"][segment["textStart"] : kept], text[segment["start"] : segment["end"]]
                )
            self.assertEqual(kept, len(part["text"]))
            self.assertTrue(all(e["reason"] for e in part["elided"]))
        self.assertEqual(at, selection["end"])

    def test_segments_and_what_is_left_out_are_the_selection_on_any_page(self) -> None:
        chance = random.Random(11)
        for _ in range(25):
            text = self.write_page(random_page(chance, pieces=50))
            for most in (1, 5, 12_000):
                parts = self.all_of(start=0, end=len(text), view="current", maxChars=most)
                self.check(parts, text)
                self.assertLessEqual(max(len(part["text"]) for part in parts), max(most, 2))
            joined = "".join(
                part["text"] for part in self.all_of(start=0, end=len(text), view="current", maxChars=3)
            )
            self.assertEqual(joined, self.read(start=0, end=len(text), view="current")["text"])

    def test_a_line_end_that_fills_more_than_the_room_before_what_is_left_out(self) -> None:
        text = self.write_page("\r\n%%a%%b")
        self.check(self.all_of(start=0, end=len(text), view="current", maxChars=1), text)

    def test_raw_leaves_nothing_out(self) -> None:
        text = self.write_page("~~a~~ %%b%%\n")
        self.assertEqual(self.read(start=0, end=len(text))["text"], text)

    def test_a_selection_may_begin_and_end_inside_what_is_left_out(self) -> None:
        self.write_page("a ~~bcd~~ e\n")
        answer = self.read(start=4, end=6, view="current")
        self.assertEqual(
            (answer["text"], answer["elided"]), ("", [{"start": 4, "end": 6, "reason": "struck"}])
        )
        self.assertEqual((answer["segments"], answer["truncated"]), ([], False))

    def test_a_part_of_nothing_but_what_is_left_out_goes_on(self) -> None:
        text = self.write_page("%%a%%" * (3 * PIECES_MAX))
        parts = self.all_of(start=0, end=len(text), view="current")
        self.assertEqual([(part["text"], len(part["elided"])) for part in parts], [("", PIECES_MAX)] * 3)
        self.check(parts, text)

    def test_what_is_left_out_costs_no_room(self) -> None:
        text = self.write_page("%% " + "x" * 50_000 + " %%\n" + "word " * 100)
        answer = self.read(start=0, end=len(text), view="current", maxChars=500)
        self.assertEqual((answer["text"], answer["truncated"]), ("word " * 100, False))

    def test_the_frontmatters_status_is_asked_for(self) -> None:
        text = self.write_page("---\nstatus: obsolete\n---\nx\n")
        self.surroundings.values = {"status": "obsolete"}
        answer = self.read(start=0, end=len(text), view="current")
        self.assertEqual(answer["elided"], [{"start": 25, "end": 27, "reason": "page status: obsolete"}])
        self.assertEqual(self.read(start=0, end=len(text))["text"], text)

    def test_windows_line_ends_stay_whole(self) -> None:
        text = self.write_page("a\r\n~~b~~\r\nc\r\n")
        answer = self.read(start=0, end=len(text), view="current")
        self.assertEqual((answer["text"], answer["elided"][0]["end"]), ("a\r\nc\r\n", 10))


class Time(unittest.TestCase):
    def test_no_text_takes_more_than_linear_time(self) -> None:
        for piece in (
            "~~a ",
            "<del><s>",
            "<!-- ",
            "`" * 3 + "`",
            "[[a ",
            "%%",
            "> ",
            "(superseded",
            "# (superseded)\n",
            "~~a~~ ",
        ):
            with self.subTest(piece):
                self.assertTrue(grows_linearly(lambda size: _look(piece * size), 1_500))


def _look(text: str) -> None:
    structure = parse(text)
    elisions(text, structure, sections(text, structure), None)
