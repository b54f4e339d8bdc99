"""What an index is to those who rank with it, and what a page is to those who index it."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import Iterator, Mapping, Protocol

PLAIN: str = "plain"  # the tokenizer of an index file that does not name one: the case-folded runs of ``\w``


@dataclass(frozen=True, slots=True)
class Facts:
    """What filters and results ask about a page without opening it."""

    title: str
    type: str | None
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Analysed:
    """One page as index data."""

    counts: Mapping[str, int]  # term -> how often it stands in the page
    length: int  # terms in all, repeats counted
    titles: tuple[tuple[str, ...], ...]  # H1, frontmatter title and aliases, each as its tokens; no doubles
    facts: Facts


class Index(Protocol):
    """Pages by number, ``0 <= doc``; numbers of pages that are gone may be left out."""

    count: int  # pages
    average: float  # terms a page, in the mean
    tokenizer: str  # how the pages were cut into terms
    source: str  # ``index-file`` or ``live``

    def path(self, doc: int) -> str: ...

    def length(self, doc: int) -> int: ...

    def facts(self, doc: int) -> Facts | None:
        """``None`` where the index does not know (version 1)."""

    def frequency(self, term: str) -> int:
        """In how many pages the term stands."""

    def postings(self, term: str) -> tuple[array[int], array[int]] | None:
        """The pages with the term, ascending, and how often it stands in each."""

    def titled(self, title: tuple[str, ...]) -> list[int]:
        """Pages whose H1, frontmatter title or one of whose aliases has exactly these tokens."""

    def terms(self, prefix: str = "") -> Iterator[str]:
        """Terms that begin so, in code point order."""

    def doc_of(self, path: str) -> int | None: ...
