"""The part of a page that shows best why it was found: a window of its own text, unchanged."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Mapping, NamedTuple, Sequence

from .letters import APART, FORMAT, SPACELESS_MARKS
from .limits import EXCERPT_MAX_CHARS
from .words import Piece

_STEPS: Final = 1_000_000  # worths are whole numbers of these, so that sums are the same in any order
_HEAD_DIVISOR: Final = 2  # what stands in the frontmatter shows half as much as the same words in the text
_BEFORE_DIVISOR: Final = 3  # of the room left, so much at most stands before the first word
_EDGE_MAX: Final = 128  # characters looked through for the edge of a word
_TWO_LETTERS: Final = re.compile(r"[^\x00-/:-@\[-`{-\x7f" + APART + "]{2}")
_CLINGING: Final = re.compile(f"[\u0300-\u036f{SPACELESS_MARKS}{FORMAT}]")
_LINE_END: Final = re.compile(r"\r\n|\n|\r")
_SENTENCE_END: Final = re.compile(r"[.?!][ \t]+|[。？！]")


@dataclass(frozen=True, slots=True)
class Shown:
    """A page's text and the spans that may be shown of it."""

    text: str
    body: int  # where the text behind the frontmatter begins
    walls: Sequence[tuple[int, int]] = ()  # spans that nobody typed, which no excerpt enters


class Excerpt(NamedTuple):
    """A span to show, and where in it the query's words begin."""

    start: int
    end: int
    anchor: int


def excerpt(
    shown: Shown,
    found: Sequence[Piece],
    worth: Mapping[str, float],
    *,
    most: int = EXCERPT_MAX_CHARS,
    within: tuple[int, int] | None = None,
) -> Excerpt:
    """The span of at most ``most`` characters that says most of what was asked, whole words only.

    ``found`` are the query's tokens in the page, by start; ``worth`` tells for each how much it says. ``within`` keeps
    the excerpt inside a span. Where nothing was found, it is the beginning, of the text behind the frontmatter.
    """
    if within:
        first, last = within
        best = _best([piece for piece in found if first <= piece.start and piece.end <= last], worth, most)
        return _widened(shown, best if best.worth else _beginning_of(shown.text, first, last), within, most)
    split = next((at for at, piece in enumerate(found) if piece.start >= shown.body), len(found))
    head, body = _best(found[:split], worth, most), _best(found[split:], worth, most)
    if head.worth > _HEAD_DIVISOR * body.worth:
        return _widened(shown, head, (0, shown.body), most)
    first = shown.body if shown.body < len(shown.text) else 0
    window = body if body.worth else _beginning_of(shown.text, first, len(shown.text))
    return _widened(shown, window, (first, len(shown.text)), most)


@dataclass(frozen=True, slots=True)
class _Window:
    worth: int = 0
    start: int = 0
    end: int = 0


def _best(found: Sequence[Piece], worth: Mapping[str, float], most: int) -> _Window:
    """The first window of the highest worth: each token counts once; of equals the one with more of them."""
    worths = {token: 1 + int(value * _STEPS) for token, value in worth.items()}
    inside: dict[str, int] = {}
    total = left = 0
    best = (0, 0)
    ends = (0, 0)
    for right, piece in enumerate(found):
        token = piece.token
        inside[token] = inside.get(token, 0) + 1
        if inside[token] == 1:
            total += worths[token]
        while piece.end - found[left].start > most:
            inside[found[left].token] -= 1
            if not inside[found[left].token]:
                total -= worths[found[left].token]
            left += 1
            if left > right:
                break
        if (total, right - left) > best:
            best, ends = (total, right - left), (left, right)
    if not best[0]:
        return _Window()
    window = found[ends[0] : ends[1] + 1]
    return _Window(best[0], window[0].start, max(piece.end for piece in window))


def _beginning_of(text: str, first: int, last: int) -> _Window:
    """No word at all, where the text of a span begins."""
    start = next((at for at in range(first, last) if not text[at].isspace()), first)
    return _Window(0, start, start)


def _widened(shown: Shown, window: _Window, limits: tuple[int, int], most: int) -> Excerpt:
    """Fill the room left: from the line's or a sentence's beginning where that is near, whole words at both ends."""
    text = shown.text
    first, last = limits
    start, end = window.start, window.end
    for wall_start, wall_end in shown.walls:
        if wall_end <= start:
            first = max(first, wall_end)
        elif wall_start >= end:
            last = min(last, wall_start)
            break
    while end < last and _splits(text, end) and end - start < most:
        end += 1
    while start > first and _splits(text, start) and end - start < most:
        start -= 1
    room = most - (end - start)
    before = max(room // _BEFORE_DIVISOR, room - (last - end))  # all of it where nothing follows
    begin = _beginning(text, start, max(first, start - max(before, room * 2 // _BEFORE_DIVISOR)), max(first, start - before))
    finish = min(last, begin + most)
    whole = next((at for at in range(finish, max(end, finish - _EDGE_MAX) - 1, -1) if not _splits(text, at)), finish)
    finish = whole if whole > begin else finish  # a word longer than the room is cut all the same
    while finish > end and text[finish - 1].isspace():
        finish -= 1
    while begin < min(start, finish) and text[begin].isspace():
        begin += 1
    return Excerpt(begin, finish, max(begin, window.start))


def _beginning(text: str, start: int, earliest: int, near: int) -> int:
    """Where an excerpt begins whose first word stands at ``start``: at ``near`` or a little later, at a line's or a
    sentence's beginning; or at that of the word's own line, down to ``earliest``."""
    if near == 0 or text[near - 1] in "\r\n":
        return near
    line = _LINE_END.search(text, near, start)
    if line:
        return line.end()
    line_before = max(text.rfind("\n", earliest, near), text.rfind("\r", earliest, near)) + 1
    if line_before > earliest or earliest == 0:
        return line_before
    sentence = _SENTENCE_END.search(text, near, start)
    if sentence:
        return sentence.end()
    return next((at for at in range(near, start) if not _splits(text, at)), start)


def _splits(text: str, at: int) -> bool:
    """Whether a cut at ``at`` would part a word, a character from its marks, or ``\\r\\n``."""
    if not 0 < at < len(text):
        return False
    around = text[at - 1 : at + 1]
    return around == "\r\n" or _TWO_LETTERS.match(around) is not None or _CLINGING.match(text, at) is not None
