"""Building the semantic index, ``index --semantic``: what has not changed is kept, the rest is asked of the
model.

One call does what fits into its time and gives a whole file, in which every page is either as it is now or
absent; the next call goes on from there. So an interruption loses a minute, and there is never half a file. A
page that the model cannot take is put off and named; trouble that would meet every page ends the call, with
what was done so far.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Iterator
from typing import Any, Final

from .chunks import CHUNKS_NAME, VECTORS_NAME, Identity, Store, hash_of
from .chunkswriter import write_chunks
from .context import Context
from .embeddings import Trouble, installed
from .excluded import Excluded
from .keptchunks import KeptChunks
from .listing import Entry, Listing
from .markdown import Span
from .model import RESERVE_SECONDS, Model
from .pagecut import PageCut
from .pages import Unreadable, read_entry
from .stores import open_store
from .vectorswriter import Coded, PagePieces, Piece, write_vectors

SLICE_SECONDS: Final = 60.0  # of embedding in one call: what an interruption may lose
NEW_MAX_BYTES: Final = 48 * 1024 * 1024  # of new vectors held before they are written
PAGE_MAX_CHARS: Final = 1_000_000  # a longer page is data, and would take an hour
DEFERRED_MAX: Final = 50  # pages named; the rest is counted


def build_semantic(ctx: Context, listing: Listing, *, compat: bool = False) -> dict[str, Any]:
    """Bring the semantic index up to the listed pages as far as time allows, and emit it when it has changed.

    In the payload ``pending`` counts pages for another call, ``deferred`` names those that the model could
    not take, and ``error`` says what stopped the call. ``compat`` also emits ``chunks.json``, version 1.
    """
    store, problems = open_store(ctx)
    try:
        return _Building(ctx, store, compat).run(listing) | {"problems": problems}
    finally:
        if store is not None:
            store.close()


class _Building:
    """One call. ``pages`` are those that the next file will hold."""

    def __init__(self, ctx: Context, store: Store | None, compat: bool) -> None:
        self._ctx = ctx
        self._store = store
        self._compat = compat
        self._pages: dict[str, PagePieces] = {}
        self._deferred: dict[str, str] = {}
        self._new_bytes = 0
        self._files: dict[str, int] = {}  # what was emitted, with its size in bytes

    def run(self, listing: Listing) -> dict[str, Any]:
        try:
            identity = installed(self._ctx)
        except Trouble as trouble:
            return self._report(None, error=str(trouble))
        kept = KeptChunks(self._store, identity)
        waiting = self._keep(listing, kept)
        unchanged = len(self._pages)
        model = Model(self._ctx, identity, kept.dimension if unchanged else 0)
        error = self._embed(model, waiting)
        if model.dimension and (self._compat or not kept.is_whole_file(self._pages)):
            self._write(identity, model.dimension)
        pending = sum(entry.path not in self._pages and entry.path not in self._deferred for entry in waiting)
        return self._report(identity, kept=unchanged, pending=pending, error=error)

    def _keep(self, listing: Listing, kept: KeptChunks) -> list[Entry]:
        """Take over what holds. Returns the pages to be embedded, in the order of their paths."""
        excluded = Excluded.load(self._ctx.vault)
        entries = sorted(entry for entry in listing.entries if not excluded.matches(entry.path))
        waiting = []
        for number, entry in enumerate(entries):
            self._ctx.surroundings.progress("Looking for changed pages", number, len(entries))
            try:
                known = kept.page(read_entry(self._ctx.vault, entry))
            except Unreadable as unreadable:
                self._deferred[entry.path] = f"It could not be read: {unreadable.reason}."
                continue
            if known is None:
                waiting.append(entry)
            else:
                self._pages[entry.path] = known
        return waiting

    def _embed(self, model: Model, waiting: list[Entry]) -> str | None:
        """Embed pages until all are done or time is up. Returns what else stopped it."""
        ends = time.monotonic() + min(SLICE_SECONDS, self._ctx.surroundings.remaining() - RESERVE_SECONDS)
        try:
            for group in self._groups(waiting, model):
                if time.monotonic() >= ends or self._new_bytes >= NEW_MAX_BYTES:
                    break
                self._embed_group(model, group)
                done = sum(entry.path in self._pages or entry.path in self._deferred for entry in waiting)
                self._ctx.surroundings.progress("Embedding pages", done, len(waiting))
        except Trouble as trouble:
            return str(trouble)
        return None

    def _groups(self, waiting: list[Entry], model: Model) -> Iterator[list[PageCut]]:
        """Pages in groups that fill a batch; those that cannot be cut are put off."""
        group: list[PageCut] = []
        texts = 0
        for entry in waiting:
            try:
                page = read_entry(self._ctx.vault, entry)
            except Unreadable as unreadable:
                self._deferred[entry.path] = f"It could not be read: {unreadable.reason}."
                continue
            if len(page.text) > PAGE_MAX_CHARS:
                self._deferred[entry.path] = f"It is longer than {PAGE_MAX_CHARS:,} characters."
                continue
            cut = PageCut(self._ctx, page)
            group.append(cut)
            texts += len(cut.compared()) or 1
            if texts >= model.together:
                yield group
                group, texts = [], 0
        if group:
            yield group

    def _embed_group(self, model: Model, group: list[PageCut]) -> None:
        """First what decides where pages are cut, for all of them; then what is cut."""
        compared = _shared_out(model, [cut.compared() for cut in group])
        spans = [[] if isinstance(found, str) else cut.spans(found) for cut, found in zip(group, compared)]
        made = _shared_out(
            model, [[cut.rendered(span) for span in of_page] for cut, of_page in zip(group, spans)]
        )
        for cut, found, of_page, vectors in zip(group, compared, spans, made):
            trouble = found if isinstance(found, str) else vectors
            if isinstance(trouble, str):
                self._deferred[cut.path] = trouble
                continue
            pieces = [_piece(cut, span, vector) for span, vector in zip(of_page, vectors)]
            self._pages[cut.path] = PagePieces(cut.path, cut.content_hash, pieces)
            self._new_bytes += 5 * model.dimension * len(pieces)

    def _write(self, identity: Identity, dimension: int) -> None:
        """Emit the files; the compact one last, so that it is the later of the two and counts."""
        pages = [self._pages[path] for path in sorted(self._pages)]
        if self._compat:
            write_chunks(lambda data: self._emit(CHUNKS_NAME, data), self._ctx, pages, identity)
        write_vectors(lambda data: self._emit(VECTORS_NAME, data), pages, identity, dimension)

    def _emit(self, name: str, data: bytes) -> None:
        self._ctx.surroundings.emit(name, data)
        self._files[name] = self._files.get(name, 0) + len(data)

    def _report(
        self, identity: Identity | None, *, kept: int = 0, pending: int = 0, error: str | None = None
    ) -> dict[str, Any]:
        deferred = [{"page": path, "reason": reason} for path, reason in sorted(self._deferred.items())]
        return {
            "files": [{"name": name, "bytes": size} for name, size in self._files.items()],
            "model": identity and identity.model,
            "modelDigest": identity and identity.digest,
            "pages": len(self._pages),
            "chunks": sum(len(page.pieces) for page in self._pages.values()),
            "kept": kept,
            "embedded": len(self._pages) - kept,
            "pending": pending,
            "deferred": deferred[:DEFERRED_MAX],
            "deferredCount": len(deferred),
            "error": error,
        }


def _shared_out(model: Model, wanted: list[list[str]]) -> list[list[array[float]] | str]:
    """The vectors of several pages' texts, asked for together; for a page with a refused text the reason."""
    vectors = iter(model.vectors([text for texts in wanted for text in texts]))
    shared: list[list[array[float]] | str] = []
    for texts in wanted:
        found = [next(vectors) for _ in texts]
        refused = next((vector for vector in found if isinstance(vector, str)), None)
        shared.append(refused if refused is not None else [v for v in found if not isinstance(v, str)])
    return shared


def _piece(cut: PageCut, span: Span, vector: array[float]) -> Piece:
    return Piece.of(span.start, span.end, hash_of(cut.text[span.start : span.end]), Coded.of(vector))
