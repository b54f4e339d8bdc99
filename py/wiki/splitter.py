"""Cutting a page into chunks: at paragraph, heading and fence boundaries, where neighbours are least alike.

First the page is taken apart into blocks that stay whole; then blocks are joined to chunks of about
``TARGET_CHARS`` and at most ``MAX_CHARS`` characters. Which neighbours are alike only their embeddings tell,
so those are an argument here. Offsets are exact and of the unchanged page; what stands between chunks is
blank.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from .chunks import MAX_CHARS, TARGET_CHARS
from .lines import LINE_END
from .markdown import Span, Structure
from .sections import Section, section_at

SMALL_CHARS: Final = 200  # blocks below this are joined: a line alone says too little to be compared
HEADING_GAIN: Final = 0.5  # how much rather a chunk begins with a heading than between two paragraphs
CONTEXT_MAX_CHARS: Final = 300  # of title and headings put before a chunk's text
_LINE: Final = re.compile(rf"[^\r\n]*+(?:{LINE_END}|\Z)")
# Where a block that is too long may be broken, best first: after a line, a sentence, a word.
_BREAKS: Final = (
    re.compile(LINE_END),
    re.compile(r"""[.!?…]["'”’)\]]*\s+|[。！？]["'”’」』）]*"""),
    re.compile(r"\s+"),
)
_BLANK_RUN: Final = re.compile(r"[ \t]{20,}")


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a page that stays whole: ``[start, end)``, not blank, at most ``MAX_CHARS`` characters."""

    start: int
    end: int
    opens: bool  # whether it begins with a heading


def blocks(shown: str, structure: Structure) -> list[Block]:
    """The blocks of a page in order. ``shown`` is its searchable text: what nobody typed is in no block."""
    found: list[Block] = []
    for block in _joined_headings(_raw_blocks(shown, structure)):
        for start, end in _broken(shown, block.start, block.end):
            stripped = shown[start:end].strip()
            if stripped:
                start += len(shown[start:end]) - len(shown[start:end].lstrip())
                found.append(Block(start, start + len(stripped), block.opens and start == block.start))
    return _joined_small(found)


def in_one(found: Sequence[Block]) -> bool:
    """Whether a page is one chunk, for which nothing needs to be compared."""
    return not found or found[-1].end - found[0].start <= MAX_CHARS


def cut(found: Sequence[Block], likeness: Sequence[float]) -> list[Span]:
    """The chunks of a page: ``likeness[i]`` is the cosine of blocks ``i`` and ``i + 1``.

    Of all ways to cut, the one that costs least: a chunk costs the square of how far it is from the target
    length, as a share of it; a cut costs how alike the blocks on both sides are, among all neighbours of the
    page.
    """
    if not found:
        return []
    costs = [_cut_cost(found[index + 1], alike) for index, alike in enumerate(_levelled(likeness))]
    best: list[float] = [0.0]  # the least cost of the first n blocks
    begins: list[int] = [0]  # where the last chunk of that way begins
    for count in range(1, len(found) + 1):
        end = found[count - 1].end
        least, begin = float("inf"), count - 1
        for first in range(count - 1, -1, -1):
            length = end - found[first].start
            if length > MAX_CHARS and first < count - 1:
                break
            cost = (
                best[first]
                + ((length - TARGET_CHARS) / TARGET_CHARS) ** 2
                + (costs[first - 1] if first else 0.0)
            )
            if cost < least:
                least, begin = cost, first
        best.append(least)
        begins.append(begin)
    spans = []
    count = len(found)
    while count:
        spans.append(Span(found[begins[count]].start, found[count - 1].end))
        count = begins[count]
    return spans[::-1]


def rendered(title: str, shown: str, structure: Structure, sections: list[Section], span: Span) -> str:
    """What is embedded for a chunk: the page's title and the headings above, then the chunk's own text.

    A chunk from the middle of a page says little without what it stands under. A fence that is cut is opened
    and closed.
    """
    body = plain_text(shown, span)
    if _is_in_fence(structure, span.start):
        body = f"```\n{body}"
    if _is_in_fence(structure, span.end):
        body = f"{body}\n```"
    section = section_at(sections, span.start)
    above = section.breadcrumb if section and section.level else ""
    lines = [f"Title: {title[:CONTEXT_MAX_CHARS]}"]
    if above and above != title:
        lines.append(f"Heading: {above[-CONTEXT_MAX_CHARS:]}")
    return "\n".join([*lines, body])


def plain_text(shown: str, span: Span | Block) -> str:
    """The text of a span without the spaces that stand for what nobody typed."""
    return _BLANK_RUN.sub(" ", shown[span.start : span.end])


def _is_in_fence(structure: Structure, position: int) -> bool:
    at = bisect_left(structure.hidden, (position,)) - 1
    if at < 0:
        return False
    start, end, kind = structure.hidden[at]
    return kind == "fence" and start < position < end


def _cut_cost(after: Block, alike: float) -> float:
    return alike - HEADING_GAIN if after.opens else alike


def _levelled(likeness: Sequence[float]) -> list[float]:
    """Cosines as 0 to 1 within their page: models differ in how near to each other all texts are."""
    least, most = min(likeness, default=0.0), max(likeness, default=0.0)
    if most - least < 1e-9:
        return [0.5] * len(likeness)
    return [(alike - least) / (most - least) for alike in likeness]


def _raw_blocks(shown: str, structure: Structure) -> Iterator[Block]:
    """Paragraphs, headings, and code, HTML, comments and frontmatter each as one, by lines; of any length."""
    whole = [(start, end) for start, end, _ in structure.hidden]
    if structure.frontmatter:
        whole.insert(0, (structure.frontmatter.start, structure.frontmatter.end))
    headings = {heading.start: heading.end for heading in structure.headings}
    position, opened, kept = 0, -1, 0  # where the open paragraph began; up to where lines belong together
    for line in _LINE.finditer(shown):
        start, end = line.span()
        if start == end:
            break
        if start < kept:
            continue
        inside = _whole_from(whole, start, end)
        if inside or start in headings or not shown[start:end].strip():
            if opened >= 0:
                yield Block(opened, start, False)
                opened = -1
            if inside:
                kept = inside
                yield Block(start, inside, False)
            elif start in headings:
                kept = max(end, headings[start])
                yield Block(start, kept, True)
        elif opened < 0:
            opened = start
        position = end
    if opened >= 0:
        yield Block(opened, max(position, kept), False)


def _whole_from(whole: list[tuple[int, int]], start: int, end: int) -> int | None:
    """Where what begins in this line and stays whole ends; ``None`` when nothing does."""
    at = bisect_left(whole, (start, -1))
    return whole[at][1] if at < len(whole) and whole[at][0] < end else None


def _joined_headings(raw: Iterator[Block]) -> Iterator[Block]:
    """A heading stays with what follows it, where both fit into one chunk."""
    waiting: Block | None = None
    for block in raw:
        if waiting and block.end - waiting.start > MAX_CHARS:
            yield waiting
            waiting = None
        if waiting:
            block = Block(waiting.start, block.end, True)
            waiting = None
        elif block.opens:
            waiting = block
            continue
        yield block
    if waiting:
        yield waiting


def _broken(shown: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A block in pieces that are not too long, each about as long as a chunk is to be."""
    while end - start > MAX_CHARS:
        at = _break_near(shown, start)
        yield start, at
        start = at
    yield start, end


def _break_near(shown: str, start: int) -> int:
    low, aim, high = start + TARGET_CHARS // 2, start + TARGET_CHARS, start + MAX_CHARS
    for pattern in _BREAKS:
        ends = [found.end() for found in pattern.finditer(shown, low, high)]
        if ends:
            return min(ends, key=lambda at: (abs(at - aim), at))
    return high


def _joined_small(found: list[Block]) -> list[Block]:
    """Small blocks become one with what follows under the same heading."""
    joined: list[Block] = []
    for block in found:
        before = joined[-1] if joined else None
        small = before is not None and min(before.end - before.start, block.end - block.start) < SMALL_CHARS
        if before and small and not block.opens and block.end - before.start <= TARGET_CHARS:
            joined[-1] = Block(before.start, block.end, before.opens)
        else:
            joined.append(block)
    return joined
