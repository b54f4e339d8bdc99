"""The view ``current``: what a page marks as no longer in force is left out, and each piece left out is told.

Marked so are, outside code:

- comments, ``%%…%%`` and ``<!--…-->``;
- struck text, ``~~…~~`` and the elements ``<del>``, ``<s>`` and ``<strike>``;
- callouts of a kind in ``WORDS``, as ``> [!outdated]``;
- sections whose heading is struck, or has one of ``WORDS`` in brackets or as a tag: ``## Fees (superseded)``;
- all of the page behind its frontmatter when the frontmatter's ``status`` is one of ``WORDS``.

Other wording is text like any other: nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from .cut import cut
from .markdown import Structure
from .marks import marks
from .sections import Section

WORDS: Final = (
    "superseded", "deprecated", "obsolete", "outdated", "archived", "withdrawn", "retracted", "rescinded",
)  # fmt: skip
PIECES_MAX: Final = 200  # segments and spans left out in one answer; their list costs more than their text
_ANY_WORD: Final = "|".join(WORDS)
_CALLOUT: Final = re.compile(rf">[ \t]*+\[!({_ANY_WORD})[\]|]", re.I)
_MARKED_HEADING: Final = re.compile(
    rf"""
      ~~[^~]++~~\Z
    | <(?:del|s|strike)>[^<]*+</(?:del|s|strike)>\Z
    # In round brackets the word may say more: by what, since when. Other words after it make it an adjective.
    | .*?[(（][ ]?(?P<round>{_ANY_WORD})(?=[)）,;:–—-]|[ ](?:by|since|in|on|from|as|after|[0-9–—-]))
    | .*?(?<!\[)[\[【](?P<square>{_ANY_WORD})[\]】](?![\[(:\]])
    | .*?(?<!\S)\#(?P<tag>{_ANY_WORD})(?!\S)
    """,
    re.X | re.I | re.S,
)


@dataclass(frozen=True, slots=True)
class Elision:
    """A span that is left out, with its reason in a few words."""

    start: int
    end: int
    reason: str


@dataclass(frozen=True, slots=True)
class Window:
    """One answer's part of a selection: the pieces kept and those left out, which together are all of it."""

    segments: list[tuple[int, int]]
    elided: list[Elision]
    end: int


def elisions(text: str, structure: Structure, found: list[Section], status: str | None) -> list[Elision]:
    """What ``current`` leaves out of the page, in order and apart, each with its outermost reason."""
    spans = [*_page(text, structure, status), *_sections(found)]
    spans += [*_callouts(text, structure), *_inside(text, structure)]
    spans.sort(key=lambda span: (span.start, -span.end))
    apart: list[Elision] = []
    for span in spans:
        start = max(span.start, apart[-1].end) if apart else span.start
        if start < span.end:
            apart.append(Elision(start, span.end, span.reason))
    return apart


def window(text: str, left_out: list[Elision], start: int, end: int, max_chars: int) -> Window:
    """The part of ``[start, end)`` that begins at ``start`` and keeps at most ``max_chars`` characters."""
    segments: list[tuple[int, int]] = []
    elided: list[Elision] = []
    at, room = start, max_chars
    ahead = iter([span for span in left_out if span.end > start])
    span = next(ahead, None)
    while at < end and len(segments) + len(elided) < PIECES_MAX:
        if span and span.start <= at:
            elided.append(Elision(at, min(span.end, end), span.reason))
            at = elided[-1].end
            span = next(ahead, None)
            continue
        kept = min(span.start, end) if span else end
        stop = cut(text, at, kept, room, may_be_nothing=bool(segments))
        if stop > at:
            segments.append((at, stop))
        room = max(0, room - (stop - at))  # a line end is not parted, so it may take one character more
        at = stop
        if stop < kept:
            break
    return Window(segments, elided, at)


def _page(text: str, structure: Structure, status: str | None) -> Iterator[Elision]:
    if status and status.lower() in WORDS:
        yield Elision(structure.body, len(text), f"page status: {status.lower()}")


def _sections(found: list[Section]) -> Iterator[Elision]:
    for section in found:
        if section.level and (marked := _MARKED_HEADING.match(section.title)):
            word = (marked["round"] or marked["square"] or marked["tag"] or "struck").lower()
            yield Elision(section.start, section.end, f"section heading: {word}")


def _callouts(text: str, structure: Structure) -> Iterator[Elision]:
    for start, end in structure.blocks.quotes:
        if kind := _CALLOUT.match(text, start, end):
            yield _whole_lines(text, Elision(start, end, f"callout: {kind[1].lower()}"))


def _inside(text: str, structure: Structure) -> Iterator[Elision]:
    """Comments and struck text, in running text and in HTML blocks; of the latter what HTML itself marks."""
    for start, end in structure.blocks.texts:
        for a, b, kind in marks(text, start, end):
            if kind in ("comment", "struck"):
                yield _whole_lines(text, Elision(a, b, kind))
    for start, end, block in structure.blocks.hidden:
        never_closed = text.startswith("<!--", start) and text.find("-->", start, end) < 0
        if block == "comment" or (block == "html" and never_closed):
            yield _whole_lines(text, Elision(start, end, "comment"))
        elif block == "html":
            for a, b, kind in marks(text, start, end):
                if kind in ("comment", "struck") and text[a] == "<":
                    yield _whole_lines(text, Elision(a, b, kind))


def _whole_lines(text: str, span: Elision) -> Elision:
    """The span with its line end and indentation, when nothing else stands on its lines."""
    start, end = span.start, span.end
    while start and text[start - 1] in " \t":
        start -= 1
    while end < len(text) and text[end] in " \t":
        end += 1
    if (start and text[start - 1] not in "\r\n") or (end < len(text) and text[end] not in "\r\n"):
        return span
    end += 2 if text.startswith("\r\n", end) else 1
    return Elision(start, min(end, len(text)), span.reason)
