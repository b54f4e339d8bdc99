"""How far an answer can be trusted, and when not to answer."""

from __future__ import annotations

import dataclasses
import unittest
from typing import Any

from searching import Searching
from wiki.evidence import Best, Doubts, evidence, sources_named

GOOD = Best(share=1.0, level=1.5, margin=2.0, exact=None, meaning=None, status=None, sources=0)


def judged(*, doubts: Doubts | None = None, **changes: Any) -> tuple[str, bool]:
    found = evidence(dataclasses.replace(GOOD, **changes), doubts or Doubts())
    return found["confidence"], found["abstain"]


class Rules(unittest.TestCase):
    def test_a_page_with_all_that_was_asked_is_strong(self) -> None:
        self.assertEqual(judged(), ("strong", False))
        self.assertEqual(judged(share=0.2, level=0.1, exact="title"), ("strong", False))

    def test_a_part_of_what_was_asked_is_weak(self) -> None:
        self.assertEqual(judged(share=0.7), ("weak", False))
        self.assertEqual(judged(level=0.4), ("weak", False))

    def test_little_of_it_means_not_to_answer(self) -> None:
        self.assertEqual(judged(share=0.3), ("weak", True))
        self.assertEqual(judged(share=0.1), ("absent", True))
        self.assertEqual(evidence(None, Doubts())["confidence"], "absent")
        self.assertTrue(evidence(None, Doubts())["abstain"])

    def test_nearness_in_meaning_is_weak_evidence_by_itself(self) -> None:
        self.assertEqual(judged(share=0.0, level=0.0, meaning=0.7), ("weak", False))
        self.assertEqual(judged(share=0.0, level=0.0, meaning=0.5), ("absent", True))

    def test_what_speaks_against_it_makes_it_weak(self) -> None:
        for status in ("draft", "Deprecated", "archived", "superseded"):
            self.assertEqual(judged(status=status), ("weak", False), status)
        self.assertEqual(judged(status="published"), ("strong", False))
        self.assertEqual(judged(doubts=Doubts(stale=True)), ("weak", False))
        self.assertEqual(judged(doubts=Doubts(unseen=1)), ("weak", False))

    def test_each_reason_is_given(self) -> None:
        best = dataclasses.replace(GOOD, status="draft", sources=2, meaning=0.75, exact="title")
        reasons = evidence(best, Doubts(missing=("saffron",), stale=True, unseen=3))["reasons"]
        for part in ("exactly the title", "100 %", "150 %", "2.00 times", "0.75", '"draft"', "2 sources", '"saffron"', "older", "3 left out"):
            self.assertTrue(any(part in reason for reason in reasons), part)
        self.assertEqual(evidence(None, Doubts(navigation=True))["reasons"], ["Nothing was ranked."])

    def test_sources_are_counted_whatever_the_key_is_called(self) -> None:
        self.assertEqual(sources_named({"Sources": ["a", "b"], "url": "c", "reference": "", "title": "d"}), 3)


class Answers(Searching):
    def test_an_answer_carries_its_evidence(self) -> None:
        self.write("wiki/a.md", "---\nstatus: draft\nsources: [one, two]\n---\n# Espresso\nGrind, water and pressure.")
        for at in range(8):
            self.write(f"wiki/{at}.md", f"Other things, the {at}th of them, at some length. Water here too.")
        strong = self.searched("coffee grind pressure water")["evidence"]
        self.assertEqual(strong["confidence"], "weak")  # "coffee" is on no page and the page is a draft
        self.assertTrue(any("draft" in reason for reason in strong["reasons"]))
        self.assertTrue(any("2 sources" in reason for reason in strong["reasons"]))
        self.write("wiki/a.md", "# Espresso\nGrind, water and pressure.")
        self.assertEqual(self.searched("grind pressure")["evidence"]["confidence"], "strong")
        self.assertEqual(self.searched("espresso")["evidence"]["reasons"][0], "The best page has exactly the title asked for.")
        lost = self.searched("water quantum chromodynamics lattice gauge")["evidence"]
        self.assertTrue(lost["abstain"])

    def test_a_page_that_nobody_wrote_is_nothing_to_answer_from(self) -> None:
        for name, text in (("Espresso", ""), ("Grinder", " \n\n"), ("Kettle", "# Kettle\n\n## Use\n")):
            self.write(f"wiki/{name}.md", text)
        self.write("wiki/Scale.md", "---\nweight: 300 g\n---\n")
        self.write("wiki/Filter.md", "# Filter\npaper\n## Use\n")
        for title in ("Espresso", "Grinder", "Kettle"):
            found = self.searched(title)["evidence"]
            self.assertEqual((found["confidence"], found["abstain"]), ("weak", True), title)
            self.assertIn("There is no text in it to answer from.", found["reasons"])
        for title in ("Scale", "Filter"):
            self.assertEqual(self.searched(title)["evidence"]["confidence"], "strong", title)

    def test_a_stale_index_file_weakens_an_answer_only_where_it_is_ranked(self) -> None:
        self.write("wiki/a.md", "grind pressure")
        self.write("wiki/b.md", "other words of no meaning")
        self.build()
        self.write("wiki/b.md", "changed")
        self.assertEqual(self.searched("grind pressure")["evidence"]["confidence"], "strong")


if __name__ == "__main__":
    unittest.main()
