"""What a page is made of: its frontmatter, its headings, and where code, comments and running text are. Positions only.

Headings are those of the document, ATX and underlined, as CommonMark has them. Not headings: lines in code, in HTML blocks
and in comments, the lines of the frontmatter, and, as in Obsidian's own outline, headings in quotes, callouts and list items.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from .blocks import BlockParser, Blocks, RawHeading
from .lines import LINE_END, count_line_ends, next_line_end
from .starts import FENCE, FRESH, HTML, NEXT_NOTABLE, NOTABLE

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
        """Code, HTML blocks and block comments: ``(start, end, kind)``, kind ``fence``, ``code``, ``html``, ``comment``."""
        return self.blocks.hidden

    @property
    def blocks(self) -> Blocks:
        if self._blocks is None:
            self._blocks = parse_blocks(self.text, self.body)
        return self._blocks


def parse(text: str) -> Structure:
    """The structure of a page's text. Never fails: every text is Markdown."""
    return Structure(text)


def parse_blocks(text: str, start: int) -> Blocks:
    """All blocks from ``start`` on, which is where a line begins."""
    parser, position = BlockParser(text), start
    while position < len(text):
        position = _read_line(parser, text, position)
    parser.close()
    parser.found.quotes.sort()
    return parser.found


def find_headings(text: str, start: int) -> list[RawHeading]:
    """The same headings as ``parse_blocks``, without reading what cannot matter for them.

    Jumps from one notable line to the next. Where a notable line says nothing by itself (it may be in a list, or may
    underline a paragraph), reading begins at the last place where surely nothing was open.
    """
    parser, position = BlockParser(text), start
    while position < len(text):
        notable = NOTABLE.match(text, position) or NEXT_NOTABLE.search(text, position)
        if not notable:
            break
        line = notable.start() + (text[notable.start()] in "\r\n")
        position = line if _speaks_for_itself(text, line) else _last_fresh(text, position, line)
        while position < len(text):
            position = _read_line(parser, text, position)
            if position > line and _can_jump(parser, text, position):
                parser.close()
                break
    return parser.found.headings


def _read_line(parser: BlockParser, text: str, position: int) -> int:
    """Give the parser the line at ``position``. Returns where the next line begins."""
    end, after = next_line_end(text, position)
    read_to = parser.line(position, end)
    return after if read_to == end else next_line_end(text, read_to)[1]


def _speaks_for_itself(text: str, line: int) -> bool:
    """Whether a notable line closes everything that could be open before it and begins a block of the document."""
    if text[line] in "`~":
        return FENCE.match(text, line, next_line_end(text, line)[0]) is not None
    if text[line] == "<":
        html = HTML.match(text, line, next_line_end(text, line)[0])
        return html is not None and html.lastgroup != "tag"
    return text[line] == "#"


def _last_fresh(text: str, position: int, line: int) -> int:
    for fresh in FRESH.finditer(text, position, line + 1):
        position = fresh.end()
    return position


def _can_jump(parser: BlockParser, text: str, position: int) -> bool:
    if parser.nothing_open:
        return True
    return parser.was_blank and parser.only_breakable and text[position : position + 1] not in ("", " ", "\t", "\r", "\n")


def _with_titles(text: str, raw: list[RawHeading]) -> Iterator[Heading]:
    line, counted = 1, 0
    for heading in raw:
        line += count_line_ends(text, counted, heading.start)
        counted = heading.start
        title = " ".join(text[start:end].strip(" \t") for start, end in heading.content)
        yield Heading(heading.level, title, heading.start, heading.end, line)


def _frontmatter(text: str) -> tuple[Span | None, str]:
    """The block between a ``---`` on the very first line and the next one; a byte order mark may stand before it."""
    opening = _FRONTMATTER_OPENS.match(text)
    closing = _FRONTMATTER_CLOSES.search(text, opening.end()) if opening else None
    if not opening or not closing:
        return None, ""
    return Span(0, closing.end()), text[opening.end() : closing.start()]
