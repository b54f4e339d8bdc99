"""The packed index file: what was put in comes out, and damage anywhere gives a reason and never a wrong answer."""

from __future__ import annotations

import hashlib
import random
import struct
import unittest
from pathlib import Path
from unittest import mock
from zlib import crc32

from indexed import FILES, Indexed, ranking
from wiki import packedfile, postings
from wiki.container import CHUNK, MAGIC, Container, ContainerWriter
from wiki.heldfile import HeldFile, look_at
from wiki.index import Damaged, Facts
from wiki.keytable import KeyTable, KeyTableWriter
from wiki.packedfile import PATH, PackedFile


class Packed(Indexed):
    def open(self) -> PackedFile:
        packed = PackedFile(self.vault, look_at(self.vault, PATH))
        self.addCleanup(packed.file.let_go)
        return packed

    def some_pages(self) -> None:
        head = "---\ntitle: Coffee\ntype: drink\ntags: [hot, black]\naliases: [Java]\n---\n"
        self.write("wiki/b/coffee.md", f"{head}# Café\nbean bean")
        self.write("wiki/a.md", "# Tea\nleaf and bean")
        self.write("wiki/z é.md", "no heading, no bean " + "often " * 300)
        self.write("wiki/index.md", "a list of pages is no page")

    def everything(self) -> object:
        """All that can be asked of the file as it is now."""
        packed = self.open()
        try:
            pages = [
                (packed.entry(doc), packed.hash(doc), packed.length(doc), packed.facts(doc))
                for doc in range(packed.count)
            ]
            terms = [(term, packed.frequency(term), ranking(packed, [term, "bean"])) for term in packed.terms()]
            titles = [packed.titled((title,)) for title in ("tea", "java", "bean")]
            return packed.listing, packed.average, pages, terms, titles, packed.doc_of("wiki/a.md")
        finally:
            packed.file.let_go()


class WhatIsInIt(Packed):
    def test_pages_are_numbered_in_the_order_of_their_paths(self) -> None:
        self.some_pages()
        self.build()
        packed = self.open()
        self.assertEqual([packed.path(doc) for doc in range(3)], ["wiki/a.md", "wiki/b/coffee.md", "wiki/z é.md"])
        self.assertEqual([packed.doc_of(packed.path(doc)) for doc in range(packed.count)], [0, 1, 2])
        for absent in ("wiki/index.md", "", "wiki/a.mdx", "wiki/zz.md"):
            self.assertIsNone(packed.doc_of(absent))

    def test_facts_titles_and_hashes_are_those_of_the_pages(self) -> None:
        self.some_pages()
        self.build()
        packed = self.open()
        self.assertEqual(packed.facts(0), Facts("Tea", None, ()))
        self.assertEqual(packed.facts(1), Facts("Coffee", "drink", ("hot", "black")))
        self.assertEqual(packed.facts(2), Facts("z é", None, ()))
        for title in ("coffee", "java", "cafe"):
            self.assertEqual(packed.titled((title,)), [1], title)
        self.assertEqual(packed.titled(("coffee", "java")), [])
        self.assertEqual(packed.hash(0), hashlib.sha256(Path(self.root, "wiki/a.md").read_bytes()).hexdigest())

    def test_a_term_of_any_frequency_comes_back(self) -> None:
        for pages, small in ((3, 65_536), (40, 65_536), (40, 10)):  # dense and sparse, numbers of two bytes and of four
            with mock.patch.object(packedfile, "SMALL_PAGES", small), mock.patch.object(postings, "_DENSE_FROM", 8):
                for at in range(pages):
                    often = "often " * (300 if at == 1 else at % 5)
                    self.write(f"wiki/{at:02}.md", f"every page rare{at} {often}{'some ' * (at % 9 == 0)}")
                self.build()
                packed = self.open()
                self.assertEqual(self.pages_of(packed, "page"), {at: 1 for at in range(pages)})
                self.assertEqual(self.pages_of(packed, "rare2"), {2: 1})
                self.assertEqual(self.pages_of(packed, "some"), {at: 1 for at in range(0, pages, 9)})
                expected = {at: 300 if at == 1 else at % 5 for at in range(pages) if at % 5}
                self.assertEqual(self.pages_of(packed, "often"), expected)
                self.assertIsNone(packed.postings("nowhere"))

    def pages_of(self, packed: PackedFile, term: str) -> dict[int, int]:
        docs, tfs = packed.postings(term).pairs()
        self.assertEqual(len(docs), packed.frequency(term))
        self.assertEqual([packed.postings(term).times(doc) for doc in docs], list(tfs))
        return dict(zip(docs, tfs))

    def test_what_is_kept_of_a_page_is_bounded_and_can_always_be_read(self) -> None:
        tags = " ".join(f"#tag{n}-{'x' * 150}" for n in range(1_500))
        self.write("wiki/big.md", f"# {'&quot; ' * 100_000}\n{tags} #{'y' * 300}\n")
        self.write("wiki/small.md", "# Tea")
        self.build()
        packed = self.open()
        facts = packed.facts(0)
        self.assertEqual((len(facts.title), len(facts.tags)), (1_000, 1_000))
        self.assertEqual(packed.facts(1), Facts("Tea", None, ()))
        self.assertEqual(packed.titled(("tea",)), [1])

    def test_no_page_at_all_is_an_index_too(self) -> None:
        self.write("wiki/index.md")
        self.build()
        packed = self.open()
        self.assertEqual((packed.count, packed.average, list(packed.terms())), (0, 0.0, []))
        self.assertEqual(ranking(packed, ["a"]), [])


class Tables(Packed):
    def test_keys_are_found_in_order_and_by_prefix(self) -> None:
        words = sorted({f"w{n}" for n in range(300)} | {"𝔘", "é", "日本", "a", "zz"})
        table = KeyTableWriter()
        for number, word in enumerate(words):
            table.add(word, number, number % 7, number % 5)
        pieces: list[bytes] = []
        writer = ContainerWriter(pieces.append)
        table.write(writer, "keys")
        writer.finish({})
        self.put("index.bin", b"".join(pieces))
        file = HeldFile(self.vault, PATH, look_at(self.vault, PATH))
        self.addCleanup(file.let_go)
        keys = KeyTable(Container(file), "keys", lambda number, form: number % 5)
        self.assertEqual(list(keys.beginning("")), words)
        self.assertEqual(list(keys.beginning("w29")), ["w29", *(f"w29{n}" for n in range(10))])
        self.assertEqual(list(keys.beginning("x")), [])
        place = 0
        for number, word in enumerate(words):
            self.assertEqual(keys.find(word), (number, number % 7, place))
            place += number % 5
        for absent in ("", "0", "w", "w3000", "日", "\U0010ffff"):
            self.assertIsNone(keys.find(absent))

    def test_sections_longer_than_a_chunk_come_back_whole_and_in_pieces(self) -> None:
        data = random.Random(3).randbytes(5 * CHUNK + 17)
        pieces: list[bytes] = []
        writer = ContainerWriter(pieces.append)
        writer.section("one")
        for start in range(0, len(data), 10_007):
            writer.write(data[start : start + 10_007])
        writer.section("two")
        writer.section("three")
        writer.write(b"end")
        length = writer.finish({"more": 1})
        self.put("index.bin", b"".join(pieces))
        file = HeldFile(self.vault, PATH, look_at(self.vault, PATH))
        self.addCleanup(file.let_go)
        self.assertEqual(file.size, length)
        container = Container(file)
        self.assertEqual(container.header["more"], 1)
        self.assertEqual((container.read("one"), container.read("two"), container.read("three")), (data, b"", b"end"))
        for start, amount in ((0, 1), (CHUNK - 20, 40), (5 * CHUNK, 17), (1, 4 * CHUNK), (7, 0)):
            self.assertEqual(container.read("one", start, amount), data[start : start + amount])
        for start, amount in ((0, len(data) + 1), (-1, 2), (len(data), 1), (0, -1)):
            with self.assertRaises(Damaged):
                container.read("one", start, amount)


class Damage(Packed):
    def setUp(self) -> None:
        super().setUp()
        self.some_pages()
        self.build()
        self.data = Path(self.root, FILES, "index.bin").read_bytes()
        self.whole = self.everything()

    def assert_damaged(self, data: bytes, what: object) -> None:
        self.put("index.bin", data)
        with self.assertRaises(Damaged, msg=what) as caught:
            self.everything()
        self.assertRegex(str(caught.exception), r"^It .*\.$|^Its .*\.$|^A .*\.$")

    def test_any_changed_byte_is_noticed(self) -> None:
        chance = random.Random(5)
        places = {*range(0, len(self.data), 11), *range(len(self.data) - 60, len(self.data)), *range(20)}
        for at in sorted(places):
            changed = bytearray(self.data)
            changed[at] ^= 1 << chance.randrange(8)
            self.assert_damaged(bytes(changed), at)

    def test_a_file_cut_short_or_grown_is_noticed(self) -> None:
        for length in (0, 1, 50, len(self.data) // 2, len(self.data) - 1):
            self.assert_damaged(self.data[:length], length)
        self.assert_damaged(self.data + b"\0", "grown")
        self.assert_damaged(b"{}" * 2_000, "another kind of file")

    def test_what_has_the_right_checksums_and_makes_no_sense_does_no_harm(self) -> None:
        chance = random.Random(8)
        body, header, sums = struct.unpack_from("<QQI", self.data, len(self.data) - 40)
        for _ in range(300):
            parts = [bytearray(self.data[:body]), bytearray(self.data[body : body + header])]
            part = chance.choice(parts)
            for _ in range(chance.randint(1, 4)):
                part[chance.randrange(len(part))] = chance.choice((0, 1, 0x30, 0x39, 0x7F, 0xFF))
            self.put("index.bin", with_checksums(bytes(parts[0]), bytes(parts[1])))
            try:
                self.everything()
            except Damaged:
                pass

    def test_a_file_replaced_while_it_is_read_is_noticed(self) -> None:
        packed = self.open()
        packed.file.let_go()
        self.put("index.bin", self.data[:-1] + b"x")
        with self.assertRaisesRegex(Damaged, "replaced"):
            packed.postings("bean")

    def test_without_damage_everything_is_there(self) -> None:
        self.assertEqual(self.everything(), self.whole)


def with_checksums(body: bytes, header: bytes) -> bytes:
    sums = b"".join(struct.pack("<I", crc32(body[at : at + CHUNK])) for at in range(0, len(body), CHUNK))
    numbers = struct.pack("<QQI", len(body), len(header), len(sums) // 4)
    return body + header + sums + numbers + struct.pack("<I", crc32(numbers, crc32(header + sums))) + MAGIC


if __name__ == "__main__":
    unittest.main()
