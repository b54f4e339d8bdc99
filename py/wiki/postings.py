"""One term's pages: how often it stands in each, and how much that can be worth.

Beside the counts stands a *level* for each page, one byte: the length-normalised weight of the term in the page,
``tf / (tf + norm)``, in steps of 1/255 rounded up (pre-computed impacts, Anh and Moffat, SIGIR 2006). Levels are
bounds, never scores: with them whole lists of pages are compared at the speed of C, and the formula is worked out
for the few pages that may still be among the best.

A level is made with the mean length of one moment, the index's ``reference``. When the mean has grown to
``average`` since, ``level * average / reference`` still bounds the weight, because ``norm`` shrinks by no more.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from itertools import compress
from math import ceil
from typing import Final, Sequence

K1: Final = 1.5  # how soon repeating a term stops helping
B: Final = 0.75  # how strongly a long page is marked down
LEVELS: Final = 255
_DENSE_FROM: Final = 16  # a term in one of so many pages is kept by page: more bytes, no search for a page


def norm(length: int, average: float) -> float:
    """What a page's length adds to the divisor: ``k1 * (1 - b + b * length / average)``. Without any length on average,
    as in pages of nothing but emoji, there is none to add."""
    return K1 * (1 - B + B * length / (average or 1.0))


class LevelMaker:
    """Makes levels for pages whose ``norms`` are given, the first of them for page number ``first``."""

    def __init__(self, norms: Sequence[float], first: int = 0) -> None:
        self._norms = norms
        self._first = first
        self._of_one: bytes | None = None  # the level of a term that stands once, by page

    def levels(self, docs: array[int], tfs: Sequence[int]) -> bytes:
        norms, first = self._norms, self._first
        if first:
            return bytes([ceil(LEVELS * tf / (tf + norms[doc - first])) for doc, tf in zip(docs, tfs)])
        if len(docs) > 1 and max(tfs) == 1:
            if self._of_one is None:
                self._of_one = bytes([ceil(LEVELS / (1 + norm)) for norm in norms])
            return bytes(map(self._of_one.__getitem__, docs))
        return bytes([ceil(LEVELS * tf / (tf + norms[doc])) for doc, tf in zip(docs, tfs)])


class Sparse:
    """Pages ascending, with ``tfs`` and ``levels`` beside them."""

    __slots__ = ("docs", "tfs", "levels", "top")

    def __init__(self, docs: array[int], tfs: Sequence[int], levels: bytes, top: int) -> None:
        self.docs = docs
        self.tfs = tfs
        self.levels = levels
        self.top = top  # no level is higher

    @property
    def frequency(self) -> int:
        return len(self.docs)

    def times(self, doc: int) -> int:
        """How often the term stands in the page; 0 when it does not."""
        at = bisect_left(self.docs, doc)
        return self.tfs[at] if at < len(self.docs) and self.docs[at] == doc else 0

    def spread(self, span: int) -> bytes | bytearray:
        """The levels by page number, for ``span`` pages; 0 where the term is not."""
        by_page = bytearray(span)
        for doc, level in zip(self.docs, self.levels):
            by_page[doc] = level
        return by_page

    def pairs(self) -> tuple[array[int], Sequence[int]]:
        """The pages, ascending, and how often the term stands in each."""
        return self.docs, self.tfs

    def size(self) -> int:
        """Bytes in memory, roughly."""
        return len(self.docs) * 6 + 300


class Dense:
    """``tfs`` and ``levels`` by page number, for a term that many pages have."""

    __slots__ = ("frequency", "tfs", "levels", "top")

    def __init__(self, frequency: int, tfs: Sequence[int], levels: bytes, top: int) -> None:
        self.frequency = frequency
        self.tfs = tfs
        self.levels = levels
        self.top = top

    def times(self, doc: int) -> int:
        return self.tfs[doc] if doc < len(self.tfs) else 0

    def spread(self, span: int) -> bytes | bytearray:
        return self.levels if len(self.levels) == span else self.levels.ljust(span, b"\0")

    def pairs(self) -> tuple[array[int], Sequence[int]]:
        docs = array("I", compress(range(len(self.levels)), self.levels))
        return docs, array("I", filter(None, self.tfs))

    def size(self) -> int:
        return len(self.levels) * 2 + 300


Postings = Sparse | Dense


def is_dense(frequency: int, span: int) -> bool:
    return frequency * _DENSE_FROM >= span


def make(docs: array[int], tfs: Sequence[int], levels: bytes, span: int) -> Postings:
    """Postings of one term over page numbers below ``span``, in the form that suits its frequency."""
    top = max(levels)
    if not is_dense(len(docs), span):
        return Sparse(docs, tfs, levels, top)
    dense_tfs = bytearray(span) if max(tfs) <= LEVELS else array("I", bytes(4 * span))
    dense_levels = bytearray(span)
    for doc, tf, one in zip(docs, tfs, levels):
        dense_tfs[doc] = tf
        dense_levels[doc] = one
    return Dense(len(docs), dense_tfs, bytes(dense_levels), top)
