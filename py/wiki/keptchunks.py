"""What an older semantic index still has right, ready to be written into the next one without asking the
model.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping

from .chunks import MAX_CHARS, TARGET_CHARS, Identity, Store, span_holds
from .index import Damaged
from .pages import Page
from .vectorsfile import VectorsFile
from .vectorswriter import Coded, PagePieces, Piece


class KeptChunks:
    """The pages of a store that were made by ``identity``, cut as pages are cut now."""

    def __init__(self, store: Store | None, identity: Identity) -> None:
        self._store = store
        self._same: dict[str, int] = {}
        self.dimension = 0
        self._codes, self._scales, self._errors = b"", array("f"), array("f")
        if store is None:
            return
        for page, path in enumerate(store.paths):
            if store.identity(page).is_same(identity) and store.settings(page) == (MAX_CHARS, TARGET_CHARS):
                self._same[path] = page
        if self._same and len(store.starts):
            self.dimension = store.dimension(0)
        if self._same and isinstance(store, VectorsFile):
            try:
                self._codes, self._scales, self._errors = store.coded()
            except Damaged:
                self._same = {}

    def page(self, page: Page) -> PagePieces | None:
        """The chunks of a page that is as it was; ``None`` when it has to be embedded."""
        store, number = self._store, self._same.get(page.path)
        if store is None or number is None or store.content_hash(number) != page.hash:
            return None
        rows = range(store.first[number], store.first[number + 1])
        text = page.text
        if any(store.dimension(row) != self.dimension for row in rows):
            return None
        if not all(
            span_holds(text, store.starts[row], store.ends[row], store.source_hash(row)) for row in rows
        ):
            return None
        try:
            for row in rows:
                store.vector(row)  # a damaged one is found now, while it can still be made anew
        except Damaged:
            return None
        return PagePieces(page.path, page.hash, [self._piece(store, row) for row in rows])

    def is_whole_file(self, pages: Mapping[str, PagePieces]) -> bool:
        """Whether the compact file already holds exactly these pages."""
        return isinstance(self._store, VectorsFile) and sorted(pages) == list(self._store.paths)

    def _piece(self, store: Store, row: int) -> Piece:
        start, end, source_hash = store.starts[row], store.ends[row], store.source_hash(row)
        if isinstance(store, VectorsFile):
            codes = self._codes[row :: len(store.starts)]
            return Piece(
                start,
                end,
                source_hash,
                codes,
                self._scales[row],
                self._errors[row],
                lambda: store.vector_bytes(row),
            )
        return Piece.of(start, end, source_hash, Coded.of(array("f", store.vector(row))))
