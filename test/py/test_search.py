"""What a search answers: cases that users ran into, the shape of the answer, its limits, and what it leaves out."""

from __future__ import annotations

import math
import os
import re
import unittest
from pathlib import Path

from searching import Searching
from wiki import jsontext
from wiki.errors import WikiError
from wiki.limits import EXCERPT_MAX_CHARS, MODEL_JSON_MAX_BYTES
from wiki.packedfile import PATH
from wiki.pages import open_page
from wiki.read import read
from wiki.search import search


class FoundByWords(Searching):
    def test_words_inside_text_without_spaces_are_found(self) -> None:
        self.write("wiki/zh.md", "# 笔记\n我们用倒排索引做全文检索。")
        self.write("wiki/th.md", "# อาหาร\nข้าวผัดอร่อยมาก")
        self.write("wiki/km.md", "ភាសាខ្មែរគឺជាភាសា")
        for query, page in (("倒排", "zh"), ("倒", "zh"), ("ผัด", "th"), ("ខ្មែរ", "km"), ("检索", "zh")):
            self.assertEqual(self.paths(query)[:1], [page], query)

    def test_a_latin_word_stuck_to_other_script_is_found(self) -> None:
        self.write("wiki/a.md", "用Obsidian写作")
        self.assertEqual(self.paths("obsidian"), ["a"])
        self.assertEqual(self.paths("写作"), ["a"])

    def test_accents_and_forms_of_letters_do_not_matter_and_the_excerpt_keeps_them(self) -> None:
        self.write("wiki/fr.md", "Crème brûlée")
        self.write("wiki/vi.md", "Đặng Thị")
        self.write("wiki/ar.md", "أحمد")
        self.write("wiki/de.md", "U\u0308bung")
        self.assertEqual(self.searched("creme brulee")["results"][0]["excerpt"], "Crème brûlée")
        for query, page in (("dang thi", "vi"), ("احمد", "ar"), ("Übung", "de"), ("ubung", "de")):
            self.assertEqual(self.paths(query), [page], query)

    def test_there_is_no_query_language(self) -> None:
        self.write("wiki/a.md", "don't open src/index.ts a AND b")
        for query in ("don't", "src/index.ts", '"open', "a AND", "*", "(x", "-foo", "title:x", "a OR", "[["):
            self.searched(query)
        self.assertEqual(self.paths("don't"), ["a"])
        self.assertEqual(self.searched("*")["results"], [])

    def test_white_space_alone_is_asked_of_no_model(self) -> None:
        self.write("wiki/a.md", "coffee")
        payload = self.searched(" \n ", hybrid=True)
        self.assertNotIn("semanticError", payload)
        self.assertIn("The query has no words.", payload["reason"])
        self.assertIn("semanticError", self.searched("tea", hybrid=True))  # which has no index to go by

    def test_pages_without_any_length_are_found_from_memory_and_from_both_files(self) -> None:
        self.write("wiki/a.md", "🌱")
        self.assertEqual(self.paths("🌱"), ["a"])
        for file, args in ((".vault-meta/retrieval/bm25.json", {"compat": True, "only": "bm25.json"}), (PATH, {})):
            self.build(**args)
            payload = self.searched("🌱")
            self.assertEqual((payload["index"], payload["source"], len(payload["results"])), (file, "index-file", 1))

    def test_a_quoted_flag_finds_the_page_with_the_flag_first(self) -> None:
        self.write("wiki/other.md", "a dry run, dry as a run can be: dry run")
        self.write("wiki/flag.md", "use --dry-run first")
        self.assertEqual(self.paths('"--dry-run"')[0], "flag")

    def test_tags_and_aliases_are_part_of_a_page(self) -> None:
        self.write("wiki/tagged.md", "---\ntags: [kubernetes]\n---\nno mention")
        self.write("wiki/alias.md", "---\naliases: [K9s]\n---\n# Terminal")
        self.write("wiki/one.md", "---\nalias: K9s\n---\n# Terminal")
        self.write("wiki/text.md", "---\naliases: K9s\n---\n# Terminal")
        self.write("wiki/none.md", "---\naliases: \n---\n# Terminal")
        self.assertEqual(self.paths("kubernetes"), ["tagged"])
        for tag in ("kubernetes", "#kubernetes", "#Kubernetes"):
            self.assertEqual(self.paths("mention", tags=[tag]), ["tagged"])
        self.assertEqual(sorted(self.paths("k9s")), ["alias", "one", "text"])

    def test_a_page_titled_exactly_as_asked_gains_the_best_score(self) -> None:
        self.write("wiki/much.md", "coffee " * 50)
        self.write("wiki/titled.md", "# Coffee\n" + "other words " * 50)
        self.write("wiki/alias.md", "---\naliases: [Coffee]\n---\n# Beans\n" + "other words " * 50)
        self.assertEqual(set(self.paths("coffee")[:2]), {"titled", "alias"})

    def test_a_page_without_a_title_is_titled_by_its_name(self) -> None:
        self.write("wiki/Pour over.md", "Water of 94 degrees on ground beans.")
        self.write("wiki/much.md", "# Other\n" + "pour over " * 30)
        found = self.searched("pour over")
        self.assertEqual(found["results"][0]["path"], "wiki/Pour over.md")
        self.assertEqual(found["results"][0]["title"], "Pour over")

    def test_a_quoted_sentence_finds_its_page(self) -> None:
        sentence = "Every filter changes the text of a [[variable|value]] before it is put into the page."
        self.write("wiki/long.md", f"{'Padding about this and that. ' * 400}\n{sentence}\n{'More of it. ' * 400}")
        for at in range(5):
            self.write(f"wiki/near{at}.md", "A filter changes a variable. The page. Every value is put into the text before. " * 3)
        self.assertEqual(self.paths("every filter changes the text of a value before it is put into the page")[0], "long")

    def test_a_quoted_sentence_finds_its_page_also_far_down_in_the_ranking(self) -> None:
        sentence = "ជម្លោះកើតឡើងនៅពេលអ្នក"
        self.write("wiki/long.md", f"{'Padding about this and that. ' * 2000}\n{sentence}\n")
        letters = sentence.replace("្", "")
        for at in range(20):
            self.write(f"wiki/near{at}.md", (letters[at % 5 :] + " " + letters[3:]) * 9)
        self.assertEqual(self.paths(sentence)[0], "long")

    def test_words_that_ask_are_left_out_of_a_question(self) -> None:
        self.write("wiki/a.md", "小灰头稚冠雉成鸟头部是灰色")
        self.write("wiki/b.md", "什么是什么？什么都不是什么。")
        found = self.searched("小灰头稚冠雉是什么颜色？")
        self.assertEqual(found["results"][0]["path"], "wiki/a.md")
        self.assertEqual(found["leftOut"], ["是什么"])
        self.assertEqual(self.paths("什么")[0], "b")

    def test_the_words_of_an_english_question_stand_for_their_forms(self) -> None:
        self.write("wiki/a.md", "Restoring notes that were deleted")
        self.write("wiki/b.md", "Something else entirely")
        self.assertEqual(self.paths("how can I restore a note that I have just deleted")[0], "a")
        self.assertEqual(self.paths("restore"), ["a"])  # rescued, since no page has it
        self.write("wiki/c.md", "restore")
        self.assertEqual(self.paths("restore"), ["c"])  # and never widened once one has


class Scores(Searching):
    def test_scores_are_the_formula(self) -> None:
        texts = {
            f"wiki/{at}.md": " ".join(f"word{at * k % 7}" for k in range(1, 4 + at * 3)) + " common" * (at % 3) for at in range(1, 15)
        }
        for path, text in texts.items():
            self.write(path, text)
        tokens = {path: re.findall(r"\w+", text.casefold()) for path, text in texts.items()}
        average = sum(map(len, tokens.values())) / len(tokens)
        for query in ("word3", "word1 common", "common word2 word2 word5", "word6 absent4711"):
            wanted = {}
            for path, own in tokens.items():
                score = 0.0
                for term in query.split():
                    df = sum(term in other for other in tokens.values())
                    tf = own.count(term)
                    if df:
                        idf = math.log(1 + (len(tokens) - df + 0.5) / (df + 0.5))
                        score += idf * tf * 2.5 / (tf + 1.5 * (0.25 + 0.75 * len(own) / average))
                if score:
                    wanted[path] = score
            results = self.searched(query, limit=100)["results"]
            self.assertEqual([result["path"] for result in results], sorted(wanted, key=lambda path: (-wanted[path], path)))
            for result in results:
                self.assertAlmostEqual(result["score"], wanted[result["path"]], delta=1e-9)


class Shape(Searching):
    def test_a_result_says_where_and_how_to_read_on(self) -> None:
        self.write("wiki/a.md", "# Top\nlead\n## Brewing\nWater first.\n\nThen the coffee.\n## Other\nrest\n")
        payload = self.searched("coffee")
        (result,) = payload["results"]
        self.assertEqual(
            {key: result[key] for key in ("path", "match", "title", "section", "breadcrumb")},
            {"path": "wiki/a.md", "match": "bm25", "title": "Top", "section": "#brewing", "breadcrumb": "Top > Brewing"},
        )
        text = open_page(self.vault, "wiki/a.md").text
        self.assertIn(result["excerpt"], text)
        lines = text.split("\n")[result["lineStart"] - 1 : result["lineEnd"]]
        self.assertTrue("\n".join(lines).strip().startswith(result["excerpt"].split("\n")[0]))
        reading = read(self.context(), result["read"])
        self.assertEqual(reading["text"], "## Brewing\nWater first.\n\nThen the coffee.\n")

    def test_a_result_points_to_the_section_that_says_most_not_to_where_its_excerpt_begins(self) -> None:
        self.write("wiki/a.md", "# The pump\nIt lifts water.\n## It sucks air\nPour water in: the pump sucks no air then.\n")
        (result,) = self.searched("pump sucks air")["results"]
        self.assertTrue(result["excerpt"].startswith("# The pump"))
        self.assertEqual(result["section"], "#it-sucks-air")
        self.assertTrue(read(self.context(), result["read"])["text"].startswith("## It sucks air"))

    def test_the_payload_has_what_the_contract_promises(self) -> None:
        self.write("wiki/a.md", "coffee")
        payload = self.searched("coffee")
        self.assertEqual(
            list(payload),
            ["query", "vault", "index", "results", "fallback", "freshness", "source", "reason", "total", "checked", "excluded", "skipped",
             "incomplete", "evidence", "notes"],
        )  # fmt: skip
        self.assertEqual((payload["fallback"], payload["freshness"], payload["source"]), ("bm25", "unavailable", "live"))
        self.assertEqual((payload["total"], payload["checked"], payload["index"]), (1, 1, None))

    def test_an_index_file_is_ranked_and_named(self) -> None:
        self.write("wiki/a.md", "coffee")
        self.build()
        payload = self.searched("coffee")
        self.assertEqual((payload["freshness"], payload["source"]), ("current-by-mtime", "index-file"))
        self.assertTrue(payload["index"].startswith(".vault-meta/retrieval/"))
        self.assertEqual([result["path"] for result in payload["results"]], ["wiki/a.md"])

    def test_more_pages_than_shown_are_counted_and_the_way_to_them_is_told(self) -> None:
        for at in range(30):
            self.write(f"wiki/{at:02}.md", "the")
        payload = self.searched("the", limit=5)
        self.assertEqual((len(payload["results"]), payload["total"]), (5, 30))
        self.assertIn("30 pages match", payload["notes"][-1])

    def test_a_page_found_by_its_name_alone_is_counted(self) -> None:
        self.write("wiki/Saffron.md", "An herb.")
        self.write("wiki/Hot Drinks.md", "Tea.")
        self.write("wiki/a.md", "drinks")
        self.assertEqual(self.searched("saffron")["total"], 1)
        payload = self.searched("hot drinks")
        self.assertEqual((payload["total"], len(payload["results"])), (2, 2))

    def test_no_result_is_reported_with_a_suggestion_and_the_way_in(self) -> None:
        self.write("wiki/a.md", "coffee")
        payload = self.searched("How to grow saffron?", type="note", tags=["#garden"])
        self.assertEqual(payload["results"], [])
        self.assertIn("wiki/index.md", payload["reason"])
        gap = payload["knowledge_gap"]
        self.assertEqual(
            {key: gap[key] for key in ("query", "suggested_page", "suggested_title", "suggested_type", "suggested_tags")},
            {
                "query": "How to grow saffron?",
                "suggested_page": "wiki/how-to-grow-saffron.md",
                "suggested_title": "How to grow saffron",
                "suggested_type": "note",
                "suggested_tags": ["garden"],
            },
        )
        self.assertTrue(gap["hint"])

    def test_a_suggestion_is_never_a_page_that_there_is_nor_one_that_would_be_none(self) -> None:
        self.write("wiki/Coffee.md", "---\ntype: concept\n---\nbeans, coffee")
        self.write("wiki/Templates/t.md", "saffron")
        self.write("wiki/saffron.md", "an herb")
        self.write(".obsidian/app.json", '{"userIgnoreFilters": ["wiki/Templates/"]}')
        for query, page in (
            ("coffee", "coffee-page"), ("saffron", "saffron-page"), ("log", "log-page"), ("index", "index-page"), ("nul", "nul-page"),
        ):  # fmt: skip
            gap = self.searched(query, type="guide")["knowledge_gap"]
            self.assertEqual(gap["suggested_page"], f"wiki/{page}.md")

    def test_it_is_not_said_that_no_page_has_the_words_where_pages_are_left_out_or_unseen(self) -> None:
        self.write("wiki/coffee.md", "---\ntype: concept\n---\nbeans")
        self.write("wiki/Templates/t.md", "saffron")
        self.write(".obsidian/app.json", '{"userIgnoreFilters": ["wiki/Templates/"]}')
        self.assertIn("No page was looked at", self.searched("beans", pages_in_time=0)["knowledge_gap"]["hint"])
        for query, type in (("beans", "guide"), ("saffron", None)):
            gap = self.searched(query, type=type)["knowledge_gap"]
            self.assertIn("Pages have these words", gap["hint"])
        self.assertIn("No page has these words", self.searched("cardamom")["knowledge_gap"]["hint"])

    def test_without_time_there_is_navigation_and_no_claim(self) -> None:
        for at in range(9):
            self.write(f"wiki/{at}.md", "coffee")
        payload = self.searched("coffee", pages_in_time=4)
        self.assertEqual((payload["fallback"], payload["results"], payload["source"]), ("navigation", [], None))
        self.assertIn("wiki/index.md", payload["reason"])
        self.assertTrue(payload["incomplete"])
        self.assertEqual(payload["evidence"]["confidence"], "absent")

    def test_many_long_results_get_shorter_excerpts_rather_than_too_much_json(self) -> None:
        for at in range(100):
            self.write(f"wiki/{at:03}.md", f"# 咖啡{at}\n" + "咖啡的历史很长，很多人喜欢喝咖啡。" * 40)
        payload = self.searched("咖啡", limit=100)
        self.assertEqual(len(payload["results"]), 100)
        self.assertLessEqual(len(jsontext.dumps(payload).encode()), MODEL_JSON_MAX_BYTES)
        self.assertLessEqual(max(len(result["excerpt"]) for result in self.searched("咖啡")["results"]), EXCERPT_MAX_CHARS)

    def test_results_that_cannot_fit_are_left_whole_and_get_no_content(self) -> None:
        for at in range(60):
            self.write(f"wiki/{'long name ' * 18}{at:03}/{'of a page ' * 18}.md", f"# {'title ' * 80}\ncoffee")
        payload = self.searched("coffee", limit=60, include_content=True)
        self.assertEqual(len(payload["results"]), 60)
        for result in payload["results"]:
            self.assertTrue(result["budget_exceeded"])
            self.assertLessEqual(len(result["excerpt"]), 60)

    def test_arguments_are_checked(self) -> None:
        for args in (
            {"query": ""}, {"query": "x" * 4_001}, {"query": 5}, {"limit": 0}, {"limit": 101}, {"limit": True}, {"limit": 1.5},
            {"read_top_n": 11}, {"per_page_limit": 501}, {"inline_budget": -1}, {"tags": "x"}, {"tags": [1]}, {"type": ""}, {"lmit": 1},
        ):  # fmt: skip
            with self.assertRaises(WikiError, msg=args) as caught:
                self.searched(**({"query": "x"} | args))
            self.assertEqual(caught.exception.code, "invalid-input")


class LeftOut(Searching):
    def setting(self, text: str) -> None:
        Path(self.root, ".obsidian").mkdir(exist_ok=True)
        Path(self.root, ".obsidian/app.json").write_text(text, "utf-8")

    def test_what_obsidian_excludes_is_left_out_counted_and_readable(self) -> None:
        self.write("wiki/Templates/x.md", "coffee")
        self.write("wiki/old.bak.md", "coffee")
        self.write("wiki/a.md", "coffee")
        self.setting('{"userIgnoreFilters":["wiki/Templates/","/\\\\.bak/"]}')
        payload = self.searched("coffee")
        self.assertEqual([result["path"] for result in payload["results"]], ["wiki/a.md"])
        self.assertEqual((payload["excluded"], payload["total"]), (2, 1))
        self.assertEqual(open_page(self.vault, "wiki/Templates/x.md").text, "coffee")

    def test_a_broken_settings_file_is_told_and_not_fatal(self) -> None:
        self.write("wiki/a.md", "coffee")
        self.setting('{"userIgnoreFilters":["Templa')
        payload = self.searched("coffee")
        self.assertEqual(len(payload["results"]), 1)
        self.assertIn(".obsidian/app.json", payload["notes"][0])

    def test_what_is_no_page_is_counted_by_reason(self) -> None:
        for path in ("a", "index", "log", ".trash/b", "sub/.hidden"):
            self.write(f"wiki/{path}.md", "coffee")
        payload = self.searched("coffee")
        self.assertEqual([result["path"] for result in payload["results"]], ["wiki/a.md"])
        self.assertEqual(payload["skipped"], {"hidden": 2, "reserved": 2})
        self.remove("wiki/log.md")
        self.write("wiki/b.md", "coffee")
        payload = self.searched("coffee")
        self.assertEqual((payload["skipped"], payload["checked"]), ({"hidden": 2, "reserved": 1}, 5))

    def test_a_page_that_vanishes_between_ranking_and_reading_is_skipped_and_told(self) -> None:
        self.write("wiki/a.md", "coffee coffee")
        self.write("wiki/b.md", "coffee and other words")
        context = self.context()
        context.surroundings.listing()  # this call has seen both
        self.remove("wiki/a.md")
        payload = search(context, {"query": "coffee"})
        self.assertEqual([result["path"] for result in payload["results"]], ["wiki/b.md"])
        self.assertTrue(payload["incomplete"])

    def test_deleted_renamed_and_changed_pages_are_never_served_as_they_were(self) -> None:
        self.write("wiki/a.md", "coffee")
        for compat in (None, False, True):
            if compat is not None:
                self.build(compat=compat)
            self.assertEqual(self.paths("coffee"), ["a"])
            os.rename(Path(self.root, "wiki/a.md"), Path(self.root, "wiki/b.md"))
            self.assertEqual(self.paths("coffee"), ["b"])
            self.write("wiki/b.md", "tea")
            self.assertEqual(self.paths("coffee"), [])
            self.remove("wiki/b.md")
            self.assertEqual(self.paths("tea"), [])
            self.write("wiki/a.md", "coffee")

    def test_drawings_and_data_are_not_found_and_not_shown(self) -> None:
        data = "QWxhZGRpbjpvcGVuIHNlc2FtZQ" * 20
        self.write("wiki/a.md", f"A picture of coffee ![](data:image/png;base64,{data}) and its caption")
        self.write("wiki/b.md", "---\nexcalidraw-plugin: parsed\n---\ncoffee cup\n%%\nN4KAkARALgngDgUwgLgAQQQDwMYEMA2A\n%%")
        self.assertEqual(self.paths("N4KAkARALgngDgUwgLgAQQQDwMYEMA2A QWxhZGRpbjpvcGVuIHNlc2FtZQ"), [])
        for result in self.searched("coffee")["results"]:
            self.assertNotIn("N4KAk", result["excerpt"])
            self.assertNotIn("QWxh", result["excerpt"])


if __name__ == "__main__":
    unittest.main()
