"""Obsidian's "Excluded files": understood as Obsidian does, within bounds, and never fatal."""

from __future__ import annotations

import json
import tempfile
import time
import unittest
from pathlib import Path

from wiki.context import Vault
from wiki.excluded import Excluded
from wiki.patterns import compile_pattern


def excluded(settings: object) -> Excluded:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, ".obsidian").mkdir()
        text = settings if isinstance(settings, str) else json.dumps(settings)
        Path(folder, ".obsidian", "app.json").write_text(text, "utf-8")
        return Excluded.load(Vault(folder, folder))


def by(*filters: object) -> Excluded:
    return excluded({"userIgnoreFilters": list(filters)})


class Filters(unittest.TestCase):
    def test_a_plain_filter_is_the_beginning_of_a_path(self) -> None:
        filters = by("Templates/", "wiki/Old")
        self.assertIsNone(filters.error)
        self.assertTrue(filters.matches("Templates/x.md"))
        self.assertTrue(filters.matches("wiki/Older/x.md"))
        self.assertFalse(filters.matches("wiki/Templates/x.md"))

    def test_a_filter_between_slashes_is_a_pattern_found_anywhere(self) -> None:
        filters = by("/\\.bak/", "/^wiki\\/\\d{4}-\\d{2}\\//")
        self.assertIsNone(filters.error)
        self.assertTrue(filters.matches("wiki/a.bak.md"))
        self.assertTrue(filters.matches("wiki/2026-05/x.md"))
        self.assertFalse(filters.matches("wiki/abak.md"))
        self.assertFalse(filters.matches("old/wiki/2026-05/x.md"))

    def test_composed_and_decomposed_are_one(self) -> None:
        for filter in ("wiki/Gr\u00fc\u00dfe/", "wiki/Gru\u0308\u00dfe/", "/gr\u00fc\u00dfe/", "/gru\u0308\u00dfe/"):
            for path in ("wiki/Gr\u00fc\u00dfe/a.md", "wiki/Gru\u0308\u00dfe/a.md"):
                self.assertTrue(by(filter).matches(path), (filter, path))

    def test_case_makes_no_difference(self) -> None:
        self.assertTrue(by("TEMPLATES/").matches("templates/x.md"))
        self.assertTrue(by("/DRAFT/").matches("wiki/draft.md"))

    def test_a_page_that_no_filter_names_stays(self) -> None:
        self.assertFalse(by("Templates/", "/\\.bak/").matches("wiki/a.md"))

    def test_without_settings_nothing_is_excluded_and_nothing_is_wrong(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            filters = Excluded.load(Vault(folder, folder))
        self.assertFalse(filters)
        self.assertIsNone(filters.error)

    def test_settings_without_filters_exclude_nothing(self) -> None:
        for settings in ({}, {"userIgnoreFilters": None}, {"userIgnoreFilters": []}, []):
            filters = excluded(settings)
            self.assertFalse(filters)
            self.assertIsNone(filters.error)

    def test_settings_cut_in_half_are_reported_and_exclude_nothing(self) -> None:
        filters = excluded('{"userIgnoreFilters":["Templates/","/\\\\.ba')
        self.assertFalse(filters.matches("Templates/x.md"))
        self.assertRegex(filters.error, r"^\.obsidian/app\.json is not honoured.* Not JSON.*\.$")

    def test_filters_of_the_wrong_kind_are_reported(self) -> None:
        self.assertIn("not a list", excluded({"userIgnoreFilters": "Templates/"}).error)

    def test_one_bad_filter_does_not_hide_the_good_ones(self) -> None:
        filters = by(5, "/(a/", "Templates/")
        self.assertTrue(filters.matches("Templates/x.md"))
        self.assertIn("honoured in part", filters.error)
        self.assertIn("/(a/", filters.error)

    def test_settings_nested_too_deep_are_reported(self) -> None:
        self.assertIn("nested", excluded('{"a":' + "[" * 200 + "]" * 200 + "}").error)


class Patterns(unittest.TestCase):
    def test_patterns_mean_what_javascript_means(self) -> None:
        for source, text, found in (
            (r"\d", "٣", False),
            (r"\d", "3", True),
            (r"[\w-]+\.md$", "a-b.md", True),
            (r"^a.md$", "a.md\n", False),
            (r"(?<year>\d{4})", "2026", True),
            (r"(?:^|\/)_", "wiki/_x.md", True),
            (r"[[]x", "[x", True),
            (r"[a&&b]", "&", True),
            (r"a{", "a{", True),
            (r"é", "wiki/É.md", True),
            (r"\u00e9", "é", True),
            (r"(?!wiki)foo", "foo", True),
            (r"\/old\/", "wiki/old/x.md", True),
            (r"\-\.\#", "-.#", True),
            (r"[^\d]x", "1x", False),
            (r".*?\.tmp\.md", "wiki/a.tmp.md", True),
            (r"^(Templates|Archive|old)\/", "Archive/x.md", True),
        ):
            self.assertEqual(bool(compile_pattern(source).regex.search(text)), found, source)

    def test_patterns_that_could_take_for_ever_are_refused(self) -> None:
        for source in (
            "(a+)+$",
            "(a|aa)+$",
            "(a*)*",
            "((a?)b){9}",
            "(a?){20}a",
            ".*.*.*.*x",
            "a?" * 7,
            "(a|aa)" * 7,
            "(.)\\1",
            "x{1000}",
            "a" * 201,
            "(?i:a)",
            "a**",
            "a++",
        ):
            with self.assertRaises(ValueError, msg=source):
                compile_pattern(source)

    def test_what_is_no_pattern_is_refused_with_a_reason(self) -> None:
        for source in ("(", ")", "[a", "a\\", "\\p{L}", "*a", "[]", "[z-a]", "(?<=a*)b", "(?x"):
            with self.assertRaisesRegex(ValueError, r"^(is|has|uses|repeats|closes) ", msg=source):
                compile_pattern(source)

    def test_the_worst_allowed_pattern_ends_soon_on_its_longest_text(self) -> None:
        for source in (".*.*.*x", "a*a*a*b", "a*a*(a|a)(a|a)(a|a)a?b", "(a|a|a|a|a|a|a|a)(a|a|a|a|a|a|a|a)b"):
            pattern = compile_pattern(source)
            started = time.perf_counter()
            self.assertIsNone(pattern.regex.search("a" * min(pattern.longest, 4_000)))
            self.assertLess(time.perf_counter() - started, 10, source)

    def test_a_path_too_long_for_a_pattern_stays_and_is_reported(self) -> None:
        filters = by("/.*.*.*zzz/")
        self.assertFalse(filters.matches("a" * 4_000))
        self.assertIn("too long", filters.error)


if __name__ == "__main__":
    unittest.main()
