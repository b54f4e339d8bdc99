"""Queries with an ISO date: the pages and sections that are about that day or month come first.

A page named ``<topic>-<date>`` answers when its topic begins the query; of several, those with the longest topic. A page
whose title begins the query answers when it has a section (H2 to H6) headed with the date that shares one of the
remaining words, or when no words remain.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Callable, Final, Iterable, Iterator, Sequence

from .index import PLAIN, Index
from .sections import Section
from .tokens import pieces, plain, tokenize
from .words import SINGLE, WORD

_DATE: Final = re.compile(r"(?<!\d)(?<!\d[-./])\d{4}-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?(?!-?\d)")
_BEFORE_DATE: Final = "-_ "  # what may stand between a topic and its date in a name


@dataclass(frozen=True, slots=True)
class Dated:
    """A query with at least one date."""

    dates: tuple[str, ...]
    rest: str  # the query with spaces for its dates

    @property
    def words(self) -> list[str]:
        return words(self.rest)


def dated(query: str) -> Dated | None:
    dates = tuple(dict.fromkeys(_DATE.findall(query)))
    return Dated(dates, _DATE.sub(lambda found: " " * len(found[0]), query)) if dates else None


def words(text: str) -> list[str]:
    """The words of a text for comparing names, titles and queries: without what is kept beside them."""
    return [piece.token for piece in pieces(text) if piece.kind in (WORD, SINGLE)]


def named(wanted: Dated, paths: Iterable[str]) -> list[str]:
    """Pages named ``<topic>-<date>`` whose topic begins the query, the most specific only, by path."""
    ends = tuple(f"{date}.md" for date in wanted.dates)
    asked = wanted.words
    found: list[tuple[int, str]] = []
    for path in paths:
        if path.lower().endswith(ends):
            name = path[path.rfind("/") + 1 : -len(".md")]
            date = next(date for date in wanted.dates if name.endswith(date))
            topic = name[: -len(date)]
            if topic and topic[-1] not in _BEFORE_DATE:
                continue
            about = words(topic)
            # A page named by the date alone is about everything of that day: it answers who asks for the day alone.
            if asked[: len(about)] == about and (about or not asked):
                found.append((len(about), path))
    longest = max((length for length, _ in found), default=0)
    return sorted(path for length, path in found if length == longest)


def titled(wanted: Dated, index: Index) -> Iterator[tuple[int, list[str]]]:
    """Pages whose title begins the query, longer titles first, each with the words that remain."""
    cut: Callable[[str], Sequence[str]] = plain if index.tokenizer == PLAIN else tokenize
    ends = [piece.end for piece in pieces(wanted.rest) if piece.kind in (WORD, SINGLE)]
    asked = wanted.words
    seen: set[int] = set()
    for length in range(len(ends), 0, -1):
        for doc in index.titled(tuple(cut(wanted.rest[: ends[length - 1]]))):
            if doc not in seen:
                seen.add(doc)
                yield doc, asked[length:]


def dated_section(wanted: Dated, text: str, found: Iterable[Section], remaining: Sequence[str]) -> Section | None:
    """The section headed with the date that shares most of the remaining words; of equals, the first."""
    best: tuple[int, Section] | None = None
    asked = set(remaining)
    for section in found:
        if section.level < 2 or not any(
            date.startswith(wanted.dates) for date in _DATE.findall(section.title)
        ):
            continue
        shared = len(asked.intersection(words(text[section.start : section.end]))) if asked else 1
        if shared and (best is None or shared > best[0]):
            best = (shared, section)
    return best[1] if best else None
