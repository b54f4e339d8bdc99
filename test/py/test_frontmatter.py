"""Frontmatter: found whatever marks and line ends a page has, and useful whatever state its YAML is in."""

from __future__ import annotations

import json
import unittest
from typing import Any

from reading import StandIn
from wiki.frontmatter import Frontmatter, read_frontmatter
from wiki.inlinetags import inline_tags
from wiki.limits import FRONTMATTER_MAX_CHARS
from wiki.markdown import parse

NOT_YAML = ValueError("line 1: Nested mappings are not allowed")


def head(text: str, values: dict[str, Any] | Exception) -> Frontmatter:
    return read_frontmatter(parse(text), StandIn(values))  # type: ignore[arg-type]


def broken(text: str) -> Frontmatter:
    return head(f"---\n{text}\n---\nbody\n", NOT_YAML)


class Block(unittest.TestCase):
    def block(self, text: str) -> tuple[str, str] | None:
        structure = parse(text)
        span = structure.frontmatter
        return (text[span.start : span.end], structure.frontmatter_text) if span else None

    def test_it_stands_between_two_lines_of_three_hyphens_at_the_top(self) -> None:
        self.assertEqual(self.block("---\na: b\n---\nx"), ("---\na: b\n---\n", "a: b\n"))
        self.assertEqual(self.block("---\n---\n"), ("---\n---\n", ""))
        self.assertEqual(self.block("---  \na: b\n---\t"), ("---  \na: b\n---\t", "a: b\n"))

    def test_a_byte_order_mark_does_not_hide_it(self) -> None:
        text = "\ufeff---\ntitle: T\n---\n# H\n"
        self.assertEqual(self.block(text), ("\ufeff---\ntitle: T\n---\n", "title: T\n"))
        (heading,) = parse(text).headings
        self.assertEqual((heading.title, heading.line), ("H", 4))
        self.assertEqual(head(text, {"title": "T"}).title, "T")

    def test_windows_line_ends_are_line_ends(self) -> None:
        text = "---\r\ntitle: T\r\ntags: [a, b]\r\n---\r\n## H\r\ntext\r\n"
        self.assertEqual(self.block(text), (text[: text.index("##")], "title: T\r\ntags: [a, b]\r\n"))
        found = head(text, NOT_YAML)
        self.assertEqual((found.title, found.tags), ("T", ("a", "b")))
        self.assertEqual([heading.title for heading in parse(text).headings], ["H"])

    def test_without_a_second_line_of_hyphens_there_is_none(self) -> None:
        for text in (
            "---\ntext\n",
            "---",
            " ---\na: b\n---\n",
            "\n---\na: b\n---\n",
            "----\na: b\n---\n",
            "---\n ---\n",
        ):
            with self.subTest(text):
                self.assertIsNone(self.block(text))

    def test_its_lines_are_no_headings(self) -> None:
        self.assertEqual(parse("---\n# no\na: b\n---\n").headings, [])


class Values(unittest.TestCase):
    def test_values_come_as_yaml_gives_them(self) -> None:
        values = {
            "title": "🌱 Garden",
            "type": "note",
            "description": "two\n lines",
            "status": "draft",
            "タグ": ["日本語"],
        }
        found = head("---\ntitle: x\n---\n", values)
        self.assertEqual((found.title, found.type, found.description), ("🌱 Garden", "note", "two lines"))
        self.assertEqual((found.status, found.fields, found.error), ("draft", values, None))

    def test_tags_may_be_a_list_or_one_text_with_or_without_marks(self) -> None:
        for value in (["kubernetes", "#b/c"], "kubernetes, #b/c", "#kubernetes b/c", [["kubernetes"], "b/c"]):
            with self.subTest(str(value)):
                self.assertEqual(head("---\ntags: x\n---\n", {"tags": value}).tags, ("kubernetes", "b/c"))

    def test_aliases_may_be_a_list_or_one_text_under_either_name(self) -> None:
        for values in (
            {"aliases": ["K8s"]},
            {"aliases": "K8s"},
            {"alias": "K8s"},
            {"Aliases": ["K8s", "K8s", ""]},
        ):
            with self.subTest(str(values)):
                self.assertEqual(head("---\naliases: x\n---\n", values).aliases, ("K8s",))

    def test_empty_values_do_no_harm(self) -> None:
        for value in ("", "null", "~", [], {}, [{}], None):
            with self.subTest(str(value)):
                found = head(
                    "---\naliases:\n---\n", {key: value for key in ("aliases", "tags", "title", "type")}
                )
                self.assertEqual((found.aliases, found.tags, found.title, found.type), ((), (), None, None))

    def test_a_title_that_yaml_takes_for_a_list_is_the_text_of_its_line(self) -> None:
        self.assertEqual(head("---\ntitle: [[x]]\n---\n", {"title": [["x"]]}).title, "[[x]]")

    def test_a_title_that_looks_like_a_date_or_a_number_is_text(self) -> None:
        self.assertEqual(head("---\ntitle: 2024-01-01\n---\n", {"title": "2024-01-01"}).title, "2024-01-01")


class OddYaml(unittest.TestCase):
    def test_a_colon_in_the_title(self) -> None:
        found = broken("title: Part 2: The end")
        self.assertEqual(found.title, "Part 2: The end")

    def test_the_fault_is_told_with_its_line_of_the_page(self) -> None:
        self.assertIn("line 2: Nested mappings", broken("title: Part 2: The end").error or "")

    def test_templates_are_text(self) -> None:
        self.assertEqual(broken("date: {{date}}\ntitle: <% tp.file.title %>").title, "<% tp.file.title %>")

    def test_quotes_around_a_value_are_taken_off(self) -> None:
        self.assertEqual(broken("title: 'a: b'\ntype: \"note\"\nx: y: z").title, "a: b")

    def test_lists_are_read_line_by_line(self) -> None:
        found = broken("up: [[x]]s\ntags:\n\t- a\n  - '#b'\n- c\naliases: [K8s, \"k\"]\nalias: x")
        self.assertEqual((found.tags, found.aliases), (("a", "b", "c"), ("K8s", "k", "x")))

    def test_a_key_within_another_is_not_taken_for_it(self) -> None:
        found = broken("source:\n  title: other\npath: `C:\\x`\ntags: note: *Word*")
        self.assertEqual((found.title, found.tags), (None, ("note:", "*Word*")))

    def test_of_a_key_that_stands_twice_the_last_counts_and_it_is_told(self) -> None:
        text = "---\ntags: [a]\nx: y\ntags: [b]\n---\n"
        found = head(text, {"tags": ["b"]})
        self.assertEqual(found.tags, ("b",))
        self.assertIn('"tags" twice, again on line 4', found.error or "")
        self.assertEqual(head(text, NOT_YAML).tags, ("b",))

    def test_what_is_no_mapping_is_a_fault_and_no_more(self) -> None:
        for values in (["a"], "text"):
            found = head("---\ntitle: T\n---\n", values)  # type: ignore[arg-type]
            self.assertEqual(found.title, "T")
            self.assertIsNotNone(found.error)

    def test_a_value_nested_beyond_reason_is_a_fault_and_no_more(self) -> None:
        surroundings = StandIn()
        surroundings.yaml = lambda text: '{"title":' + "[" * 5000 + "]" * 5000 + "}"  # type: ignore[method-assign]
        found = read_frontmatter(parse("---\ntitle: T\n---\n"), surroundings)  # type: ignore[arg-type]
        self.assertEqual(found.title, "T")
        self.assertIn("nested deeper", found.error or "")


class Bounds(unittest.TestCase):
    def test_yaml_is_left_alone_where_no_known_key_stands(self) -> None:
        surroundings = StandIn({"date": "x"})
        structure = parse("---\ndate: x\n  title: y\nsubtitle: z\ntags:903\n---\ntitle: no\n")
        self.assertEqual(read_frontmatter(structure, surroundings), Frontmatter())  # type: ignore[arg-type]
        self.assertEqual(surroundings.asked, [])
        read_frontmatter(structure, surroundings, every_key=True)  # type: ignore[arg-type]
        self.assertEqual(len(surroundings.asked), 1)

    def test_a_mapping_on_one_line_is_yaml_too(self) -> None:
        self.assertEqual(
            head("---\n{title: T, tags: [a]}\n---\n", {"title": "T", "tags": ["a"]}).tags, ("a",)
        )

    def test_a_block_as_long_as_a_book_is_not_given_to_yaml(self) -> None:
        surroundings = StandIn({})
        text = "---\ntitle: T\n" + "x: y\n" * FRONTMATTER_MAX_CHARS + "---\n# H\n"
        found = read_frontmatter(parse(text), surroundings)  # type: ignore[arg-type]
        self.assertEqual((found.title, surroundings.asked), ("T", []))
        self.assertIn("characters", found.error or "")

    def test_of_thousands_of_tags_the_first_thousand_count(self) -> None:
        found = head(
            "---\ntags: x\n---\n", json.loads(json.dumps({"tags": [f"t{i}" for i in range(20_000)]}))
        )
        self.assertEqual(len(found.tags), 1000)


class InlineTags(unittest.TestCase):
    def tags(self, text: str) -> tuple[str, ...]:
        return inline_tags(text, parse(text))

    def test_tags_stand_at_the_start_or_behind_a_space(self) -> None:
        self.assertEqual(
            self.tags("#a text #b/c-d (#e_f)\n- #日本語、x\n> #é.\n"), ("a", "b/c-d", "e_f", "日本語", "é")
        )

    def test_what_only_looks_like_a_tag(self) -> None:
        self.assertEqual(
            self.tags("# heading\nC#\na#b #123 #1/2 ## #\nhttps://x.org/#top [x](#y) \\#no\n"), ()
        )

    def test_tags_in_headings_count(self) -> None:
        self.assertEqual(self.tags("# Plans #todo\nx #more\n===\n"), ("todo", "more"))

    def test_tags_in_code_comments_links_and_frontmatter_do_not(self) -> None:
        text = (
            "---\nx: #no\n---\n`a #no` [[a #no]] %% #no %% <!-- #no --> ``#no`` #yes\n\n    #no\n"
            "```\n#no\n```\n%%\n#no\n%%\n"
        )
        self.assertEqual(self.tags(text), ("yes",))

    def test_an_open_backtick_hides_nothing(self) -> None:
        self.assertEqual(self.tags("a ` #yes `` x\n\n` #too\n"), ("yes", "too"))

    def test_each_tag_is_told_once_as_first_written(self) -> None:
        self.assertEqual(self.tags("#B #a #B"), ("B", "a"))
