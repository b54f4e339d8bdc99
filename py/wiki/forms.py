"""The forms of English words in an index: a term that stands for all words with one stem."""

from __future__ import annotations

from array import array
from typing import Final

from .index import Index
from .postings import LEVELS, Postings, make
from .stems import stem

_MARK: Final = "\0"  # begins no token


def form(word: str) -> str:
    """The term that stands for all forms of ``word``."""
    return _MARK + stem(word)


class Forms:
    """An index that also has the terms of ``form``. Their pages are those of all words with that stem, their counts
    the sums: what an index of stems would have, without one."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._merged: dict[str, Postings | None] = {}
        self.tokenizer = index.tokenizer
        self.span = index.span
        self.count = index.count
        self.average = index.average
        self.reference = index.reference
        # Asked for each page that is scored: no call more than needed.
        self.path = index.path
        self.length = index.length
        self.facts = index.facts
        self.titled = index.titled
        self.terms = index.terms
        self.doc_of = index.doc_of

    def frequency(self, term: str) -> int:
        found = self.postings(term)
        return found.frequency if found else 0

    def postings(self, term: str) -> Postings | None:
        if not term.startswith(_MARK):
            return self._index.postings(term)
        if term not in self._merged:
            self._merged[term] = self._merge(self.words(term))
        return self._merged[term]

    def words(self, term: str) -> list[str]:
        """The words a term stands for: itself, or all forms."""
        if not term.startswith(_MARK):
            return [term]
        wanted = term[len(_MARK) :]
        # A form may differ from its stem in the last letter: happi, happy. No other stem of three letters ends so.
        beginning = wanted[:-1] if len(wanted) > 3 or wanted.endswith("i") else wanted
        return [word for word in self._index.terms(beginning) if stem(word) == wanted]

    def _merge(self, words: list[str]) -> Postings | None:
        found = [postings for word in words if (postings := self._index.postings(word))]
        if len(found) < 2:
            return found[0] if found else None
        tfs: dict[int, int] = {}
        levels: dict[int, int] = {}
        for postings in found:
            by_page = postings.spread(self.span)
            for doc, tf in zip(*postings.pairs(), strict=True):
                tfs[doc] = tfs.get(doc, 0) + tf
                # The weight of a sum is at most the sum of the weights, so this still bounds it.
                levels[doc] = min(LEVELS, levels.get(doc, 0) + by_page[doc])
        docs = sorted(tfs)
        return make(array("I", docs), [tfs[doc] for doc in docs], bytes([levels[doc] for doc in docs]), self.span)
