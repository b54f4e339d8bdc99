"""How text is cut into tokens, in every script, and where they stand."""

from __future__ import annotations

import re
import unicodedata
import unittest
from collections import Counter

from linear import grows_linearly
from wiki.index import PLAIN
from wiki.letters import fold
from wiki.markdown import parse
from wiki.places import Finder
from wiki.tokens import TOKENIZER, counts, pieces, plain, searchable, tokenize
from wiki.words import WORD

SAMPLES = (
    "Plain words, and 3 numbers.\nA second line; with *marks* and `code`.",
    "v1.0.21 C++ node:fs --dry-run src/index.ts getUserName HTTPServer snake_case __init__ don’t well-known f(x)",
    "我们用倒排索引做全文检索。用Obsidian写作，2023年。",
    "日本語のテキストとｶﾞﾗｽ、か\u3099。한국어 위키는 \u1112\u1161\u11a8점",
    "ข้าวผัดอร่อยมาก\u200bครับ ភាសាខ្មែរ ພາສາລາວ မြန်မာဘာသာ",
    "أَحْمَد إلى آخر ١٢٣ می\u200cخواهم שָׁלוֹם हिन्दी भाषा বাংলা தமிழ்",
    "Đặng Thị Straße İstanbul łódź U\u0308bung ＡＢＣ ﬁn ½ ② ﷺ µm",
    "🌱Garden 👩\u200d💻 👍🏽 🇩🇪🇫🇷 1️⃣ ⭐ ❶",
    "a" * 300 + " " + "ab/" * 60 + "x --" + "y" * 200,
    "\ufeff# H\r\nso\u00adft \ue000 \U0001d400\U0001d401",
)


class Words(unittest.TestCase):
    def test_latin_words_without_marks_are_the_case_folded_runs_of_word_characters(self) -> None:
        text = "The Quick brown fox (jumps), over 12 lazy dogs; THE END... 3rd x2"
        self.assertEqual(tokenize(text), [word.casefold() for word in re.findall(r"\w+", text)])
        self.assertEqual(plain(text), tokenize(text))
        self.assertEqual(counts(text)[1], len(tokenize(text)))

    def test_what_has_inner_punctuation_is_kept_whole_beside_its_parts(self) -> None:
        for text, wanted in {
            "v1.0.21": ["v1.0.21", "v1", "0", "21"],
            "node:fs": ["node:fs", "node", "fs"],
            "src/index.ts": ["src/index.ts", "src", "index.ts", "index", "ts"],
            "snake_case": ["snake_case", "snake", "case"],
            "C++": ["c++", "c"],
            "C#": ["c#", "c"],
            "don’t": ["don't", "don", "t"],
            "2026-05-17": ["2026-05-17", "2026", "05", "17"],
            "--dry-run": ["--dry-run", "dry-run", "dry", "run"],
        }.items():
            self.assertEqual(sorted(tokenize(text)), sorted(wanted), text)

    def test_identifiers_are_kept_whole_and_in_parts(self) -> None:
        self.assertEqual(tokenize("getUserName"), ["getusername", "get", "user", "name"])
        self.assertEqual(tokenize("HTTPServer"), ["httpserver", "http", "server"])
        self.assertEqual(tokenize("__init__ _emphasis_"), ["init", "emphasis"])

    def test_what_is_kept_beside_does_not_make_a_page_longer(self) -> None:
        self.assertEqual(counts("getUserName from src/index.ts")[1], 5)
        self.assertEqual(counts("倒排索引")[1], 4)

    def test_data_is_no_token(self) -> None:
        self.assertEqual(counts("x" * 1_000), (Counter(), 0))
        self.assertEqual(tokenize("a/" * 200 + "b"), ["a"] * 200 + ["b"])


class Scripts(unittest.TestCase):
    def test_scripts_without_spaces_are_cut_into_characters_and_pairs(self) -> None:
        self.assertEqual(tokenize("倒排索"), ["倒排", "倒", "排索", "排", "索"])
        self.assertIn("위키", tokenize("위키는"))
        self.assertIn("ผัด", tokenize("ข้าวผัด"))
        self.assertIn("ខ្មែ", tokenize("ភាសាខ្មែរ"))

    def test_text_is_cut_where_the_script_changes(self) -> None:
        self.assertEqual(tokenize("用Obsidian写"), ["用", "obsidian", "写"])
        self.assertEqual(tokenize("2023年"), ["2023", "年"])
        self.assertEqual(tokenize("µm"), ["μ", "m"])

    def test_case_accents_and_forms_of_letters_fold(self) -> None:
        for one, other in (
            ("Crème brûlée", "creme brulee"),
            ("Đặng Thị", "dang thi"),
            ("U\u0308bung", "Übung"),
            ("أحمد آخر إلى", "احمد اخر الي"),
            ("مُحَمَّد", "محمد"),
            ("STRASSE", "straße"),
            ("İstanbul ISPARTA", "istanbul ısparta"),
            ("Łódź Øre", "lodz ore"),
            ("ＡＢＣ ﬁn", "abc fin"),
            ("Ёлка", "елка"),
            ("שָׁלוֹם", "שלום"),
            ("so\u00adft zero\u200bwidth", "soft zerowidth"),
            ("ｶﾞﾗｽ", "ガラス"),
            ("\u1112\u1161\u11a8점", "학점"),
            ("٤٢ ๔๒", "42 42"),
            ("ς Σ", "σ σ"),
        ):
            self.assertEqual(tokenize(one), tokenize(other), one)

    def test_vowel_signs_stay_with_their_letters(self) -> None:
        self.assertEqual(tokenize("हिन्दी भाषा"), ["हिन्दी", "भाषा"])
        self.assertNotEqual(fold("कि"), fold("का"))
        self.assertNotEqual(tokenize("か"), tokenize("が"))

    def test_humps_are_found_in_every_alphabet_composed_or_not(self) -> None:
        for text, tokens in (
            ("getÜbersicht", ["getubersicht", "get", "ubersicht"]),
            ("MünchenGuide", ["munchenguide", "munchen", "guide"]),
            ("parseJSONÉtat", ["parsejsonetat", "parse", "json", "etat"]),
            ("НовыйДом", ["новыидом", "новыи", "дом"]),
            ("getНовый", ["get", "новыи"]),
            ("src/йод", ["src/иод", "src", "иод"]),
        ):
            for form in ("NFC", "NFD"):
                self.assertEqual(tokenize(unicodedata.normalize(form, text)), tokens, (text, form))

    def test_what_is_not_read_makes_no_token(self) -> None:
        for text in ("ᄒ\u200b", "a/\ufe0f", "\u200b-\u200b", "用\u200b-word", "/\u200d", "ك/\u064b"):
            tokens = tokenize(text)
            self.assertTrue(all(any(map(str.isalnum, token)) for token in tokens), (text, tokens))
            self.assertEqual(counts(text)[0], Counter(tokens), text)

    def test_an_emoji_is_a_token_beside_words(self) -> None:
        self.assertEqual(tokenize("🌱Garden"), ["🌱", "garden"])
        self.assertEqual(tokenize("👍🏽"), ["👍"])
        self.assertEqual(tokenize("🇩🇪🇫🇷"), ["🇩🇪", "🇫🇷"])
        self.assertEqual(counts("🌱 Garden")[1], 1)


class Agreement(unittest.TestCase):
    def test_counting_fast_and_cutting_slowly_agree(self) -> None:
        for text in SAMPLES + ("\n".join(SAMPLES),):
            counted, length = counts(text)
            self.assertEqual(counted, Counter(tokenize(text)), text[:40])
            self.assertEqual(length, sum(piece.kind in (WORD, "single") for piece in pieces(text)), text[:40])

    def test_every_token_stands_where_its_piece_says(self) -> None:
        for text in SAMPLES:
            for piece in pieces(text):
                self.assertIn(piece.token, tokenize(text[piece.start : piece.end]), piece)

    def test_a_finder_finds_what_cutting_finds(self) -> None:
        for text in SAMPLES:
            found = pieces(text)
            some = {piece.token for piece in found[::3]}
            finder = Finder(some, TOKENIZER)
            for _ in range(2):  # the second time from what it remembers
                self.assertEqual(finder.places(text), [piece for piece in found if piece.token in some])

    def test_a_finder_takes_any_white_space_between_words(self) -> None:
        for space in "\r\n\t\f\v":
            text = f"pump{space}leather or leather{space}pump"
            found = Finder({"pump", "leather"}, TOKENIZER).places(text)
            self.assertEqual([place.token for place in found], ["pump", "leather", "leather", "pump"])

    def test_a_finder_goes_over_one_long_line_in_time_that_grows_with_its_length(self) -> None:
        line = "leather " + "x " * 100
        self.assertTrue(grows_linearly(lambda size: Finder({"leather"}, TOKENIZER).places(line * size), 4_000))

    def test_a_finder_of_plain_tokens_finds_those(self) -> None:
        places = Finder({"snake_case", "ends"}, PLAIN).places("Snake_Case here ENDS")
        self.assertEqual([(place.token, place.start, place.end) for place in places], [("snake_case", 0, 10), ("ends", 16, 20)])

    def test_long_text_is_cut_in_time_that_grows_with_its_length(self) -> None:
        for text in ("a-" * 100_000, "倒" * 100_000, "aB" * 100_000, "--" * 100_000, "🌱" * 100_000, "a\u0301" * 100_000):
            counts(text)


class Untyped(unittest.TestCase):
    def searchable(self, text: str) -> str:
        return searchable(text, parse(text))

    def test_what_nobody_typed_is_blanked_and_positions_stay(self) -> None:
        for text in (
            "before ![x](data:image/png;base64," + "iVBORw0KGgo" * 20 + ") after",
            "before\n```compressed-json\nN4KAkARALgngDgUwgLgAQQQDwMYE\n```\nafter",
            "---\nexcalidraw-plugin: parsed\n---\nbefore\n%%\n# Drawing\nN4KAk\n%% after",
        ):
            blanked = self.searchable(text)
            self.assertEqual(len(blanked), len(text))
            self.assertIn("before", tokenize(blanked))
            self.assertIn("after", tokenize(blanked))
            self.assertFalse({"n4kak", "n4kakaralgngdgu", "ivborw0kggo"} & set(tokenize(blanked)))
            self.assertEqual(blanked.index("after"), text.rindex("after"))

    def test_comments_of_other_pages_and_short_urls_stay(self) -> None:
        for text in ("a %% note %% b", "data:text/plain,hello", "the data: image/png"):
            self.assertEqual(self.searchable(text), text)


if __name__ == "__main__":
    unittest.main()
