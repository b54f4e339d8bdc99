"""One page on its way to chunks: taken apart, compared where it must be, cut, and made ready to be
embedded.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import pairwise
from math import fsum
from operator import mul

from .context import Context
from .markdown import Span, parse
from .outline import page_title
from .pages import Page
from .sections import sections
from .splitter import blocks, cut, in_one, plain_text, rendered
from .untyped import searchable


class PageCut:
    """A page's text, its blocks, and what to embed. Positions are of the page."""

    def __init__(self, ctx: Context, page: Page) -> None:
        self.path = page.path
        self.content_hash = page.hash
        self.text = page.text
        self._structure = parse(page.text)
        self._shown = searchable(page.text, self._structure)
        self._title = page_title(page, self._structure, ctx.surroundings)
        self._sections = sections(page.text, self._structure)
        self._blocks = blocks(self._shown, self._structure)

    def compared(self) -> list[str]:
        """The texts whose vectors decide where the page is cut; none for a page that is one chunk."""
        return [] if in_one(self._blocks) else [plain_text(self._shown, block) for block in self._blocks]

    def spans(self, vectors: Sequence[array[float]]) -> list[Span]:
        """The chunks, given the vectors of the compared texts, of length 1."""
        if not self._blocks:
            return []
        if in_one(self._blocks):
            return [Span(self._blocks[0].start, self._blocks[-1].end)]
        return cut(self._blocks, [fsum(map(mul, one, other)) for one, other in pairwise(vectors)])

    def rendered(self, span: Span) -> str:
        """What is embedded for a chunk."""
        return rendered(self._title, self._shown, self._structure, self._sections, span)
