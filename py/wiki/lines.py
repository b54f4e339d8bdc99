"""Where the lines of a text begin and end. A line ends with \\n, \\r\\n or \\r, and with nothing else.

``str.splitlines`` also ends lines at U+2028, form feed and others, where no editor does; so it is not used
here.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final

# Atomic, so that no match can ever take the \r of a \r\n and leave its \n behind.
LINE_END: Final = r"(?>\r\n|\n|\r)"
_LINE_END = re.compile(LINE_END)


def next_line_end(text: str, position: int) -> tuple[int, int]:
    """Where the line that holds ``position`` ends, without and with its line end."""
    found = _LINE_END.search(text, position)
    return found.span() if found else (len(text), len(text))


def line_start(text: str, position: int) -> int:
    """Where the line begins that has only spaces and tabs before ``position``."""
    while position and text[position - 1] in " \t":
        position -= 1
    return position


def line_starts(text: str) -> list[int]:
    """Positions at which lines begin. The last one is the text's end when the text ends with a line end."""
    return [0, *(found.end() for found in _LINE_END.finditer(text))]


def count_line_ends(text: str, start: int, end: int) -> int:
    """Line ends in ``text[start:end]``, for ends that do not split a ``\\r\\n``."""
    count = text.count("\n", start, end)
    if returns := text.count("\r", start, end):
        count += returns - text.count("\r\n", start, end)
    return count


def line_at(text: str, position: int) -> int:
    """The line, one-based, that holds ``position``; the last line for the end of the text."""
    position = min(position, max(0, len(text) - 1))
    if position and text[position] == "\n" and text[position - 1] == "\r":
        position -= 1  # the second half of a line end stands on the line that it ends
    return 1 + count_line_ends(text, 0, position)


class Lines:
    """Line numbers of one text, one-based, for many questions."""

    __slots__ = ("_starts", "count")

    def __init__(self, text: str) -> None:
        self._starts = line_starts(text)
        if self._starts[-1] == len(text):
            self._starts.pop()  # nothing stands after the last line end, so no line begins there
        self.count = len(self._starts)

    def at(self, position: int) -> int:
        """The line that holds ``position``; the last line for positions behind the text."""
        return max(1, bisect_right(self._starts, position))

    def of(self, start: int, end: int) -> tuple[int, int]:
        """First and last line of a span, both inclusive. An empty span is on the line where it stands."""
        return self.at(start), self.at(max(start, end - 1))

    def start(self, line: int) -> int:
        """Where a line begins."""
        return self._starts[line - 1]
