"""What an index is to those who rank with it, and what a page is to those who index it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Iterator, Mapping, Protocol

if TYPE_CHECKING:
    from .postings import Postings

PLAIN: Final = "plain"  # the tokenizer of an index file that names none: the case-folded runs of ``\w``


class Damaged(Exception):
    """An index file cannot be used, or turns out damaged while it is read; the message says how, as a sentence.

    Whoever ranks catches it and asks ``live.current`` again: the file is left out from then on.
    """


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
    length: int  # the page's length for ranking, in terms
    titles: tuple[tuple[str, ...], ...]  # H1, frontmatter title and aliases, each as its tokens; no doubles
    facts: Facts


class Index(Protocol):
    """Pages by number, ``0 <= doc < span``; the numbers of pages that are gone stay unused.

    Any method may raise ``Damaged`` where the index lies in a file.
    """

    tokenizer: str  # how the pages were cut into terms

    @property
    def count(self) -> int:
        """Pages."""

    @property
    def span(self) -> int: ...

    @property
    def average(self) -> float:
        """The mean length of a page, in terms."""

    @property
    def reference(self) -> float:
        """The mean length that the levels of the postings were made with, above 0."""

    def path(self, doc: int) -> str: ...

    def length(self, doc: int) -> int: ...

    def facts(self, doc: int) -> Facts | None:
        """``None`` where the index does not know (version 1)."""

    def frequency(self, term: str) -> int:
        """In how many pages the term stands."""

    def postings(self, term: str) -> Postings | None:
        """``None`` when no page has the term."""

    def titled(self, title: tuple[str, ...]) -> list[int]:
        """Pages whose H1, frontmatter title or one of whose aliases has exactly these tokens, ascending."""

    def terms(self, prefix: str = "") -> Iterator[str]:
        """Terms that begin so, in code point order."""

    def doc_of(self, path: str) -> int | None: ...
