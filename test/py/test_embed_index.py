"""Building the semantic index: what holds is kept, what failed is named, and a file is whole or not there."""

from __future__ import annotations

import json
import unittest
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from meanings import CONCEPTS, DIGEST, MODEL, Meanings
from swapping import swapped
from wiki import chunksjson, embed_index
from wiki.chunks import CHUNKS_FILE, MAX_CHARS, VECTORS_FILE, hash_of
from wiki.embed_index import build_semantic
from wiki.semantic import semantic_ranking
from wiki.vectorsfile import open_vectors


def about(concept: int, number: int, characters: int = 300) -> str:
    words = CONCEPTS[concept].split()
    return " ".join(words[(at + number) % len(words)] for at in range(characters // 8)) + "."


class Building(Meanings):
    def setUp(self) -> None:
        super().setUp()
        chunksjson.forget()
        for number in range(6):
            self.write(f"wiki/page-{number}.md", f"# Page {number}\n\n{about(number % 4, number)}\n")

    def build(self, **options: Any) -> dict[str, Any]:
        self.around.questions.clear()
        report = build_semantic(self.ctx, self.listing(), **options)
        json.dumps(report)
        self.publish()
        return report

    def covered(self) -> list[str]:
        store = open_vectors(self.vault)
        try:
            return list(store.paths)
        finally:
            store.close()

    def test_every_page_is_embedded_once_below_its_title(self) -> None:
        report = self.build()
        self.assertEqual(
            {
                key: report[key]
                for key in ("pages", "chunks", "kept", "embedded", "pending", "deferred", "error")
            },
            {"pages": 6, "chunks": 6, "kept": 0, "embedded": 6, "pending": 0, "deferred": [], "error": None},
        )
        self.assertEqual((report["model"], report["modelDigest"]), (MODEL, DIGEST))
        self.assertEqual([file["name"] for file in report["files"]], ["vectors.bin"])
        texts = self.around.embedded()
        self.assertEqual(len(texts), 6)
        self.assertTrue(texts[0].startswith("Title: Page 0\n# Page 0\n\ncoffee"))
        self.assertIn("Embedding pages", self.around.told)

    def test_nothing_is_embedded_or_written_where_nothing_changed(self) -> None:
        self.build()
        report = self.build()
        self.assertEqual((report["kept"], report["embedded"], report["files"]), (6, 0, []))
        self.assertEqual(self.around.embedded(), [])

    def test_only_what_changed_is_embedded_again_and_the_rest_keeps_its_bytes(self) -> None:
        self.build()
        before = Path(self.root, VECTORS_FILE).read_bytes()
        text = Path(self.root, "wiki/page-3.md").read_text("utf-8")
        self.write("wiki/page-3.md", text + "More.")
        report = self.build()
        self.assertEqual((report["kept"], report["embedded"]), (5, 1))
        self.write("wiki/page-3.md", text)
        self.build()
        self.assertEqual(Path(self.root, VECTORS_FILE).read_bytes(), before)

    def test_a_deleted_page_leaves_the_file(self) -> None:
        self.build()
        Path(self.root, "wiki/page-2.md").unlink()
        report = self.build()
        self.assertEqual((report["pages"], report["kept"], len(report["files"])), (5, 5, 1))
        self.assertNotIn("wiki/page-2.md", self.covered())

    def test_another_version_of_the_model_embeds_everything_again(self) -> None:
        self.build()
        self.around.digest = "0" * 60
        report = self.build()
        self.assertEqual((report["kept"], report["embedded"], report["modelDigest"]), (0, 6, "0" * 60))

    def test_excluded_and_reserved_pages_are_not_sent(self) -> None:
        self.write(".obsidian/app.json", '{"userIgnoreFilters":["wiki/page-1"]}')
        self.write("wiki/index.md", "Coffee.")
        self.build()
        self.assertEqual(len(self.covered()), 5)
        self.assertFalse([text for text in self.around.embedded() if "Page 1" in text or "index" in text])

    def test_a_blank_page_is_covered_without_asking(self) -> None:
        self.write("wiki/blank.md", " \n\n")
        report = self.build()
        self.assertEqual((report["pages"], report["chunks"]), (7, 6))
        self.assertIn("wiki/blank.md", self.covered())

    def test_a_long_page_is_compared_then_cut_where_the_subject_changes(self) -> None:
        parts = [
            about(0, 1, 450),
            about(0, 2, 450),
            about(1, 1, 450),
            about(1, 2, 450),
            about(2, 1, 450),
            about(2, 2, 450),
        ]
        text = "\n\n".join(parts)
        self.write("wiki/long.md", text)
        self.build()
        store = open_vectors(self.vault)
        page = store.paths.index("wiki/long.md")
        rows = range(store.first[page], store.first[page + 1])
        chunks = [text[store.starts[row] : store.ends[row]] for row in rows]
        self.assertEqual(chunks, ["\n\n".join(parts[at : at + 2]) for at in (0, 2, 4)])
        self.assertEqual([store.source_hash(row) for row in rows], [hash_of(chunk) for chunk in chunks])
        store.close()

    def test_two_builds_of_the_same_pages_give_the_same_bytes(self) -> None:
        self.build(compat=True)
        before = [Path(self.root, path).read_bytes() for path in (VECTORS_FILE, CHUNKS_FILE)]
        for path in (VECTORS_FILE, CHUNKS_FILE):
            Path(self.root, path).unlink()
        self.build(compat=True)
        self.assertEqual([Path(self.root, path).read_bytes() for path in (VECTORS_FILE, CHUNKS_FILE)], before)


class Version1(Building):
    def test_the_shared_file_holds_the_same_chunks_with_their_text(self) -> None:
        self.build(compat=True)
        value = json.loads(Path(self.root, CHUNKS_FILE).read_text("utf-8"))
        self.assertEqual((value["version"], len(value["pages"])), (1, 6))
        entry = value["pages"]["wiki/page-0.md"]
        text = Path(self.root, "wiki/page-0.md").read_text("utf-8")
        self.assertEqual({**entry, "chunks": None}, {
            "contentHash": hash_of(text), "model": MODEL, "modelDigest": DIGEST, "chunks": None,
            "settings": {"algorithm": "semantic-adjacent-cosine-v1", "maxChars": 1800, "targetChars": 1000},
        })  # fmt: skip
        chunk = entry["chunks"][0]
        self.assertEqual(sorted(chunk), ["end", "sourceHash", "start", "strategy", "text", "vector"])
        self.assertEqual(chunk["sourceHash"], hash_of(text[chunk["start"] : chunk["end"]]))
        self.assertTrue(chunk["text"].startswith("Title: Page 0\n"))
        self.assertEqual(len(chunk["vector"]), 5)

    def test_what_another_program_wrote_into_it_is_kept_without_asking(self) -> None:
        self.build(compat=True)
        before = Path(self.root, VECTORS_FILE).read_bytes()
        Path(self.root, VECTORS_FILE).unlink()
        report = self.build()
        self.assertEqual((report["kept"], report["embedded"], len(report["files"])), (6, 0, 1))
        self.assertEqual(self.around.embedded(), [])
        store = open_vectors(self.vault)
        self.assertEqual(len(store.paths), 6)
        store.close()
        self.assertEqual(len(before), len(Path(self.root, VECTORS_FILE).read_bytes()))

    def test_chunks_of_other_settings_are_made_anew(self) -> None:
        self.build(compat=True)
        Path(self.root, VECTORS_FILE).unlink()
        file = Path(self.root, CHUNKS_FILE)
        file.write_text(file.read_text("utf-8").replace('"targetChars":1000', '"targetChars":900'), "utf-8")
        self.assertEqual(self.build()["embedded"], 6)


class Failing(Building):
    def test_without_the_model_nothing_is_written_and_the_remedy_is_said(self) -> None:
        self.around.trouble = {"kind": "not-running", "message": "Start it with: ollama serve."}
        report = self.build()
        self.assertEqual(
            (report["error"], report["files"], report["model"]), ("Start it with: ollama serve.", [], None)
        )

    def test_a_page_that_the_model_cannot_take_is_put_off_and_named(self) -> None:
        self.write("wiki/page-2.md", "# Poison\n\ncoffee")
        self.around.refuses = "Poison"
        report = self.build()
        self.assertEqual(
            report["deferred"], [{"page": "wiki/page-2.md", "reason": "Ollama failed with status 500."}]
        )
        self.assertEqual((report["pages"], report["error"], report["deferredCount"]), (5, None, 1))
        self.assertNotIn("wiki/page-2.md", self.covered())
        self.around.refuses = ""
        self.assertEqual((self.build()["embedded"], len(self.covered())), (1, 6))

    def test_a_model_that_can_take_nothing_is_not_asked_for_every_page(self) -> None:
        for number in range(200):
            self.write(f"wiki/many/{number:03}.md", f"coffee {number}")
        self.around.refuses = "Title"
        report = self.build()
        self.assertEqual((report["error"], report["pages"]), ("Ollama failed with status 500.", 0))
        self.assertLess(len(self.around.questions), 20)

    def test_trouble_in_the_middle_keeps_what_was_done_and_the_next_call_goes_on(self) -> None:
        for number in range(200):
            self.write(f"wiki/many/{number:03}.md", f"coffee {number}")
        ask, count = self.around.ask, 0

        def failing(question: dict[str, Any]) -> dict[str, Any]:
            nonlocal count
            count += 1
            return ask(question) if count < 4 else {"error": {"kind": "not-running", "message": "Gone."}}

        self.around.ask = failing  # type: ignore[method-assign]
        report = self.build()
        self.assertEqual(report["error"], "Gone.")
        self.assertTrue(0 < report["pages"] < 206)
        self.assertEqual(report["pages"] + report["pending"], 206)
        self.assertEqual(len(self.covered()), report["pages"])
        self.around.ask = ask  # type: ignore[method-assign]
        after = self.build()
        self.assertEqual((after["kept"], after["pages"], after["pending"]), (report["pages"], 206, 0))

    def test_when_time_is_up_the_rest_waits_for_the_next_call(self) -> None:
        for number in range(200):
            self.write(f"wiki/many/{number:03}.md", f"coffee {number}")
        with swapped(embed_index, "SLICE_SECONDS", 1e-9):
            self.assertEqual(self.build()["pending"], 206)
        clock = iter(range(10_000))
        ticking = SimpleNamespace(monotonic=lambda: float(next(clock)))
        with swapped(embed_index, "time", ticking), swapped(embed_index, "SLICE_SECONDS", 2.0):
            done = self.build()
        self.assertTrue(0 < done["pending"] < 206)
        self.assertEqual(self.build()["pending"], 0)
        self.assertEqual(len(self.covered()), 206)

    def test_a_question_leaves_time_for_writing_what_was_made(self) -> None:
        self.around.left = 9.0
        self.build()
        times = [question["withinMs"] for question in self.around.questions if question["ask"] == "embed"]
        self.assertEqual(set(times), {4_001})

    def test_a_slow_model_is_asked_for_less_at_once(self) -> None:
        ask = self.around.ask

        def slow(question: dict[str, Any]) -> dict[str, Any]:
            if len(question.get("input", ())) > 2:
                return {"error": {"kind": "deadline", "message": "Too slow."}}
            return ask(question)

        self.around.ask = slow  # type: ignore[method-assign]
        report = self.build()
        self.assertEqual((report["pages"], report["error"]), (6, None))

    def test_a_model_that_is_still_loading_is_waited_for_but_not_for_ever(self) -> None:
        ask, late = self.around.ask, 0

        def loading(question: dict[str, Any]) -> dict[str, Any]:
            nonlocal late
            if "input" in question and late:
                late -= 1
                return {"error": {"kind": "deadline", "message": "Too slow."}}
            return ask(question)

        self.around.ask = loading  # type: ignore[method-assign]
        late = 2  # the batch, then one text of it
        self.assertEqual((self.build()["pages"], late), (6, 0))
        self.around.digest = "2" * 60
        late = 1_000
        self.assertEqual(self.build()["error"], "Too slow.")
        self.assertGreater(late, 980)

    def test_a_model_that_is_replaced_meanwhile_ends_the_call(self) -> None:
        ask = self.around.ask

        def replaced(question: dict[str, Any]) -> dict[str, Any]:
            answer = ask(question)
            return answer | {"digest": "1" * 60} if "input" in question else answer

        self.around.ask = replaced  # type: ignore[method-assign]
        report = self.build()
        self.assertEqual((report["pages"], report["files"]), (0, []))
        self.assertIn("replaced", report["error"])

    def test_a_damaged_file_is_made_anew(self) -> None:
        self.build()
        file = Path(self.root, VECTORS_FILE)
        data = file.read_bytes()
        for changed in (
            data[:50],
            data[:-1] + b"x",
            data[: len(data) // 2] + b"\0" * (len(data) - len(data) // 2),
        ):
            file.write_bytes(changed)
            report = self.build()
            self.assertEqual(report["pages"], 6)
            self.assertEqual(file.read_bytes(), data)

    def test_a_page_of_a_million_characters_is_put_off(self) -> None:
        self.write("wiki/huge.md", "coffee " * 150_000)
        report = self.build()
        self.assertEqual([put_off["page"] for put_off in report["deferred"]], ["wiki/huge.md"])

    def test_what_is_built_is_what_search_finds(self) -> None:
        self.build()
        ranking = semantic_ranking(self.ctx, "espresso", self.paths())
        self.assertIsNone(ranking.error)
        self.assertIn(ranking.pages[0].path, ("wiki/page-0.md", "wiki/page-4.md"))

    def test_no_text_that_is_embedded_is_longer_than_it_may_be(self) -> None:
        self.write("wiki/long.md", f"# {'title ' * 200}\n\n{about(1, 0, 20_000)}")
        self.build()
        self.assertLess(max(map(len, self.around.embedded())), MAX_CHARS + 700)


if __name__ == "__main__":
    unittest.main()
