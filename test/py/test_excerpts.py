"""The window of a page that shows why it was found."""

from __future__ import annotations

import random
import unittest

from wiki.excerpts import Excerpt, Shown, excerpt
from wiki.markdown import parse
from wiki.places import Finder
from wiki.tokens import TOKENIZER, searchable, tokenize
from wiki.untyped import untyped


def window(text: str, query: str, **options: object) -> Excerpt:
    structure = parse(text)
    tokens = tokenize(query)
    places = Finder(tokens, TOKENIZER).places(searchable(text, structure))
    shown = Shown(text, structure.body, untyped(text, structure))
    return excerpt(shown, places, dict.fromkeys(tokens, 1.0), **options)


def shown(text: str, query: str, **options: object) -> str:
    start, end, _ = window(text, query, **options)
    return text[start:end]


class Excerpts(unittest.TestCase):
    def test_it_is_the_window_with_most_of_the_words(self) -> None:
        text = f"coffee here\n{'filler ' * 200}\ncoffee and water and beans\n{'filler ' * 200}\nwater there"
        self.assertIn("coffee and water and beans", shown(text, "coffee water beans"))

    def test_different_words_count_more_than_one_word_often(self) -> None:
        text = f"{'coffee ' * 40}\n{'filler ' * 100}\ncoffee with water"
        self.assertIn("coffee with water", shown(text, "coffee water"))

    def test_it_has_at_most_360_characters_and_ends_at_whole_words(self) -> None:
        chance = random.Random(4)
        words = ["coffee", "crème", "naïve", "वैश्विक", "don't", "x\u0301", "a", "extraordinarily", "\r\n", "\n\n"]
        for _ in range(200):
            text = " ".join(chance.choices(words, k=chance.randrange(1, 200)))
            start, end, anchor = window(text, chance.choice(["coffee", "x", "nothing", "a don't"]))
            self.assertLessEqual(end - start, 360)
            self.assertLessEqual(start, max(anchor, start))
            for cut in (start, end):
                around = text[max(0, cut - 1) : cut + 1]
                if 0 < cut < len(text):
                    self.assertFalse(around.isalnum() and len(around) == 2, (around, text[start:end]))
                    self.assertNotEqual(around, "\r\n")

    def test_the_text_is_never_changed(self) -> None:
        text = "**Bold**  [[link|shown]]\n\n> quote with coffee \n"
        self.assertEqual(shown(text, "coffee"), text.strip())

    def test_it_begins_with_the_line_where_that_is_near(self) -> None:
        text = f"{'before ' * 100}\nThe line begins here and says coffee at last. {'after ' * 100}"
        self.assertTrue(shown(text, "coffee").startswith("The line begins here"))

    def test_running_text_is_shown_rather_than_frontmatter(self) -> None:
        text = f"---\ntitle: Coffee\n---\n# Coffee\n{'filler ' * 100}"
        self.assertTrue(shown(text, "coffee").startswith("# Coffee"))
        only_there = f"---\naliases: [coffee]\n---\n{'filler ' * 100}"
        self.assertIn("aliases: [coffee]", shown(only_there, "coffee"))

    def test_without_any_word_it_is_the_beginning_of_the_text(self) -> None:
        self.assertEqual(shown("---\ntitle: T\n---\n\nThe beginning.", "nothing"), "The beginning.")
        self.assertEqual(shown("", "nothing"), "")
        self.assertIn("title: T", shown("---\ntitle: T\n---\n", "nothing"))

    def test_a_word_longer_than_the_room_is_cut_all_the_same(self) -> None:
        self.assertEqual(len(shown("x" * 2_000, "nothing")), 360)
        self.assertEqual(len(shown("咖" * 2_000, "咖")), 360)

    def test_what_nobody_typed_is_never_entered(self) -> None:
        data = "data:image/png;base64," + "iVBORw0KGgo" * 30
        text = f"Look: ![x]({data}) the coffee stands here"
        found = shown(text, "coffee")
        self.assertIn("coffee stands here", found)
        self.assertNotIn("iVBOR", found)

    def test_it_can_be_kept_inside_a_span(self) -> None:
        text = "coffee one. coffee two. coffee three."
        self.assertEqual(shown(text, "coffee", within=(12, 23)), "coffee two.")
        self.assertEqual(shown(text, "absent", within=(12, 23)), "coffee two.")

    def test_positions_count_code_points(self) -> None:
        text = "é" * 500 + " 🌱 coffee 🌱"
        start, end, anchor = window(text, "coffee")
        self.assertEqual(text[anchor : anchor + 6], "coffee")
        self.assertEqual(end, len(text))


if __name__ == "__main__":
    unittest.main()
