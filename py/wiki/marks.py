"""Marks inside running text: code spans, comments, links and struck text. Positions only, one pass, linear.

What the first mark to open covers, no other mark counts in: no comment begins in a code span, no link in a
comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

Mark = tuple[int, int, str]  # start, end, and "code", "comment", "link" or "struck"

_OPENS: Final = re.compile(
    r"""
      \\[!-/:-@\[-`{-~]                        # an escaped mark is none
    | (?P<ticks>`++)
    | (?P<comment>%%)
    | (?P<html><!--)
    | (?P<tilde>~++)
    | <(?P<close>/?)(?P<element>del|s|strike)(?=[\s>])[^<>]*+>
    | (?P<link>!?\[\[[^\[\]\r\n]++\]\])
    """,
    re.X | re.I,
)
_TICKS: Final = re.compile(r"`+")


def marks(text: str, start: int, end: int) -> Iterator[Mark]:
    """The marks in one paragraph or heading, in the order in which they end."""
    ticks = _Runs(text, start, end)
    open_tilde = -1
    open_elements: list[tuple[str, int]] = []
    closed = {"%%": True, "-->": True}  # whether an end of that kind may still come
    position = start
    while found := _OPENS.search(text, position, end):
        position = found.end()
        if found["ticks"]:
            if (close := ticks.after(position, len(found["ticks"]))) >= 0:
                yield found.start(), close, "code"
                position = close
        elif found["comment"] or found["html"]:
            ending = "%%" if found["comment"] else "-->"
            close = text.find(ending, position, end) if closed[ending] else -1
            closed[ending] = close >= 0
            if close >= 0:
                position = close + len(ending)
                yield found.start(), position, "comment"
        elif found["tilde"]:
            if len(found["tilde"]) != 2:
                continue
            if open_tilde >= 0 and not text[found.start() - 1].isspace():
                yield open_tilde, position, "struck"
                open_tilde = -1
            elif position < end and not text[position].isspace():
                open_tilde = found.start()
        elif found["element"]:
            name = found["element"].lower()
            if not found["close"]:
                open_elements.append((name, found.start()))
            elif open_elements and open_elements[-1][0] == name:
                yield open_elements.pop()[1], position, "struck"
        elif found["link"]:
            yield found.start(), position, "link"


class _Runs:
    """Runs of backticks by their length, to find the one that ends a code span without looking twice."""

    __slots__ = ("_by_length",)

    def __init__(self, text: str, start: int, end: int) -> None:
        self._by_length: dict[int, list[int]] = {}
        for run in _TICKS.finditer(text, start, end):
            self._by_length.setdefault(run.end() - run.start(), []).append(run.start())
        for starts in self._by_length.values():
            starts.reverse()

    def after(self, position: int, length: int) -> int:
        """Where the first run of that length from ``position`` on ends, or -1. Positions must not go back."""
        starts = self._by_length.get(length, [])
        while starts and starts[-1] < position:
            starts.pop()
        return starts[-1] + length if starts else -1
