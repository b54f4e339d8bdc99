"""How often each term stands in each of some pages, while pages are still being added: four bytes a posting."""

from __future__ import annotations

import sys
from array import array
from collections import deque
from itertools import filterfalse
from typing import Collection, Final, Iterator, Mapping, Sequence

# An entry is ``number << 8 | min(tf, 255)`` in 32 bits: enough for 16 million pages.
_TF_BITS: Final = 8
_TF_MOST: Final = 255
_MANY: Final = 12  # from here on, taking entries apart as bytes is faster than one by one


class Entries:
    """Postings by term. Pages are added in the order of their numbers, each once."""

    __slots__ = ("_by_term", "_often", "total")

    def __init__(self) -> None:
        self._by_term: dict[str, array[int]] = {}
        self._often: dict[str, dict[int, int]] = {}  # term -> number -> tf, from 255 on
        self.total = 0

    def __len__(self) -> int:
        return len(self._by_term)

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_term)

    def add(self, number: int, counts: Mapping[str, int]) -> None:
        by_term = self._by_term
        for term in filterfalse(by_term.__contains__, counts):
            by_term[term] = array("I")
        tfs: Collection[int] = counts.values()
        if max(tfs, default=0) >= _TF_MOST:
            for term, tf in counts.items():
                if tf >= _TF_MOST:
                    self._often.setdefault(term, {})[number] = tf
            tfs = [min(tf, _TF_MOST) for tf in tfs]
        # All appended without a step of Python's for each: a page has hundreds of terms.
        entries = map((number << _TF_BITS).__or__, tfs)
        deque(map(array.append, map(by_term.__getitem__, counts), entries), maxlen=0)
        self.total += len(counts)

    def put(self, term: str, pages: list[tuple[int, int]]) -> None:
        """All pages of a term that is new, as ``(number, tf)`` in the order of their numbers."""
        self._by_term[term] = array("I", [number << _TF_BITS | min(tf, _TF_MOST) for number, tf in pages])
        often = {number: tf for number, tf in pages if tf >= _TF_MOST}
        if often:
            self._often[term] = often
        self.total += len(pages)

    def frequency(self, term: str) -> int:
        """In how many pages the term stands, those that were dropped since included."""
        return len(self._by_term.get(term, ()))

    def pages(self, term: str, *, first: int = 0, without: Collection[int] = ()) -> tuple[array[int], Sequence[int]]:
        """The pages with the term, ascending and counted from ``first``, and how often it stands in each."""
        return unpacked(self._by_term.get(term, array("I")), self._often.get(term), first=first, without=without)

    def renumbered(self, numbers: Mapping[int, int]) -> Entries:
        """The same for the pages in ``numbers`` only, under their new numbers, which have the order of the old."""
        fresh = Entries()
        for term, entries in self._by_term.items():
            kept = [(numbers.get(entry >> _TF_BITS), entry & _TF_MOST) for entry in entries]
            packed = array("I", [number << _TF_BITS | tf for number, tf in kept if number is not None])
            if packed:
                fresh._by_term[term] = packed
                fresh.total += len(packed)
        for term, often in self._often.items():
            kept_often = {numbers[number]: tf for number, tf in often.items() if number in numbers}
            if kept_often:
                fresh._often[term] = kept_often
        return fresh


class PackedEntries:
    """Finished entries end to end, without a Python object for each term; read in the order of the terms."""

    def __init__(self, entries: Entries) -> None:
        terms = sorted(entries)
        self._terms = "\n".join(terms).encode("utf-8", "surrogatepass")
        self._counts = array("I", map(entries.frequency, terms))
        self._often = entries._often
        self._entries = array("I")
        for term in terms:
            self._entries += entries._by_term.pop(term)

    def __iter__(self) -> Iterator[tuple[str, array[int], Sequence[int]]]:
        """Each term with its pages, ascending, and how often it stands in each."""
        start = end = 0
        for term, count in zip(_lines(self._terms), self._counts):
            start, end = end, end + count
            yield term, *unpacked(self._entries[start:end], self._often.get(term))


def unpacked(
    entries: array[int], often: Mapping[int, int] | None, *, first: int = 0, without: Collection[int] = ()
) -> tuple[array[int], Sequence[int]]:
    if without:
        entries = array("I", [entry for entry in entries if entry >> _TF_BITS not in without])
    numbers, tfs = _split(entries)
    if often:
        tfs = array("I", [often.get(number, tf) for number, tf in zip(numbers, tfs)])
    return (array("I", [number + first for number in numbers]) if first else numbers), tfs


def _split(entries: array[int]) -> tuple[array[int], Sequence[int]]:
    numbers = array("I")
    if len(entries) < _MANY or sys.byteorder == "big":
        numbers.extend(entry >> _TF_BITS for entry in entries)
        return numbers, bytes([entry & _TF_MOST for entry in entries])
    # The whole buffer moved down by one byte is every entry shifted by eight bits, once the top bytes are cleared.
    data = entries.tobytes()
    moved = bytearray(data[1:] + b"\0")
    moved[3::4] = bytes(len(entries))
    numbers.frombytes(moved)
    return numbers, data[::4]


def _lines(text: bytes) -> Iterator[str]:
    """Line by line without making a list of all."""
    start = 0
    while start < len(text):
        end = text.find(b"\n", start)
        end = len(text) if end < 0 else end
        yield text[start:end].decode("utf-8", "surrogatepass")
        start = end + 1
