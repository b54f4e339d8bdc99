"""The two files of the semantic index: what is read of them, what never counts, and that nothing damaged is
used.
"""

from __future__ import annotations

import json
import os
import random
import unittest
from array import array
from collections.abc import Callable
from math import fsum, sqrt
from operator import mul
from pathlib import Path
from typing import Any

from meanings import DIGEST, MODEL, Meanings
from wiki import chunksjson
from wiki.chunks import CHUNKS_FILE, VECTORS_FILE, Identity, hash_of, unit_vector
from wiki.chunksjson import open_chunks
from wiki.columns import SUM_MAX, weighted_sums, weights
from wiki.context import Vault
from wiki.index import Damaged
from wiki.nearest import nearest
from wiki.stores import open_store
from wiki.vectorsfile import open_vectors
from wiki.vectorswriter import Coded, PagePieces, Piece, write_vectors

TEXT = "# Coffee\n\nEspresso of fresh beans.\n"
SETTINGS = {"algorithm": "semantic-adjacent-cosine-v1", "maxChars": 1800, "targetChars": 1000}


def chunk(**change: Any) -> dict[str, Any]:
    made = {
        "text": f"Title: Coffee\n{TEXT}",
        "start": 0,
        "end": len(TEXT),
        "sourceHash": hash_of(TEXT),
        "vector": [3, 4.0],
    }
    return made | {"strategy": SETTINGS["algorithm"]} | change


def entry(*chunks: Any, **change: Any) -> dict[str, Any]:
    made = {"contentHash": hash_of(TEXT), "model": MODEL, "modelDigest": DIGEST, "settings": SETTINGS}
    return made | {"chunks": list(chunks) or [chunk()]} | change


class FileCase(Meanings):
    def put(self, path: str, data: bytes | str) -> None:
        file = Path(self.root, path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data.encode() if isinstance(data, str) else data)

    def damaged(self, open: Callable[[Vault], Any]) -> str:
        with self.assertRaises(Damaged) as caught:
            open(self.vault)
        return str(caught.exception)


class Version1(FileCase):
    def setUp(self) -> None:
        super().setUp()
        chunksjson.forget()

    def read(self, pages: dict[str, Any], **more: Any) -> Any:
        self.put(CHUNKS_FILE, json.dumps({"version": 1, "pages": pages} | more))
        return open_chunks(self.vault, lambda: None)

    def test_pages_and_chunks_are_read_with_vectors_of_length_one(self) -> None:
        store = self.read(
            {"wiki/a.md": entry(), "wiki/b.md": entry(chunk(start=2), chunk(start=4, vector=[0, -2]))}
        )
        self.assertEqual(store.paths, ["wiki/a.md", "wiki/b.md"])
        self.assertEqual(list(store.first), [0, 1, 3])
        self.assertEqual(list(store.starts), [0, 2, 4])
        self.assertEqual(
            [list(store.vector(row)) for row in range(3)],
            [[array("f", [0.6])[0], array("f", [0.8])[0]]] * 2 + [[0, -1]],
        )
        self.assertEqual(store.identity(0), Identity(MODEL, DIGEST))
        self.assertEqual((store.content_hash(0), store.source_hash(2)), (hash_of(TEXT), hash_of(TEXT)))
        self.assertEqual(store.unfit, 0)

    def test_keys_may_stand_in_any_order_with_any_white_space_and_others_among_them(self) -> None:
        text = json.dumps(
            {"pages": {"wiki/a.md": entry()}, "made by": {"x": [[1], {"y": None}]}, "version": 1}, indent=3
        )
        self.put(CHUNKS_FILE, f"\n {text}\n\n")
        self.assertEqual(open_chunks(self.vault, lambda: None).paths, ["wiki/a.md"])

    def test_a_chunk_that_can_never_count_is_left_out_and_counted(self) -> None:
        unfit = [
            chunk(vector=[]), chunk(vector=[0.0, 0]), chunk(vector=[1, None]), chunk(vector=["1", 2]),
            chunk(vector=[True, 1]), chunk(vector=None), chunk(vector={}), chunk(vector=[1.0] * 16_385),
            chunk(vector=[10**400, 1]), chunk(vector=[[1]]), chunk(start=-1), chunk(start=5, end=5),
            chunk(start=1.0), chunk(start=True), chunk(end="9"), chunk(end=1_801), chunk(sourceHash="x"),
            chunk(sourceHash=None), chunk(sourceHash=hash_of(TEXT).upper()), chunk(text=None), "chunk",
            None, [],
        ]  # fmt: skip
        store = self.read({"wiki/a.md": entry(*unfit, chunk()), "wiki/b.md": entry(*unfit)})
        self.assertEqual((store.paths, len(store.starts)), (["wiki/a.md"], 1))
        self.assertEqual(store.unfit, 2 * len(unfit))

    def test_a_page_whose_facts_are_not_of_the_form_has_no_chunks_that_count(self) -> None:
        def settings(**change: Any) -> dict[str, Any]:
            return {"settings": SETTINGS | change}

        unfit = [
            entry(contentHash="x"), entry(model=""), entry(model=None), entry(modelDigest=None),
            entry(settings=None), entry(**settings(algorithm="other")), entry(**settings(maxChars="1800")),
            entry(**settings(maxChars=63)), entry(**settings(targetChars=0)),
            entry(**settings(targetChars=1_801)), entry(**settings(maxChars=True)), entry(chunks={}),
            entry(chunks=None), None, 1, "page", [],
        ]  # fmt: skip
        store = self.read(
            {f"wiki/{number}.md": page for number, page in enumerate(unfit)} | {"wiki/good.md": entry()}
        )
        self.assertEqual(store.paths, ["wiki/good.md"])
        self.assertEqual(store.unfit, len(unfit))

    def test_numbers_that_are_none_spoil_their_chunk_only(self) -> None:
        text = json.dumps(
            {
                "version": 1,
                "pages": {
                    "wiki/a.md": entry(
                        chunk(vector=[1, float("nan")]), chunk(vector=[1, float("inf")]), chunk()
                    )
                },
            }
        )
        self.put(CHUNKS_FILE, text)
        store = open_chunks(self.vault, lambda: None)
        self.assertEqual((len(store.starts), store.unfit), (1, 2))

    def test_vectors_of_extreme_numbers_are_brought_to_length_one(self) -> None:
        store = self.read({"wiki/a.md": entry(chunk(vector=[3e300, 4e300]), chunk(vector=[3e-300, 4e-300]))})
        for row in range(2):
            self.assertAlmostEqual(store.vector(row)[0], 0.6, places=6)

    def test_what_is_not_whole_json_of_version_1_is_not_used_at_all(self) -> None:
        good = json.dumps({"version": 1, "pages": {"wiki/a.md": entry()}})
        for text in (
            "", "null", "[]", "{}", '{"version":1}', '{"pages":{}}', good + "x", good[:-1],
            good[: len(good) // 2], good.replace('"version": 1', '"version": 2'),
            good.replace('"version": 1', '"version": true'),
            good.replace('"version": 1', '"version": 1, "version": 1'),
            good.replace('"start": 0', '"start": 00'), good.replace(": 0,", ": 0 0,"),
            good.replace("[3,", "[3 ,,"), good.replace('"pages": {', '"pages": ['),
            '{"version":1,"pages":{,}}', '{"version":1,"pages":{}}}', '{"version":1,"pages":{"a":}}',
            '{"version":1 "pages":{}}',
        ):  # fmt: skip
            with self.subTest(text=text[-60:]):
                self.put(CHUNKS_FILE, text)
                self.assertTrue(self.damaged(lambda vault: open_chunks(vault, lambda: None)).endswith("."))

    def test_depth_never_ends_the_interpreter(self) -> None:
        for opening in ("[", '{"a":', '[{"a":'):
            for prefix in ('{"version":1,"x":', '{"version":1,"pages":{"wiki/a.md":'):
                self.put(CHUNKS_FILE, prefix + opening * 100_000)
                self.damaged(lambda vault: open_chunks(vault, lambda: None))

    def test_bytes_that_are_no_utf_8_are_damage(self) -> None:
        self.put(CHUNKS_FILE, b'{"version":1,"pages":{"\xff":1}}')
        self.damaged(lambda vault: open_chunks(vault, lambda: None))

    def test_a_file_larger_than_one_piece_is_read_piece_by_piece_and_kept_until_it_changes(self) -> None:
        dice = random.Random(5)
        vectors = [[dice.uniform(-1, 1) for _ in range(300)] for _ in range(400)]
        pages = {
            f"wiki/é{number:03}.md": entry(chunk(vector=vector)) for number, vector in enumerate(vectors)
        }
        pauses: list[int] = []
        self.put(CHUNKS_FILE, json.dumps({"version": 1, "pages": pages}, ensure_ascii=False))
        store = open_chunks(self.vault, lambda: pauses.append(1))
        self.assertEqual(store.paths, sorted(pages))
        for row in (0, 200, 399):
            self.assertEqual(store.vector(row), unit_vector(vectors[row]))
        read = len(pauses)
        self.assertGreater(read, 2)
        self.assertIs(open_chunks(self.vault, lambda: pauses.append(1)), store)
        self.assertEqual(len(pauses), read)
        self.put(CHUNKS_FILE, json.dumps({"version": 1, "pages": {"wiki/a.md": entry()}}))
        self.assertEqual(open_chunks(self.vault, lambda: None).paths, ["wiki/a.md"])

    def test_no_file_is_no_index_and_a_link_is_not_followed(self) -> None:
        self.assertIsNone(open_chunks(self.vault, lambda: None))
        self.put("elsewhere.json", json.dumps({"version": 1, "pages": {}}))
        os.makedirs(f"{self.root}/.vault-meta/retrieval")
        os.symlink(f"{self.root}/elsewhere.json", f"{self.root}/{CHUNKS_FILE}")
        self.assertIn("symbolic link", self.damaged(lambda vault: open_chunks(vault, lambda: None)))


def pieces_of(vectors: list[array[float]]) -> list[Piece]:
    return [
        Piece.of(10 * at, 10 * at + 9, hash_of(str(at)), Coded.of(vector))
        for at, vector in enumerate(vectors)
    ]


def random_vectors(dice: random.Random, count: int, dimension: int) -> list[array[float]]:
    """Like those of a model: all a little alike, some very much."""
    common = [dice.gauss(0, 1) for _ in range(dimension)]
    vectors = []
    for _ in range(count):
        share = dice.choice((0.3, 0.8, 3.0))
        vectors.append(unit_vector([dice.gauss(0, 1) + share * number for number in common]))
    return vectors


class Compact(FileCase):
    def write_vectors(self, *pages: tuple[str, list[array[float]]], dimension: int = 0) -> bytes:
        data: list[bytes] = []
        made = [PagePieces(path, hash_of(path), pieces_of(vectors)) for path, vectors in pages]
        dimension = dimension or len(pages[0][1][0])
        write_vectors(data.append, made, Identity(MODEL, DIGEST), dimension)
        self.put(VECTORS_FILE, b"".join(data))
        return b"".join(data)

    def test_what_was_written_is_read(self) -> None:
        vectors = random_vectors(random.Random(1), 5, 33)
        self.write_vectors(("wiki/a.md", vectors[:2]), ("wiki/empty.md", []), ("wiki/é.md", vectors[2:]))
        store = open_vectors(self.vault)
        self.assertEqual(store.paths, ["wiki/a.md", "wiki/empty.md", "wiki/é.md"])
        self.assertEqual(list(store.first), [0, 2, 2, 5])
        self.assertEqual([store.vector(row) for row in range(5)], vectors)
        self.assertEqual((store.content_hash(2), store.source_hash(4)), (hash_of("wiki/é.md"), hash_of("2")))
        self.assertEqual(([*store.starts], [*store.ends]), ([0, 10, 0, 10, 20], [9, 19, 9, 19, 29]))
        self.assertEqual(
            (store.identity(0), store.settings(0), store.dimension(0)),
            (Identity(MODEL, DIGEST), (1800, 1000), 33),
        )
        store.close()

    def test_an_index_without_chunks_is_one(self) -> None:
        self.write_vectors(("wiki/empty.md", []), dimension=8)
        store = open_vectors(self.vault)
        self.assertEqual(store.bounds([1.0] * 8), ([], []))
        self.assertEqual(list(nearest(store, [1.0] + [0.0] * 7, ([], []), [0], lambda page, row: True)), [])
        store.close()

    def test_opening_reads_neither_codes_nor_vectors(self) -> None:
        vectors = random_vectors(random.Random(2), 300, 256)
        data = self.write_vectors(("wiki/a.md", vectors))
        at = data.index(vectors[-1].tobytes())
        self.put(VECTORS_FILE, data[:at] + bytes(4) + data[at + 4 :])
        store = open_vectors(self.vault)
        self.assertEqual(store.vector(0), vectors[0])
        with self.assertRaises(Damaged):
            store.vector(299)
        store.close()

    def test_no_changed_byte_is_ever_used(self) -> None:
        vectors = random_vectors(random.Random(3), 3, 16)
        data = self.write_vectors(("wiki/a.md", vectors))
        query = list(vectors[0])
        for at in range(0, len(data), 7):
            self.put(VECTORS_FILE, data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
            with self.subTest(at=at), self.assertRaises(Damaged):
                store = open_vectors(self.vault)
                try:
                    list(nearest(store, query, store.bounds(query), [0], lambda page, row: True))
                finally:
                    store.close()

    def test_a_file_cut_short_or_grown_is_damaged(self) -> None:
        data = self.write_vectors(("wiki/a.md", random_vectors(random.Random(3), 3, 16)))
        for changed in (b"", data[:10], data[: len(data) // 2], data[:-1], data + b"x", data + data):
            self.put(VECTORS_FILE, changed)
            self.damaged(open_vectors)

    def test_a_container_of_something_else_is_damaged(self) -> None:
        from wiki.container import ContainerWriter

        for facts in ({}, {"vectors": 2}, {"vectors": 1, "algorithm": "x"}, {"format": 1}):
            data: list[bytes] = []
            writer = ContainerWriter(data.append)
            writer.section("pages")
            writer.finish(facts)
            self.put(VECTORS_FILE, b"".join(data))
            self.damaged(open_vectors)

    def test_every_exact_cosine_lies_within_its_bounds(self) -> None:
        dice = random.Random(4)
        for dimension, count in ((1, 4), (2, 9), (3, 10), (64, 200), (1_024, 30)):
            vectors = random_vectors(dice, count, dimension)
            self.write_vectors(("wiki/a.md", vectors))
            store = open_vectors(self.vault)
            for query in [*vectors[:3], *random_vectors(dice, 3, dimension)]:
                exact_query = [number / sqrt(fsum(map(mul, query, query))) for number in query]
                low, high = store.bounds(exact_query)
                for row, vector in enumerate(vectors):
                    cosine = fsum(map(mul, exact_query, vector))
                    self.assertTrue(low[row] <= cosine <= high[row], (dimension, row))
            if dimension == 1_024:
                self.assertLess(max(map(float.__sub__, high, low)), 0.04)
            store.close()

    def test_the_nearest_pages_are_those_of_comparing_everything(self) -> None:
        dice = random.Random(6)
        vectors = random_vectors(dice, 400, 96)
        vectors[200:210] = vectors[100:110]  # ties
        pages = [(f"wiki/{number:03}.md", vectors[4 * number : 4 * number + 4]) for number in range(100)]
        self.write_vectors(*pages)
        store = open_vectors(self.vault)
        for query in random_vectors(dice, 5, 96):
            query = [number / sqrt(fsum(map(mul, query, query))) for number in query]
            scores = [[fsum(map(mul, query, vector)) for vector in of_page] for _, of_page in pages]
            order = sorted(range(100), key=lambda page: (-max(scores[page]), pages[page][0]))
            found = list(nearest(store, query, store.bounds(query), range(100), lambda page, row: True))
            self.assertEqual([near.page for near in found], order)
            self.assertEqual([near.score for near in found], [max(scores[page]) for page in order])
        store.close()

    def test_a_chunk_that_does_not_count_makes_room_for_the_next_of_its_page(self) -> None:
        vectors = [unit_vector(numbers) for numbers in ([1, 0.1], [1, 0.5], [0.1, 1], [1, 0.3])]
        self.write_vectors(("wiki/a.md", vectors[:3]), ("wiki/b.md", vectors[3:]))
        store = open_vectors(self.vault)
        near = list(nearest(store, [1.0, 0.0], store.bounds([1.0, 0.0]), [0, 1], lambda page, row: row != 0))
        self.assertEqual([(found.page, found.row) for found in near], [(1, 3), (0, 1)])
        self.assertEqual(
            [
                found.page
                for found in nearest(
                    store, [1.0, 0.0], store.bounds([1.0, 0.0]), [0, 1], lambda page, row: page == 1
                )
            ],
            [1],
        )
        store.close()


class Sums(unittest.TestCase):
    def test_columns_of_bytes_are_summed_by_weight_for_every_row(self) -> None:
        dice = random.Random(8)
        for rows in (1, 2, 3, 4, 100):
            columns = [bytes(dice.randrange(256) for _ in range(rows)) for _ in range(50)]
            given = [dice.choice((0, dice.randrange(-600, 600))) for _ in columns]
            expected = [
                sum(column[row] * weight for column, weight in zip(columns, given)) for row in range(rows)
            ]
            self.assertEqual(weighted_sums(columns, given, rows), expected)

    def test_no_weights_can_make_a_sum_overflow(self) -> None:
        for query in (
            [1.0],
            [1.0, -1.0],
            [1.0] * 16_384,
            [-0.5] * 9_999,
            [1e-30] * 3 + [1.0],
            [0.3, -1.0] * 500,
        ):
            given, unit = weights(query)
            for sign in (1, -1):
                self.assertLessEqual(
                    255 * sum(sign * weight for weight in given if sign * weight > 0), SUM_MAX
                )
            rows = weighted_sums([b"\xff\x00\xff"] * len(query), given, 3)
            self.assertEqual(rows, [255 * sum(given), 0, 255 * sum(given)])
            self.assertAlmostEqual(given[-1] * unit, query[-1], delta=unit)


class WhichFile(FileCase):
    def put_both(self) -> None:
        data: list[bytes] = []
        made = [PagePieces("wiki/a.md", hash_of(TEXT), pieces_of([unit_vector([3.0, 4.0])]))]
        write_vectors(data.append, made, Identity(MODEL, DIGEST), 2)
        self.put(VECTORS_FILE, b"".join(data))
        self.put(CHUNKS_FILE, json.dumps({"version": 1, "pages": {"wiki/a.md": entry()}}))

    def opened(self) -> tuple[str | None, list[str]]:
        store, problems = open_store(self.ctx)
        if store is not None:
            store.close()
        return store and store.file, problems

    def test_the_file_written_last_counts_and_the_compact_one_where_both_are_of_one_moment(self) -> None:
        self.put_both()
        for vectors_at, chunks_at, counts in (
            (2, 1, VECTORS_FILE),
            (1, 2, CHUNKS_FILE),
            (1, 1, VECTORS_FILE),
        ):
            os.utime(f"{self.root}/{VECTORS_FILE}", (vectors_at, vectors_at))
            os.utime(f"{self.root}/{CHUNKS_FILE}", (chunks_at, chunks_at))
            self.assertEqual(self.opened(), (counts, []))

    def test_a_damaged_file_is_reported_and_the_other_counts(self) -> None:
        self.put_both()
        for path, other in ((VECTORS_FILE, CHUNKS_FILE), (CHUNKS_FILE, VECTORS_FILE)):
            self.put_both()
            self.put(path, "{")
            os.utime(f"{self.root}/{other}", (1, 1))
            file, problems = self.opened()
            self.assertEqual(file, other)
            self.assertEqual(len(problems), 1)
            self.assertTrue(problems[0].startswith(f"{path} cannot be used. "))

    def test_no_file_is_no_index_and_no_problem(self) -> None:
        self.assertEqual(self.opened(), (None, []))

    def test_reading_is_given_up_when_time_is_short(self) -> None:
        chunksjson.forget()
        self.put(CHUNKS_FILE, json.dumps({"version": 1, "pages": {}}))
        self.around.left = 1.0
        self.assertIn("pi-wiki index --semantic", self.opened()[1][0])


class Same(unittest.TestCase):
    def test_a_model_without_a_tag_is_its_latest_and_a_digest_may_name_its_kind(self) -> None:
        known = Identity("nomic-embed-text", "abc")
        self.assertTrue(known.is_same(Identity("nomic-embed-text:latest", "sha256:ABC")))
        self.assertTrue(Identity("hf.co:8/a/b", "x").is_same(Identity("hf.co:8/a/b:latest", "x")))
        self.assertFalse(known.is_same(Identity("nomic-embed-text:v1.5", "abc")))
        self.assertFalse(known.is_same(Identity("nomic-embed-text", "abd")))


if __name__ == "__main__":
    unittest.main()
