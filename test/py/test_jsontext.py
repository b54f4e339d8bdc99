"""JSON text is read within bounds that are kept before anything is parsed."""

from __future__ import annotations

import json
import random
import unittest

from wiki.display import shown_name
from wiki.jsontext import dumps, loads


class Loading(unittest.TestCase):
    def refused(self, text: str | bytes, *, max_bytes: int = 1_000_000) -> str:
        with self.assertRaises(ValueError) as caught:
            loads(text, max_bytes=max_bytes)
        return str(caught.exception)

    def test_values_are_those_of_json(self) -> None:
        for value in (None, True, 1.5, "é\n", [], {}, {"a": [1, {"b": "[{"}]}):
            self.assertEqual(loads(json.dumps(value), max_bytes=100), value)
            self.assertEqual(loads(json.dumps(value).encode(), max_bytes=100), value)

    def test_the_size_is_counted_in_bytes(self) -> None:
        self.assertEqual(loads('"é"', max_bytes=4), "é")
        self.assertIn("larger", self.refused('"é"', max_bytes=3))
        self.assertIn("larger", self.refused('"é"'.encode(), max_bytes=3))

    def test_a_hundred_levels_are_read_and_one_more_is_not(self) -> None:
        for opening, closing in (("[", "]"), ('{"a":', "}")):
            inner = "1"
            loads(opening * 100 + inner + closing * 100, max_bytes=10_000)
            self.assertIn("nested", self.refused(opening * 101 + inner + closing * 101))

    def test_what_is_never_closed_is_refused_at_any_depth(self) -> None:
        for count in (101, 20_000, 400_000):
            for opening in ("[", '[{"a":', '["[]","\\"[",'):
                self.assertIn("nested", self.refused(opening * count, max_bytes=10_000_000))

    def test_brackets_in_strings_are_no_levels(self) -> None:
        for text in (
            "[" * 500,
            '\\"' + "[" * 500,
            '\\\\","' + "{",
            "]" * 500,
            '"][" '.replace('"', '\\"') * 200,
        ):
            value = [text, [text], {"k": text}]
            self.assertEqual(loads(json.dumps(value), max_bytes=100_000), value)

    def test_depth_is_counted_as_a_scan_would(self) -> None:
        chance = random.Random(7)
        for _ in range(2_000):
            text = "".join(chance.choice('[[[{{]]}"\\a,') for _ in range(chance.randint(1, 40)))
            depth = deepest(text)
            try:
                loads(text, max_bytes=1_000, max_depth=3)
            except ValueError as error:
                if depth > 3:
                    continue  # refused, for whatever reason
                self.assertIsNotNone(str(error))
            else:
                self.assertLessEqual(depth, 3, text)

    def test_a_byte_order_mark_is_passed_over(self) -> None:
        self.assertEqual(loads(b"\xef\xbb\xbf[1]", max_bytes=10), [1])
        self.assertEqual(loads("\ufeff[1]", max_bytes=10), [1])

    def test_other_encodings_and_other_numbers_are_refused(self) -> None:
        self.assertIn("UTF-8", self.refused('["é"]'.encode("latin-1")))
        self.refused("[1]".encode("utf-16"))
        for text in ("NaN", "[Infinity]", "-Infinity"):
            self.assertIn("number", self.refused(text))

    def test_the_place_of_a_fault_is_told(self) -> None:
        self.assertIn("line 2, column 2", self.refused("[1\n 2]"))

    def test_a_number_of_ten_thousand_digits_is_refused(self) -> None:
        self.refused("[" + "9" * 10_000 + "]")


class Dumping(unittest.TestCase):
    def test_text_is_compact_and_not_escaped_needlessly(self) -> None:
        self.assertEqual(dumps({"a": ["é", 1]}), '{"a":["é",1]}')

    def test_half_characters_become_the_replacement_character(self) -> None:
        self.assertEqual(dumps(["a\ud800b\udcff"]), '["a\ufffdb\ufffd"]')

    def test_numbers_that_json_does_not_know_are_refused(self) -> None:
        with self.assertRaises(ValueError):
            dumps(float("nan"))


class ShownNames(unittest.TestCase):
    def test_ordinary_names_of_every_script_are_shown_as_they_are(self) -> None:
        for name in (
            "wiki/a b.md",
            "학점.md",
            "Übung.md",
            "U\u0308bung.md",
            "👩\u200d🌾.md",
            "می\u200cخواهم",
            "a\\b.md",
        ):
            self.assertEqual(shown_name(name), name)

    def test_what_could_mislead_is_made_visible(self) -> None:
        self.assertEqual(shown_name("a\nb\x1b[31m\x85"), "a\\u000ab\\u001b[31m\\u0085")
        self.assertEqual(shown_name("x\u202egpj.md"), "x\\u202egpj.md")
        self.assertEqual(shown_name("a\u2028b\ufeffc\u00add"), "a\\u2028b\\ufeffc\\u00add")
        self.assertEqual(shown_name("m\udcff.md"), "m\\udcff.md")
        self.assertEqual(shown_name("a\U000e0041"), "a\\U000e0041")

    def test_a_long_name_keeps_its_beginning_and_its_end(self) -> None:
        shown = shown_name("a" * 500 + ".md", most=21)
        self.assertEqual(shown, "a" * 10 + "…" + "a" * 7 + ".md")


def deepest(text: str) -> int:
    """The deepest nesting outside strings that a parser could come to before it fails."""
    depth = most = 0
    quoted = escaped = False
    for character in text:
        if quoted:
            quoted, escaped = (True, False) if escaped else (character != '"', character == "\\")
        elif character == '"':
            quoted = True
        elif character in "[{":
            depth += 1
            most = max(most, depth)
        elif character in "]}":
            depth -= 1
        elif character == "\\":
            break
    return most


if __name__ == "__main__":
    unittest.main()
