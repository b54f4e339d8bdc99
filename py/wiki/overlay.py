"""An index in memory that follows its pages: over an index file, whose pages it masks and adds to, or over nothing."""

from __future__ import annotations

import heapq
from array import array
from bisect import bisect_left
from typing import TYPE_CHECKING, Final, Iterator, NamedTuple, Sequence

from .entries import Entries
from .index import Analysed, Facts
from .postings import Dense, LevelMaker, Postings, make, norm

if TYPE_CHECKING:
    from .packedfile import PackedFile
    from .pages import Page

_COMPACT_FROM: Final = 1_000  # pages gone before it pays to go through every term


class Held(NamedTuple):
    """What is kept of a page apart from its terms."""

    path: str
    length: int
    facts: Facts | None


class LiveIndex:
    """Pages may be added, replaced and removed at any time; counts, frequencies and the mean stay exact.

    The pages held here are numbered from 0 inside, and for everybody else after those of the file.
    A page's number is in ``_gone`` from before its first entry is written until after its last, and everything
    else is worked out from that, so that an interrupt at any point leaves an index that is right about every
    other page.
    """

    def __init__(self, tokenizer: str, base: PackedFile | None = None) -> None:
        self.tokenizer = tokenizer
        self.base = base
        self._first = base.span if base else 0  # the number of the first page held here
        self._pages: list[Held] = []
        self._titles: dict[tuple[str, ...], list[int]] = {}
        self._doc_of: dict[str, int] = {}
        self._entries = Entries()
        self._gone: set[int] = set()  # of the pages held here
        self._masked: set[int] = set()  # of the file's pages
        self._changed()

    @staticmethod
    def of(
        tokenizer: str, pages: list[Held], entries: Entries, titles: dict[tuple[str, ...], list[int]]
    ) -> LiveIndex:
        """An index whose parts are already made; pages are numbered as they are listed."""
        index = LiveIndex(tokenizer)
        index._pages = pages
        index._entries = entries
        index._titles = titles
        index._doc_of = {held.path: number for number, held in enumerate(pages)}
        return index

    def paths(self) -> Iterator[str]:
        """Paths of the pages held here, in no particular order."""
        return (path for path, number in self._doc_of.items() if number not in self._gone)

    def _changed(self) -> None:
        self._ready: dict[str, Postings | None] = {}
        self._sorted: list[str] | None = None
        self._average: float | None = None
        self._levels: LevelMaker | None = None
        # Where an interrupt came between the two, a number was marked as gone and not given to a page.
        self._gone.discard(len(self._pages))

    @property
    def count(self) -> int:
        under = self.base.count - len(self._masked) if self.base else 0
        return under + len(self._pages) - len(self._gone)

    @property
    def span(self) -> int:
        return self._first + len(self._pages)

    @property
    def average(self) -> float:
        if self._average is None:
            total = sum(held.length for number, held in enumerate(self._pages) if number not in self._gone)
            if self.base:
                total += self.base.total - sum(map(self.base.length, self._masked))
            self._average = total / self.count if self.count else 0.0
        return self._average

    @property
    def reference(self) -> float:
        return (self.base.reference if self.base else self.average) or 1.0

    def add(self, path: str, page: Analysed) -> None:
        """Add a page, or replace what was known of it."""
        self.remove(path)
        number = len(self._pages)
        self._gone.add(number)
        self._pages.append(Held(path, page.length, page.facts))
        self._entries.add(number, page.counts)
        for title in page.titles:
            self._titles.setdefault(title, []).append(number)
        self._doc_of[path] = number
        self._gone.discard(number)

    def remove(self, path: str) -> None:
        """Take a page out, if it is in."""
        self._changed()
        doc = self.doc_of(path)
        if doc is None:
            return
        if doc < self._first:
            self._masked.add(doc)
            return
        self._gone.add(doc - self._first)
        if len(self._gone) >= _COMPACT_FROM and 2 * len(self._gone) > len(self._pages):
            self._compact()

    def has_unchanged(self, path: str, page: Page) -> bool:
        """Whether the file below has just this page, whatever its time says."""
        doc = self.base.doc_of(path) if self.base else None
        return doc is not None and doc not in self._masked and self.base.hash(doc) == page.hash

    def path(self, doc: int) -> str:
        return self._pages[doc - self._first].path if doc >= self._first else self.base.path(doc)

    def length(self, doc: int) -> int:
        return self._pages[doc - self._first].length if doc >= self._first else self.base.length(doc)

    def facts(self, doc: int) -> Facts | None:
        return self._pages[doc - self._first].facts if doc >= self._first else self.base.facts(doc)

    def doc_of(self, path: str) -> int | None:
        number = self._doc_of.get(path)
        if number is not None and number not in self._gone:
            return number + self._first
        doc = self.base.doc_of(path) if self.base else None
        return None if doc in self._masked else doc

    def titled(self, title: tuple[str, ...]) -> list[int]:
        under = [doc for doc in self.base.titled(title) if doc not in self._masked] if self.base else []
        own = [doc + self._first for doc in self._titles.get(title, ()) if doc not in self._gone]
        return under + own

    def terms(self, prefix: str = "") -> Iterator[str]:
        if self._sorted is None:
            self._sorted = sorted(self._entries)
        own = _beginning(self._sorted, prefix)
        last = None
        for term in heapq.merge(self.base.terms(prefix), own) if self.base else own:
            if term != last and (not (self._gone or self._masked) or self.postings(term)):
                yield term
            last = term

    def frequency(self, term: str) -> int:
        if self._gone or self._masked:
            found = self.postings(term)
            return found.frequency if found else 0
        under = self.base.frequency(term) if self.base else 0
        return under + self._entries.frequency(term)

    def postings(self, term: str) -> Postings | None:
        if term not in self._ready:
            self._ready[term] = self._merged(term)
        return self._ready[term]

    def _merged(self, term: str) -> Postings | None:
        docs, tfs = self._entries.pages(term, first=self._first, without=self._gone)
        under = self.base.postings(term) if self.base else None
        if under and not docs and not self._masked:
            return under
        levels = self._level_maker().levels(docs, tfs)
        if isinstance(under, Dense):
            return self._over_dense(under, docs, tfs, levels)
        if under:
            kept = [row for row in zip(under.docs, under.tfs, under.levels) if row[0] not in self._masked]
            docs = array("I", [doc for doc, _, _ in kept]) + docs
            tfs = [*(tf for _, tf, _ in kept), *tfs]
            levels = bytes([one for _, _, one in kept]) + levels
        return make(docs, tfs, levels, self.span) if docs else None

    def _level_maker(self) -> LevelMaker:
        if self._levels is None:
            reference = self.reference
            self._levels = LevelMaker([norm(held.length, reference) for held in self._pages], self._first)
        return self._levels

    def _over_dense(self, under: Dense, docs: array[int], tfs: Sequence[int], levels: bytes) -> Postings | None:
        """The file's postings by page number with masked pages taken out and our own added."""
        by_page = bytearray(under.spread(self.span))
        if isinstance(under.tfs, array) and under.tfs.itemsize > 1 or max(tfs, default=0) > 255:
            times = array("I", under.tfs)
            times.frombytes(bytes(4 * (self.span - len(times))))
        else:
            times = bytearray(under.tfs).ljust(self.span, b"\0")
        frequency = under.frequency + len(docs)
        for doc in self._masked:
            frequency -= by_page[doc] > 0
            by_page[doc] = times[doc] = 0
        for doc, tf, one in zip(docs, tfs, levels):
            times[doc] = tf
            by_page[doc] = one
        return Dense(frequency, times, bytes(by_page), max([under.top, *levels])) if frequency else None

    def _compact(self) -> None:
        """Drop pages that are gone and number the others anew, all in one step as far as anybody can see."""
        fresh = LiveIndex(self.tokenizer, self.base)
        fresh._masked = self._masked
        renumbered: dict[int, int] = {}
        for number, held in enumerate(self._pages):
            if number not in self._gone:
                renumbered[number] = fresh._doc_of[held.path] = len(fresh._pages)
                fresh._pages.append(held)
        fresh._entries = self._entries.renumbered(renumbered)
        for title, numbers in self._titles.items():
            kept = [renumbered[number] for number in numbers if number in renumbered]
            if kept:
                fresh._titles[title] = kept
        self.__dict__.update(fresh.__dict__)


def _beginning(ordered: list[str], prefix: str) -> Iterator[str]:
    for at in range(bisect_left(ordered, prefix), len(ordered)):
        if not ordered[at].startswith(prefix):
            return
        yield ordered[at]
