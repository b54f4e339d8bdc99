"""Where reading stands within one line: what is left of it, and at which column."""

from __future__ import annotations


class LineReader:
    """A place in a line, always before something that is no space, or at the line's end."""

    __slots__ = ("at", "base", "column", "end", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = self.end = 0  # what is left of the line
        self.column = 0  # of ``at``
        self.base = 0  # the column where the content of the innermost container begins

    @property
    def indent(self) -> int:
        return self.column - self.base

    @property
    def blank(self) -> bool:
        return self.at == self.end

    def begin(self, start: int, end: int) -> None:
        """Stand at the beginning of the line ``text[start:end]``."""
        self.end, self.base = end, 0
        self.skip_spaces(start, 0)

    def skip_spaces(self, at: int, column: int) -> None:
        """Go to ``at``, at ``column``, and on over spaces and tabs. Tabs reach to multiples of four."""
        text, end = self.text, self.end
        while at < end:
            if text[at] == " ":
                column += 1
            elif text[at] == "\t":
                column += 4 - column % 4
            else:
                break
            at += 1
        self.at, self.column = at, column

    def pass_quote_mark(self) -> None:
        """Move behind a ``>`` and the space that may follow it, which can be one column of a tab."""
        self.base = self.column + 1
        followed = self.at + 1 < self.end and self.text[self.at + 1] in " \t"
        self.skip_spaces(self.at + 1, self.base)
        self.base += followed
