"""Two ways through a text: reading all its blocks, and finding its headings alone, which is much quicker."""

from __future__ import annotations

from .blockparser import BlockParser
from .found import Blocks, RawHeading
from .lines import next_line_end
from .starts import FENCE, FRESH, NEXT_NOTABLE, NOTABLE, html_kind


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

    Jumps from one notable line to the next. Where a notable line says nothing by itself (it may be in a list,
    or may underline a paragraph), reading begins at the last place where surely nothing was open.
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
    """Whether a notable line closes all that could be open before it and begins a block of the document."""
    if text[line] in "`~":
        return FENCE.match(text, line, next_line_end(text, line)[0]) is not None
    if text[line] == "<":
        return html_kind(text, line, next_line_end(text, line)[0], after_text=True) != ""
    return text[line] == "#"


def _last_fresh(text: str, position: int, line: int) -> int:
    for fresh in FRESH.finditer(text, position, line + 1):
        position = fresh.end()
    return position


def _can_jump(parser: BlockParser, text: str, position: int) -> bool:
    if parser.nothing_open:
        return True
    at_edge = position < len(text) and text[position] not in " \t\r\n"
    return at_edge and parser.was_blank and parser.only_breakable
