"""Ranking by meaning: only what holds now counts, and every trouble is a sentence and not an exception."""

from __future__ import annotations

import json
import os
import unittest
from pathlib import Path
from typing import Any

from meanings import DIGEST, MODEL, Meanings, encoded
from swapping import swapped
from wiki import chunksjson, semantic
from wiki.chunks import CHUNKS_FILE, VECTORS_FILE
from wiki.context import Context
from wiki.embed_index import build_semantic
from wiki.index import Damaged
from wiki.semantic import SemanticRanking, semantic_ranking
from wiki.semanticstate import against_index, inspect_semantic

PAGES = {
    "wiki/drink.md": "# Morning\n\nEspresso from a dark roast.\n",
    "wiki/outside.md": "# Spring\n\nCompost for the plants, soil for the beds.\n",
    "wiki/money.md": "# April\n\nThe accountant asks for the invoice.\n",
    "wiki/other.md": "# Mixed\n\nCoffee after the hike, coffee at the summit, tax never.\n",
}


class SemanticCase(Meanings):
    def setUp(self) -> None:
        super().setUp()
        chunksjson.forget()
        for path, text in PAGES.items():
            self.write(path, text)

    def index(self, *, compat: bool = False) -> None:
        build_semantic(self.ctx, self.listing(), compat=compat)
        self.publish()
        self.around.questions.clear()

    def rank(self, query: str, **options: Any) -> SemanticRanking:
        return semantic_ranking(self.ctx, query, self.paths(), **options)

    def error(self, query: str = "coffee") -> str:
        ranking = self.rank(query)
        self.assertEqual(ranking.pages, [])
        assert ranking.error is not None
        self.assertLess(len(ranking.error), 500)
        return ranking.error


class Ranking(SemanticCase):
    def test_pages_come_by_what_they_mean_without_a_word_in_common(self) -> None:
        self.index()
        ranking = self.rank("beans")
        self.assertIsNone(ranking.error)
        self.assertEqual([hit.path for hit in ranking.pages][:2], ["wiki/drink.md", "wiki/other.md"])
        self.assertEqual(len(ranking.pages), 4)
        self.assertNotIn("beans", PAGES["wiki/drink.md"])

    def test_a_hit_names_the_chunk_its_text_and_a_cosine_of_six_digits(self) -> None:
        self.index()
        hit = self.rank("beans").pages[0]
        text = PAGES["wiki/drink.md"]
        self.assertEqual(hit.chunk_text, text.strip())
        self.assertEqual(text[hit.char_start : hit.char_end], hit.chunk_text)
        self.assertEqual(hit.score, round(hit.score, 6))
        self.assertTrue(0.9 < hit.score <= 1)

    def test_only_the_query_is_sent_and_only_once(self) -> None:
        self.index()
        self.rank("beans for the machine")
        self.assertEqual(
            self.around.questions, [{"ask": "embed", "input": ["beans for the machine"], "withinMs": 28_001}]
        )

    def test_the_best_chunk_of_a_long_page_is_the_one_shown(self) -> None:
        filler = " ".join(["weather"] * 100)
        parts = [f"## Part {number}\n\n{filler} {number}." for number in range(8)]
        parts[5] = f"## Part 5\n\n{filler} summit trail hike mountain."
        self.write("wiki/long.md", "# Long\n\n" + "\n\n".join(parts))
        self.index()
        hit = self.rank("mountain").pages[0]
        self.assertEqual(hit.path, "wiki/long.md")
        self.assertIn("summit trail", hit.chunk_text)
        self.assertNotIn("Part 1", hit.chunk_text)
        self.assertGreater(hit.char_start, 0)

    def test_the_limit_is_kept_and_ties_go_by_path(self) -> None:
        for name in "cab":
            self.write(f"wiki/same-{name}.md", "Invoice.")
        self.index()
        self.assertEqual(
            [hit.path for hit in self.rank("invoice", limit=3).pages],
            ["wiki/same-a.md", "wiki/same-b.md", "wiki/same-c.md"],
        )

    def test_of_a_larger_wiki_a_tenth_of_the_pages_is_given(self) -> None:
        for number in range(200):
            self.write(f"wiki/many/{number:03}.md", f"Coffee {number}.")
        self.index()
        self.assertEqual(len(self.rank("coffee").pages), 20)

    def test_where_other_pages_rank_by_meaning_is_told(self) -> None:
        self.index()
        self.assertIsNone(self.rank("coffee").middle)
        self.assertEqual(self.rank("coffee", beside=["wiki/drink.md"]).middle, 1)
        self.assertEqual(
            self.rank("coffee", beside=["wiki/drink.md", "wiki/other.md", "wiki/gone.md"]).middle, 2
        )
        self.assertGreaterEqual(self.rank("coffee", beside=["wiki/money.md"]).middle or 0, 3)

    def test_both_files_rank_alike(self) -> None:
        self.index(compat=True)
        compact = self.rank("coffee trail")
        Path(self.root, VECTORS_FILE).unlink()
        self.assertEqual(self.rank("coffee trail"), compact)
        self.assertEqual(len(compact.pages), 4)

    def test_excluded_pages_neither_come_nor_are_missed(self) -> None:
        self.index()
        self.write(".obsidian/app.json", '{"userIgnoreFilters":["wiki/money"]}')
        ranking = self.rank("invoice")
        self.assertNotIn("wiki/money.md", [hit.path for hit in ranking.pages])
        self.assertEqual((len(ranking.pages), ranking.error), (3, None))
        self.write("wiki/money-2.md", "New, and excluded as well.")
        self.assertIsNone(self.rank("invoice").error)

    def test_pages_that_are_not_listed_do_not_come(self) -> None:
        self.index()
        ranking = semantic_ranking(self.ctx, "coffee", ["wiki/money.md"])
        self.assertEqual([hit.path for hit in ranking.pages], ["wiki/money.md"])


class Holding(SemanticCase):
    def test_a_changed_page_is_left_out_and_said(self) -> None:
        self.index()
        self.write("wiki/drink.md", PAGES["wiki/drink.md"] + "More espresso.\n")
        ranking = self.rank("espresso")
        self.assertNotIn("wiki/drink.md", [hit.path for hit in ranking.pages])
        self.assertEqual(len(ranking.pages), 3)
        self.assertIn("1 of 4 pages are ranked by words only", ranking.error or "")
        self.assertIn("pi-wiki index --semantic", ranking.error or "")

    def test_a_new_page_is_said_and_a_deleted_one_is_gone(self) -> None:
        self.index()
        self.write("wiki/new.md", "Coffee.")
        Path(self.root, "wiki/other.md").unlink()
        ranking = self.rank("coffee")
        self.assertEqual(ranking.pages[0].path, "wiki/drink.md")
        self.assertEqual(len(ranking.pages), 3)
        self.assertIn("1 of 4 pages", ranking.error or "")

    def test_a_page_that_became_a_link_or_vanished_after_the_listing_is_left_out(self) -> None:
        self.index()
        listed = self.paths()
        Path(self.root, "wiki/drink.md").unlink()
        ranking = semantic_ranking(self.ctx, "espresso", listed)
        self.assertEqual(len(ranking.pages), 3)

    def test_a_chunk_whose_own_hash_does_not_hold_is_left_out(self) -> None:
        self.index(compat=True)
        Path(self.root, VECTORS_FILE).unlink()
        file = Path(self.root, CHUNKS_FILE)
        value = json.loads(file.read_text("utf-8"))
        value["pages"]["wiki/drink.md"]["chunks"][0]["start"] += 1
        value["pages"]["wiki/money.md"]["chunks"][0]["end"] += 1_000
        file.write_text(json.dumps(value), "utf-8")
        self.assertEqual(
            {hit.path for hit in self.rank("espresso").pages}, {"wiki/outside.md", "wiki/other.md"}
        )

    def test_another_model_another_version_of_it_or_another_dimension_is_told_apart(self) -> None:
        self.index()
        self.around.model = "bge-m3"
        self.assertIn(f'with the model "{MODEL}", and "bge-m3" is configured', self.error())
        self.around.model, self.around.digest = MODEL, "00"
        self.assertIn("another version of the model", self.error())
        self.around.digest = DIGEST
        self.around.ask = lambda question: {
            "model": MODEL,
            "digest": DIGEST,
            "vectors": [encoded([1.0, 2.0])],
        }  # type: ignore[method-assign]
        self.assertIn("vectors of 5 numbers, and the model gives 2 now", self.error())

    def test_the_latest_tag_is_the_same_model(self) -> None:
        self.around.model = "nomic-embed-text"
        self.index()
        self.around.model = "nomic-embed-text:latest"
        self.assertEqual(len(self.rank("coffee").pages), 4)


class Trouble(SemanticCase):
    def test_without_an_index_nothing_is_asked_and_the_command_is_named(self) -> None:
        self.assertEqual(
            self.error(),
            "There is no semantic index to search by meaning. Make one with: pi-wiki index --semantic",
        )
        self.assertEqual(self.around.questions, [])

    def test_what_the_host_says_is_what_is_said(self) -> None:
        self.index()
        self.around.trouble = {"kind": "model-missing", "message": "Get it with: ollama pull x"}
        self.assertEqual(self.error(), "Get it with: ollama pull x")
        self.around.trouble = "The host did not answer."
        self.assertTrue(self.error().startswith("The host did not answer."))

    def test_trouble_call_after_call_is_counted_until_it_ends(self) -> None:
        self.index()
        self.around.trouble = {"kind": "deadline", "message": "Too slow."}
        self.assertEqual(self.error(), "Too slow.")
        self.assertEqual(self.error(), "Too slow. Meaning was left out of 2 searches in a row now.")
        self.assertIn("3 searches", self.error())
        self.around.trouble = None
        self.assertIsNone(self.rank("coffee").error)
        self.around.trouble = {"kind": "deadline", "message": "Too slow."}
        self.assertEqual(self.error(), "Too slow.")

    def test_an_answer_that_cannot_be_used_is_trouble(self) -> None:
        self.index()
        good = {"model": MODEL, "digest": DIGEST, "vectors": [encoded([1.0, 0.0])]}
        for change in (
            {"vectors": []}, {"vectors": None}, {"vectors": ["x"]}, {"vectors": [""]}, {"vectors": [1]},
            {"vectors": ["AAAAA==="]}, {"vectors": [encoded([1.0, float("nan")])]},
            {"vectors": [encoded([0.0, 0.0])]}, {"vectors": good["vectors"] * 2}, {"digest": None},
            {"model": ""}, {"vectors": [encoded([1.0] * 16_385)]}, {"vectors": [encoded([float("inf")])]},
        ):  # fmt: skip
            with self.subTest(change=str(change)[:60]):
                self.around.ask = lambda question, change=change: good | change  # type: ignore[method-assign]
                self.assertIn("embeddings cannot be used", self.error())

    def test_a_damaged_file_is_named(self) -> None:
        self.index()
        file = Path(self.root, VECTORS_FILE)
        data = file.read_bytes()
        file.write_bytes(data[:-10])
        self.assertTrue(self.error().startswith(f"{VECTORS_FILE} cannot be used. "))
        self.assertEqual(self.around.questions, [])

    def test_damage_that_is_found_only_while_ranking_is_trouble_too(self) -> None:
        self.index()

        def damaged(*given: Any) -> Any:
            raise Damaged("It is damaged between byte 0 and byte 9.")

        with swapped(semantic, "nearest", damaged):
            self.assertIn(f"{VECTORS_FILE} cannot be used. It is damaged", self.error())

    def test_the_host_is_not_asked_when_no_time_is_left_for_it(self) -> None:
        self.index()
        self.around.left = 2.0
        self.assertIn("longer --timeout", self.error())
        self.assertEqual(self.around.questions, [])

    def test_when_time_is_short_what_was_found_is_given(self) -> None:
        self.index()
        moments = iter([30.0])
        self.around.remaining = lambda: next(moments, 0.5)  # type: ignore[method-assign]
        ranking = self.rank("coffee")
        self.assertEqual(len(ranking.pages), 1)
        self.assertIn("Time allowed for only 1 pages", ranking.error or "")


class Inspection(SemanticCase):
    def inspect(self) -> dict[str, Any]:
        self.around.questions.clear()
        report = inspect_semantic(self.ctx, self.listing())
        self.assertEqual(self.around.questions, [], "doctor contacts nothing")
        json.dumps(report)
        return report

    def test_no_index_is_told_with_the_command_that_makes_one(self) -> None:
        report = self.inspect()
        self.assertEqual((report["ready"], report["file"], report["pages"]), (False, None, 0))
        self.assertIn("pi-wiki index --semantic", report["reason"])

    def test_model_digest_and_pages_covered_and_stale_are_named(self) -> None:
        self.index()
        self.write("wiki/drink.md", "Changed.")
        self.write("wiki/new.md", "New.")
        report = self.inspect()
        self.assertEqual(
            {
                key: report[key]
                for key in ("ready", "file", "model", "modelDigest", "dimension", "pages", "chunks")
            },
            {
                "ready": True,
                "file": VECTORS_FILE,
                "model": MODEL,
                "modelDigest": DIGEST,
                "dimension": 5,
                "pages": 4,
                "chunks": 4,
            },
        )
        self.assertEqual(
            {key: report[key] for key in ("current", "stale", "missing", "unchecked", "unfit", "examples")},
            {
                "current": 3,
                "stale": 1,
                "missing": 1,
                "unchecked": 0,
                "unfit": 0,
                "examples": ["wiki/drink.md"],
            },
        )

    def test_what_the_host_found_at_the_model_is_put_beside_the_index(self) -> None:
        found = {"model": MODEL, "digest": f"sha256:{DIGEST}", "dimension": 5}
        self.assertIsNone(against_index(found, self.inspect())["fitsIndex"])
        self.index()
        report = self.inspect()
        self.assertEqual(against_index(found, report), found | {"fitsIndex": True, "reason": None})
        self.assertIsNone(against_index(found | {"digest": None}, report)["fitsIndex"])
        for change, says in (
            ({"model": "bge-m3"}, '"bge-m3" is configured'),
            ({"digest": "00"}, "another version of the model"),
            ({"dimension": 3}, "the model gives 3 now"),
        ):
            compared = against_index(found | change, report)
            self.assertFalse(compared["fitsIndex"])
            self.assertIn(says, compared["reason"])
            self.assertIn("pi-wiki index --semantic", compared["reason"])

    def test_excluded_pages_are_not_missed(self) -> None:
        self.write(".obsidian/app.json", '{"userIgnoreFilters":["wiki/money"]}')
        self.index()
        report = self.inspect()
        self.assertEqual((report["pages"], report["missing"]), (3, 0))

    def test_what_would_be_asked_is_named_but_no_password(self) -> None:
        for address, shown in (
            ("http://127.0.0.1:1", "http://127.0.0.1:1"),
            ("http://me:pw@localhost", None),
        ):
            ctx = Context(self.vault, self.around, {"ollama": {"model": "m", "baseUrl": address}})  # type: ignore[arg-type]
            self.assertEqual(
                inspect_semantic(ctx, self.listing())["configured"], {"model": "m", "address": shown}
            )
        self.assertIsNone(self.inspect()["configured"])

    def test_a_damaged_file_and_chunks_that_never_count_are_told(self) -> None:
        self.index(compat=True)
        self.write(VECTORS_FILE, "no")
        file = Path(self.root, CHUNKS_FILE)
        value = json.loads(file.read_text("utf-8"))
        value["pages"]["wiki/drink.md"]["chunks"][0]["vector"] = [0.0]
        file.write_text(json.dumps(value), "utf-8")
        os.utime(file, (1, 1))
        report = self.inspect()
        self.assertEqual((report["file"], report["unfit"], report["pages"]), (CHUNKS_FILE, 1, 3))
        self.assertIn(f"{VECTORS_FILE} cannot be used", report["reason"])

    def test_what_could_not_be_checked_in_time_is_said(self) -> None:
        self.index()
        self.around.left = 3.9
        report = self.inspect()
        self.assertEqual((report["unchecked"], report["stale"]), (4, 0))


if __name__ == "__main__":
    unittest.main()
