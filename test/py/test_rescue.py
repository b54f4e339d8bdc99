"""Words that no page has: what is looked for instead, at what weight, and what is told."""

from __future__ import annotations

import unittest

from searching import Searching
from wiki.ranking import idf
from wiki.rescue import RESCUE_WEIGHT
from wiki.spelling import distance
from wiki.stems import stem
from wiki.synonyms import Synonyms


class Rescued(Searching):
    def setUp(self) -> None:
        super().setUp()
        for at, text in enumerate(
            (
                "The configuration of the espresso machine",
                "Kubernetes and its nodes",
                "Настройки синхронизации",
                "A database index of data",
                "Die Datenbank und der Index",
                "notebook",
                "email",
                "Kaffeemaschine",
                "wholly other things here",
            )
        ):
            self.write(f"wiki/{at}.md", text)

    def used(self, query: str, **args: object) -> dict[str, list[str]]:
        return self.searched(query, **args).get("rescued", {})

    def test_a_misspelled_word_finds_the_word(self) -> None:
        for query, page in {
            "espreso": "0", "esprresso": "0", "esprseso": "0", "wspresso": "0", "confgiuratoin": "0", "настрйоки": "2", "nodse": "1",
        }.items():  # fmt: skip
            self.assertEqual(self.paths(query)[:1], [page], query)

    def test_short_words_are_not_taken_for_misspelled(self) -> None:
        self.assertEqual(self.used("oft"), {"oft": []})
        self.assertEqual(self.used("nodez")["nodez"], ["nodes"])
        self.assertEqual(self.used("nudez")["nudez"], [])  # two edits need eight letters

    def test_the_beginning_of_a_word_finds_it(self) -> None:
        self.assertEqual(self.used("kube"), {"kube": ["kubernetes"]})
        self.assertEqual(self.used("настройками"), {"настройками": ["настроики"]})

    def test_synonyms_are_tried_and_a_vault_can_add_its_own(self) -> None:
        self.assertEqual(self.paths("k8s"), ["1"])
        self.assertEqual(self.used("settings")["settings"], ["configuration"])
        self.assertEqual(self.paths("crema"), [])
        self.assertEqual(self.paths("crema", host={"synonyms": {"crema": ["espresso"]}}), ["0"])
        self.assertEqual(self.paths("crema", host={"synonyms": [["espresso", "crema"]]}), ["0"])

    def test_a_synonym_may_be_a_word_of_a_script_without_spaces(self) -> None:
        self.write("wiki/zh.md", "计算机网络")
        self.write("wiki/part.md", "计算和网络")
        self.write("wiki/ko.md", "서버를 재시작")
        host = {"synonyms": {"电脑": ["计算机"], "computer": "计算机", "server": ["서버"], "网络": ["因特网"]}}
        for query, word, used, page in (
            ("电脑", "电脑", "计算机", "zh"), ("我的电脑", "电脑", "计算机", "zh"), ("computer", "computer", "计算机", "zh"),
            ("server", "server", "서버", "ko"),
        ):  # fmt: skip
            payload = self.searched(query, host=host)
            self.assertEqual(payload["results"][0]["path"], f"wiki/{page}.md", query)
            self.assertEqual(payload["rescued"], {word: [used]}, query)
        self.assertNotIn("rescued", self.searched("网络", host=host))  # pages have it
        self.assertNotIn("rescued", self.searched("电脑"))

    def test_malformed_synonyms_are_ignored(self) -> None:
        for odd in ("x", 5, [5, [None]], {"crema": 7}, {"crema": [None, {}, "two words", "espresso"]}):
            self.searched("crema", host={"synonyms": odd})
        self.assertEqual(Synonyms({"a": ["b c", "d"]}).of("a"), ["d"])

    def test_the_other_composition_of_a_compound_is_tried(self) -> None:
        self.assertEqual(self.used("datenbankindex")["datenbankindex"], ["datenbank", "index"])
        self.assertEqual(self.used("note book")["book"], ["notebook"])
        self.assertEqual(self.used("e-mail")["e-mail"], ["email"])
        self.assertEqual(self.paths("e-mail"), ["6"])

    def test_a_rescued_word_has_four_tenths_of_its_weight(self) -> None:
        straight = self.searched("espresso")["results"][0]["score"]
        rescued = self.searched("espreso")["results"][0]["score"]
        self.assertEqual(RESCUE_WEIGHT, 0.4)
        self.assertAlmostEqual(rescued, 0.4 * straight, delta=1e-12)

    def test_a_word_that_pages_have_is_never_widened(self) -> None:
        self.write("wiki/typo.md", "espreso kube settings")
        for query in ("espreso", "kube", "settings"):
            payload = self.searched(query)
            self.assertEqual([result["path"] for result in payload["results"]], ["wiki/typo.md"])
            self.assertNotIn("rescued", payload)

    def test_numbers_and_unknown_scripts_are_left_alone(self) -> None:
        self.write("wiki/n.md", "version 2025")
        self.assertEqual(self.used("2026"), {"2026": []})
        self.assertEqual(self.used("გამარჯობა"), {"გამარჯობა": []})

    def test_what_was_tried_in_vain_is_told(self) -> None:
        payload = self.searched("zyzzyva espresso")
        self.assertEqual(payload["rescued"], {"zyzzyva": []})
        self.assertIn('No page has "zyzzyva".', payload["evidence"]["reasons"])


class Distance(unittest.TestCase):
    def test_it_counts_edits_and_swaps_of_neighbours(self) -> None:
        for one, other, wanted in (
            ("", "", 0), ("a", "", 1), ("abc", "acb", 1), ("abcd", "badc", 2), ("kitten", "sitting", 3), ("ca", "abc", 3),
        ):  # fmt: skip
            self.assertEqual((distance(one, other), distance(other, one)), (wanted, wanted))


class Stems(unittest.TestCase):
    def test_they_are_porters(self) -> None:
        for word, wanted in {
            "caresses": "caress", "ponies": "poni", "ties": "ti", "cats": "cat", "feed": "feed", "agreed": "agre", "plastered": "plaster",
            "motoring": "motor", "sing": "sing", "conflated": "conflat", "hopping": "hop", "falling": "fall", "filing": "file",
            "happy": "happi", "sky": "sky", "relational": "relat", "vietnamization": "vietnam", "hopefulness": "hope",
            "triplicate": "triplic", "electrical": "electr", "revival": "reviv", "adjustment": "adjust", "adoption": "adopt",
            "probate": "probat", "controll": "control", "roll": "roll", "by": "by", "naïve": "naïve", "v2": "v2",
        }.items():  # fmt: skip
            self.assertEqual(stem(word), wanted)


class Weights(Searching):
    def test_a_form_of_a_word_scores_as_an_index_of_stems_would(self) -> None:
        self.write("wiki/a.md", "notes note noted")
        self.write("wiki/b.md", "note other words")
        self.write("wiki/c.md", "nothing of it at all")
        found = {result["path"]: result["score"] for result in self.searched("which of them are the noting ones")["results"]}
        average, rarity = 11 / 3, idf(3, 2)
        score = rarity * 3 * 2.5 / (3 + 1.5 * (0.25 + 0.75 * 3 / average))
        self.assertAlmostEqual(found["wiki/a.md"], score, delta=1e-9)


if __name__ == "__main__":
    unittest.main()
