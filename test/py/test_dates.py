"""Queries with an ISO date: which pages come first, and with which section."""

from __future__ import annotations

import unittest

from searching import Searching
from wiki.dates import dated, words


class Dates(unittest.TestCase):
    def test_iso_dates_of_days_and_months_are_found_in_a_query(self) -> None:
        for query, dates in {
            "coffee 2026-05-17": ("2026-05-17",),
            "2026-05 review": ("2026-05",),
            "standup-2026-05-17": ("2026-05-17",),
            "from 2026-05-01 to 2026-05-31": ("2026-05-01", "2026-05-31"),
            "2026-13": None,
            "2026-05-32": None,
            "12026-05": None,
            "2026-05-171": None,
            "2026": None,
            "17.05.2026": None,
        }.items():
            found = dated(query)
            self.assertEqual(found.dates if found else None, dates, query)

    def test_the_rest_of_a_query_is_what_its_dates_leave(self) -> None:
        self.assertEqual(dated("Coffee-Brewing 2026-05 notes").words, ["coffee", "brewing", "notes"])
        self.assertEqual(words("咖啡 notes"), ["咖", "啡", "notes"])


class DatedPages(Searching):
    def found(self, query: str, **args: object) -> list[tuple[str, str]]:
        return [(result["path"].removeprefix("wiki/"), result["match"]) for result in self.searched(query, **args)["results"]]

    def test_pages_named_by_topic_and_date_come_first_the_most_specific_only(self) -> None:
        self.write("wiki/coffee-2026-05-17.md", "nothing of the kind")
        self.write("wiki/coffee-brewing-2026-05-17.md", "nothing of the kind")
        self.write("wiki/tea-2026-05-17.md", "coffee brewing")
        self.write("wiki/text.md", "coffee brewing 2026-05-17 " * 5)
        found = self.found("coffee brewing 2026-05-17")
        self.assertEqual(found[0], ("coffee-brewing-2026-05-17.md", "exact-date"))
        self.assertEqual([match for _, match in found[1:]], ["bm25"] * (len(found) - 1))
        self.assertEqual(self.found("coffee 2026-05-17 brewing")[0], ("coffee-brewing-2026-05-17.md", "exact-date"))
        self.assertEqual(self.found("coffee 2026-05-17")[0], ("coffee-2026-05-17.md", "exact-date"))

    def test_a_month_is_a_date(self) -> None:
        self.write("wiki/review-2026-05.md", "x")
        self.write("wiki/review-2026-05-17.md", "x")
        self.assertEqual(self.found("review 2026-05")[0], ("review-2026-05.md", "exact-date"))

    def test_names_in_any_script_and_folder(self) -> None:
        self.write("wiki/日记/咖啡 2026-05-17.md", "x")
        self.assertEqual(self.found("咖啡 2026-05-17")[0], ("日记/咖啡 2026-05-17.md", "exact-date"))

    def test_a_day_alone_finds_the_page_of_the_day(self) -> None:
        self.write("wiki/daily/2026-05-17.md", "woke up")
        self.assertEqual(self.found("2026-05-17"), [("daily/2026-05-17.md", "exact-date")])
        self.assertEqual(self.found("sleep 2026-05-17"), [])

    def test_titled_pages_with_a_dated_section_come_next_and_show_it(self) -> None:
        log = "# Coffee log\nbegun 2026\n## 2026-05-16\nkettle broke\n## 2026-05-17 Sunday\nnew kettle, good grind\n## Later\nmore"
        self.write("wiki/log of coffee.md", log)
        self.write("wiki/coffee log-2026-05-17.md", "x")
        (exact, section, *_) = self.searched("coffee log 2026-05-17 kettle")["results"]
        self.assertEqual((exact["path"], exact["match"]), ("wiki/coffee log-2026-05-17.md", "exact-date"))
        self.assertEqual((section["match"], section["section"]), ("canonical-date-section", "#2026-05-17-sunday"))
        self.assertIn("new kettle", section["excerpt"])
        self.assertEqual(section["lineStart"], 5)

    def test_a_dated_section_must_share_a_remaining_word(self) -> None:
        self.write("wiki/a.md", "# Coffee\n## 2026-05-17\nkettle\n")
        self.assertEqual(self.found("coffee 2026-05-17 kettle")[0][1], "canonical-date-section")
        self.assertEqual(self.found("coffee 2026-05-17")[0][1], "canonical-date-section")
        self.assertEqual(self.found("coffee 2026-05")[0][1], "canonical-date-section")
        self.assertEqual(self.found("coffee 2026-05-17 grinder")[0][1], "bm25")
        self.assertEqual(self.found("coffee 2026-05-18 kettle")[0][1], "bm25")

    def test_a_dated_title_of_the_page_itself_is_no_section(self) -> None:
        self.write("wiki/a.md", "---\ntitle: Coffee\n---\n# 2026-05-17\nkettle\n")
        self.assertEqual(self.found("coffee 2026-05-17 kettle")[0][1], "bm25")

    def test_dates_stay_with_words_where_meaning_is_asked_for(self) -> None:
        self.write("wiki/coffee-2026-05-17.md", "x")
        payload = self.searched("coffee 2026-05-17", hybrid=True)
        self.assertEqual((payload["fallback"], payload.get("semanticError")), ("bm25", None))
        self.assertIn("ranked by words alone", payload["reason"])

    def test_limits_and_filters_hold_for_dated_pages(self) -> None:
        self.write("wiki/coffee-2026-05-17.md", "---\ntype: log\n---\nx")
        self.write("wiki/a.md", "coffee 2026-05-17")
        self.assertEqual(self.found("coffee 2026-05-17", limit=1), [("coffee-2026-05-17.md", "exact-date")])
        self.assertEqual(self.found("coffee 2026-05-17", type="LOG"), [("coffee-2026-05-17.md", "exact-date")])
        self.assertEqual(self.found("coffee 2026-05-17", type="other"), [])


if __name__ == "__main__":
    unittest.main()
