"""What a page is made of: its frontmatter, its headings, and where code, comments and running text are.
Positions only.

Headings are those of the document, ATX and underlined, as CommonMark has them. Not headings: lines in code,
in HTML blocks and in comments, the lines of the frontmatter, and, as in Obsidian's own outline, headings in
quotes, callouts and list items.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from .blocks import find_headings, parse_blocks
from .found import Blocks, RawHeading
from .lines import LINE_END, count_line_ends

BYTE_ORDER_MARK: Final = "\ufeff"
_FRONTMATTER_OPENS: Final = re.compile(rf"\ufeff?+---[ \t]*+{LINE_END}")
_FRONTMATTER_CLOSES: Final = re.compile(rf"(?:(?<=[\r\n]))---[ \t]*+(?:{LINE_END}|\Z)")


@dataclass(frozen=True, slots=True)
class Span:
    """``[start, end)``, in characters of the page."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of the document."""

    level: int  # 1 to 6
    title: str  # its text as written, without marks around it; lines of an underlined one joined by a space
    start: int  # where its first line begins
    end: int  # where its last line ends, line end not included
    line: int  # of its first line, one-based


class Structure:
    """The structure of one text. Everything beyond the headings is found when it is first asked for."""

    __slots__ = ("_blocks", "_headings", "body", "frontmatter", "frontmatter_text", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.frontmatter, self.frontmatter_text = _frontmatter(text)
        self.body = self.frontmatter.end if self.frontmatter else int(text.startswith(BYTE_ORDER_MARK))
        self._blocks: Blocks | None = None
        self._headings: list[Heading] | None = None

    @property
    def headings(self) -> list[Heading]:
        if self._headings is None:
            raw = self._blocks.headings if self._blocks else find_headings(self.text, self.body)
            self._headings = list(_with_titles(self.text, raw))
        return self._headings

    @property
    def hidden(self) -> list[tuple[int, int, str]]:
        """Code, HTML blocks, block comments: start, end, and ``fence``, ``code``, ``html`` or ``comment``."""
        return self.blocks.hidden

    @property
    def blocks(self) -> Blocks:
        if self._blocks is None:
            self._blocks = parse_blocks(self.text, self.body)
        return self._blocks


def parse(text: str) -> Structure:
    """The structure of a page's text. Never fails: every text is Markdown."""
    return Structure(text)


def _with_titles(text: str, raw: list[RawHeading]) -> Iterator[Heading]:
    line, counted = 1, 0
    for heading in raw:
        line += count_line_ends(text, counted, heading.start)
        counted = heading.start
        title = " ".join(text[start:end].strip(" \t") for start, end in heading.content)
        yield Heading(heading.level, title, heading.start, heading.end, line)


def _frontmatter(text: str) -> tuple[Span | None, str]:
    """The block between a ``---`` on the very first line, byte order mark or not, and the next ``---``."""
    opening = _FRONTMATTER_OPENS.match(text)
    closing = _FRONTMATTER_CLOSES.search(text, opening.end()) if opening else None
    if not opening or not closing:
        return None, ""
    return Span(0, closing.end()), text[opening.end() : closing.start()]
