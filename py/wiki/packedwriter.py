"""Writes the index file that ``packedfile.py`` reads: pages first, as they are analysed, then every term in order."""

from __future__ import annotations

from array import array
from typing import Callable, Final, Iterable, Mapping, NamedTuple, Sequence

from . import jsontext
from .container import ContainerWriter, little
from .index import Analysed
from .keytable import KeyTableWriter
from .packedfile import DENSE, FORMAT, WIDE, digest_of, doc_type
from .postings import Dense, LevelMaker, make, norm

_TF_MOST: Final = 255  # what one byte holds


class TermPages(NamedTuple):
    """A term with its pages, ascending, and how often it stands in each."""

    term: str
    docs: array[int]
    tfs: Sequence[int]


class PageTable:
    """What the file says of pages apart from their terms, in the order of their paths."""

    def __init__(self, *, keeps_titles: bool = False) -> None:
        self.paths: list[str] = []
        self.titles_of: list[tuple[tuple[str, ...], ...]] | None = [] if keeps_titles else None
        self.records = array("I")
        self.lengths = array("I")
        self.hashes = bytearray()
        self.facts = bytearray()
        self.facts_ends = array("I")
        self.titles: dict[str, list[int]] = {}

    def add(self, path: str, record: int, hash: str, page: Analysed) -> int:
        """Add a page whose record begins at byte ``record`` of the listing; its number."""
        doc = len(self.records)
        if self.titles_of is not None:  # only a version-1 file tells them page by page
            self.titles_of.append(page.titles)
            self.paths.append(path)
        self.records.append(record)
        self.lengths.append(page.length)
        self.hashes += bytes.fromhex(hash)
        facts = [page.facts.title, page.facts.type, page.facts.tags]
        self.facts += jsontext.dumps(facts).encode("utf-8")
        self.facts_ends.append(len(self.facts))
        for title in page.titles:
            self.titles.setdefault(" ".join(title), []).append(doc)
        return doc


def write_packed(
    emit: Callable[[bytes], None],
    *,
    pages: PageTable,
    terms: Iterable[TermPages],
    listing: bytes,
    tokenizer: str,
    skipped: Mapping[str, int] | None = None,
    unseen: Sequence[str] = (),
) -> tuple[int, int]:
    """Write the whole file through ``emit``; its length and the number of its terms."""
    writer = ContainerWriter(emit)
    writer.section("listing")
    writer.write(listing)
    for name, data in (
        ("records", little(pages.records)),
        ("lengths", little(pages.lengths)),
        ("hashes", pages.hashes),
        ("facts", pages.facts),
        ("facts.ends", little(pages.facts_ends)),
    ):
        writer.section(name)
        writer.write(data)
    table = _write_postings(writer, pages, terms)
    table.write(writer, "terms")
    _write_titles(writer, pages)
    facts = {
        "format": FORMAT,
        "tokenizer": tokenizer,
        "pages": len(pages.records),
        "total": sum(pages.lengths),
        "digest": digest_of(listing),
        "entries": listing.count(b"\0"),
        "skipped": dict(skipped or {}),
        "unseen": list(unseen),
    }
    return writer.finish(facts), table.keys


def _write_postings(writer: ContainerWriter, pages: PageTable, terms: Iterable[TermPages]) -> KeyTableWriter:
    count = len(pages.lengths)
    average = (sum(pages.lengths) / count if count else 0.0) or 1.0
    level_maker = LevelMaker([norm(length, average) for length in pages.lengths])
    kind = doc_type(count)
    table = KeyTableWriter()
    writer.section("postings")
    for term, docs, tfs in terms:
        wide = max(tfs) > _TF_MOST
        form = WIDE if wide else 0
        postings = make(docs, tfs, level_maker.levels(docs, tfs), count)
        if isinstance(postings, Dense):
            form |= DENSE
            data = b""
        else:
            data = little(array(kind, docs))
        data += (little(array("I", postings.tfs)) if wide else bytes(postings.tfs)) + postings.levels
        writer.write(data)
        table.add(term, len(docs), form | postings.top << 8, len(data))
    return table


def _write_titles(writer: ContainerWriter, pages: PageTable) -> None:
    table = KeyTableWriter()
    docs = array("I")
    for title in sorted(pages.titles):
        numbers = pages.titles[title]
        table.add(title, len(numbers), 0, 4 * len(numbers))
        docs.extend(numbers)
    writer.section("title-pages")
    writer.write(little(docs))
    table.write(writer, "titles")
