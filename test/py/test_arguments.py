"""Arguments are taken as they are meant, or refused with a sentence that says what would be right."""

from __future__ import annotations

import unittest

from wiki.arguments import boolean, choice, integer, reject_unknown, strings, text
from wiki.errors import WikiError


class Arguments(unittest.TestCase):
    def refused(self, check, *args, **options) -> str:
        with self.assertRaises(WikiError) as caught:
            check(*args, **options)
        self.assertEqual(caught.exception.code, "invalid-input")
        self.assertRegex(caught.exception.message, r"\.$")
        self.assertLessEqual(len(caught.exception.message), 500)
        return caught.exception.message

    def test_a_text_is_counted_in_code_points(self) -> None:
        self.assertEqual(text({"q": "🌱" * 4}, "q", max=4), "🌱" * 4)
        self.assertEqual(
            self.refused(text, {"q": "🌱" * 5}, "q", max=4), '"q" must have 1 to 4 characters, not 5.'
        )

    def test_an_empty_text_is_refused_where_one_character_is_needed(self) -> None:
        self.refused(text, {"q": ""}, "q", max=4)
        self.assertEqual(text({"q": ""}, "q", min=0, max=4), "")

    def test_half_a_character_is_refused(self) -> None:
        self.assertIn("surrogate", self.refused(text, {"q": "a\ud800"}, "q", max=4))

    def test_null_counts_as_absent(self) -> None:
        self.assertEqual(text({"q": None}, "q", max=4, default="x"), "x")
        self.assertEqual(integer({"n": None}, "n", min=1, max=9, default=3), 3)
        self.assertEqual(boolean({"b": None}, "b"), False)
        self.assertEqual(strings({"s": None}, "s"), ())
        self.assertIsNone(choice({}, "c", ("a",), default=None))

    def test_what_is_needed_and_missing_is_named(self) -> None:
        for check, options in (
            (text, {"max": 4}),
            (integer, {"min": 1, "max": 2}),
            (choice, {"choices": ("a",)}),
        ):
            self.assertEqual(self.refused(check, {}, "needed", **options), '"needed" is missing.')

    def test_a_boolean_is_no_number_and_a_number_no_boolean(self) -> None:
        self.refused(integer, {"n": True}, "n", min=0, max=9)
        self.refused(boolean, {"b": 1}, "b")
        self.refused(boolean, {"b": "true"}, "b")

    def test_a_number_with_a_decimal_point_is_refused_even_when_it_is_whole(self) -> None:
        self.refused(integer, {"n": 5.0}, "n", min=1, max=9)

    def test_the_bounds_of_a_number_are_within(self) -> None:
        self.assertEqual(integer({"n": 1}, "n", min=1, max=9), 1)
        self.assertEqual(integer({"n": 9}, "n", min=1, max=9), 9)
        self.assertEqual(integer({"n": 10**30}, "n", min=1, max=None), 10**30)
        for value in (0, 10, -1, 10**5000):
            self.assertIn("from 1 to 9", self.refused(integer, {"n": value}, "n", min=1, max=9))

    def test_a_choice_outside_the_list_is_told_the_list(self) -> None:
        self.assertEqual(choice({"v": "raw"}, "v", ("raw", "current")), "raw")
        for value in ("Raw", 5, ["raw"]):
            self.assertIn("raw, current", self.refused(choice, {"v": value}, "v", ("raw", "current")))

    def test_a_list_of_texts_is_checked_item_by_item(self) -> None:
        self.assertEqual(strings({"t": ["a", "b"]}, "t"), ("a", "b"))
        for value in ("a", [""], ["a", 5], ["x" * 201], ["a"] * 101, ["\udfff"], {"a": 1}):
            self.refused(strings, {"t": value}, "t")

    def test_an_unknown_argument_is_named_and_the_known_ones_listed(self) -> None:
        reject_unknown({"a": 1}, ("a", "b"))
        message = self.refused(reject_unknown, {"limt": 1, "a": 2, "x\n": 0}, ("a", "limit"))
        self.assertEqual(message, 'Unknown argument "limt", "x\\u000a". Known here: a, limit.')

    def test_a_flood_of_unknown_arguments_is_cut(self) -> None:
        self.refused(reject_unknown, {"x" * 5_000 + str(n): n for n in range(50)}, ("a",))


if __name__ == "__main__":
    unittest.main()
