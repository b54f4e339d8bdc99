"""An index in memory that follows its pages: over an index file, whose pages it masks and adds to, or over nothing."""

from __future__ import annotations

from array import array
from typing import Final, Iterator

from .index import Analysed, Facts

_TF_BITS: Final = 8  # an entry is ``doc << 8 | min(tf, 255)`` in 32 bits: 16 million pages
_TF_MOST: Final = 255
_COMPACT_FROM: Final = 1_000  # pages gone before it pays to go through every term


class LiveIndex:
    """Pages may be added, replaced and removed at any time; counts, frequencies and the average stay exact.

    A page's number is in ``_gone`` from before its first posting is written until its last one is, so that an
    interrupt at any point leaves an index that is right about every other page.
    """

    source = "live"

    def __init__(self, tokenizer: str) -> None:
        self.tokenizer = tokenizer
        self.count = 0
        self._total = 0
        self._paths: list[str] = []
        self._lengths = array("I")
        self._facts: list[Facts] = []
        self._titles: dict[tuple[str, ...], list[int]] = {}
        self._doc_of: dict[str, int] = {}
        self._entries: dict[str, array[int]] = {}
        self._often: dict[str, dict[int, int]] = {}  # term -> page -> times, from 255 on
        self._gone: set[int] = set()
        self._ready: dict[str, tuple[array[int], array[int]]] = {}

    @property
    def average(self) -> float:
        return self._total / self.count if self.count else 0.0

    def add(self, path: str, page: Analysed) -> None:
        """Add a page, or replace what was known of it."""
        self.remove(path)
        doc = len(self._paths)
        self._gone.add(doc)
        self._paths.append(path)
        self._lengths.append(page.length)
        self._facts.append(page.facts)
        entries = self._entries
        mark = doc << _TF_BITS
        for term, times in page.counts.items():
            if times >= _TF_MOST:
                self._often.setdefault(term, {})[doc] = times
                times = _TF_MOST
            known = entries.get(term)
            if known is None:
                entries[term] = array("I", (mark | times,))
            else:
                known.append(mark | times)
        for title in page.titles:
            self._titles.setdefault(title, []).append(doc)
        self._ready = {}
        self._doc_of[path] = doc
        self._gone.discard(doc)
        self._total += page.length
        self.count += 1

    def remove(self, path: str) -> bool:
        """Take a page out; false when it was not in."""
        doc = self._doc_of.pop(path, None)
        if doc is None:
            return False
        self._gone.add(doc)
        self._ready = {}
        self._total -= self._lengths[doc]
        self.count -= 1
        return True

    def path(self, doc: int) -> str:
        return self._paths[doc]

    def length(self, doc: int) -> int:
        return self._lengths[doc]

    def facts(self, doc: int) -> Facts | None:
        return self._facts[doc]

    def doc_of(self, path: str) -> int | None:
        return self._doc_of.get(path)

    def titled(self, title: tuple[str, ...]) -> list[int]:
        return [doc for doc in self._titles.get(title, ()) if doc not in self._gone]

    def terms(self, prefix: str = "") -> Iterator[str]:
        return iter(sorted(term for term in self._entries if term.startswith(prefix) and self.frequency(term)))

    def frequency(self, term: str) -> int:
        found = self.postings(term)
        return len(found[0]) if found else 0

    def postings(self, term: str) -> tuple[array[int], array[int]] | None:
        known = self._ready.get(term)
        if known is None:
            known = self._ready[term] = self._postings(term)
        return known if known[0] else None

    def _postings(self, term: str) -> tuple[array[int], array[int]]:
        entries = self._entries.get(term, ())
        gone = self._gone
        kept = [entry for entry in entries if entry >> _TF_BITS not in gone] if gone else entries
        docs = array("I", [entry >> _TF_BITS for entry in kept])
        tfs = array("I", [entry & _TF_MOST for entry in kept])
        often = self._often.get(term)
        if often:
            tfs = array("I", [often.get(doc, tf) for doc, tf in zip(docs, tfs)])
        return docs, tfs
