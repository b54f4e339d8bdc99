"""The ``index`` operation: reads every page once and hands the index files to the host, which writes them."""

from __future__ import annotations

import heapq
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, Iterator

from . import tokens
from .analysis import analyse
from .arguments import boolean, reject_unknown
from .bm25writer import write_version1
from .context import Context
from .display import shown_name
from .embed_index import build_semantic
from .entries import Entries, PackedEntries
from .errors import WikiError
from .listing import Entry, Listing, parse_record
from .packedwriter import PageTable, TermPages, write_packed
from .pages import Unreadable, read_entry

PACKED_NAME: Final = "index.bin"
VERSION1_NAME: Final = "bm25.json"
RUN_POSTINGS: Final = 3_000_000  # held as Python objects, some 60 MB; then packed into a fifth of it
_UNSEEN_MAX: Final = 20


def build(ctx: Context, args: dict[str, Any]) -> dict[str, Any]:
    """Index files of the wiki as it is now.

    Payload: ``vault``, ``pages``, ``terms``, ``files`` (each ``name`` and ``bytes``), ``skipped`` (reason and how
    many), ``unread`` (the first pages that could not be read, each with the reason) and ``unseen``; where asked for,
    ``semantic`` (``embed_index.py``). Two builds of the same pages give the same bytes.
    """
    reject_unknown(args, ("vault", "compat", "semantic"))
    compat = boolean(args, "compat")
    raw = ctx.surroundings.listing()
    listing = Listing.parse(raw)
    skipped = {reason: len(paths) for reason, paths in sorted(listing.skipped.items())}
    pages, runs, unread = _read_pages(ctx, raw, compat)
    ctx.surroundings.progress("Writing the index", 0, 1)
    size, terms = write_packed(
        lambda data: ctx.surroundings.emit(PACKED_NAME, data),
        pages=pages,
        terms=_merged(runs),
        listing=raw,
        tokenizer=tokens.TOKENIZER,
        skipped=skipped,
        unseen=listing.incomplete[:_UNSEEN_MAX],
    )
    files = [{"name": PACKED_NAME, "bytes": size}]
    if compat:
        size = write_version1(
            lambda data: ctx.surroundings.emit(VERSION1_NAME, data),
            pages=pages,
            terms=_merged(runs),
            tokenizer=tokens.TOKENIZER,
        )
        files.append({"name": VERSION1_NAME, "bytes": size})
    ctx.surroundings.progress("Writing the index", 1, 1)
    meaning: dict[str, Any] = {}
    if boolean(args, "semantic"):
        meaning["semantic"] = build_semantic(ctx, listing, compat=compat)
        files += meaning["semantic"].pop("files")
    return {
        "vault": ctx.vault.shown,
        "pages": len(pages.records),
        "terms": terms,
        "files": files,
        "skipped": skipped,
        "unread": [{"page": shown_name(path), "reason": reason} for path, reason in unread[:_UNSEEN_MAX]],
        "unseen": listing.incomplete[:_UNSEEN_MAX],
    } | meaning


def _read_pages(ctx: Context, raw: bytes, compat: bool) -> tuple[PageTable, list[PackedEntries], list[tuple[str, str]]]:
    listed = sorted(_records(raw))
    pages = PageTable(keeps_titles=compat)
    entries = Entries()
    runs: list[PackedEntries] = []
    unread: list[tuple[str, str]] = []
    for done, (entry, record) in enumerate(listed, start=1):
        if ctx.surroundings.remaining() <= 0:
            raise WikiError(
                "deadline",
                f"The time was up after {done - 1:,} of {len(listed):,} pages. Ask again with a longer --timeout.",
            )
        try:
            page = read_entry(ctx.vault, entry)
        except Unreadable as trouble:
            unread.append((entry.path, trouble.reason))
        else:
            analysed = analyse(page, ctx.surroundings)
            entries.add(pages.add(entry.path, record, page.hash, analysed), analysed.counts)
        if entries.total >= RUN_POSTINGS:
            runs.append(PackedEntries(entries))
            entries = Entries()
        ctx.surroundings.progress("Reading pages", done, len(listed))
    return pages, [*runs, PackedEntries(entries)], unread


def _records(raw: bytes) -> Iterator[tuple[Entry, int]]:
    """The pages of a listing, each with the place of its record."""
    at = 0
    for record in raw.split(b"\0")[:-1]:
        entry, reason = parse_record(record)
        if reason is None:
            yield entry, at
        at += len(record) + 1


def _merged(runs: list[PackedEntries]) -> Iterator[TermPages]:
    """Every term with its pages in all runs; runs follow one another in the order of page numbers."""
    if len(runs) == 1:
        yield from map(TermPages._make, runs[0])
        return
    for term, parts in groupby(heapq.merge(*runs, key=itemgetter(0)), key=itemgetter(0)):
        _, docs, tfs = next(parts)
        for _, more_docs, more_tfs in parts:
            docs, tfs = docs + more_docs, [*tfs, *more_tfs]
        yield TermPages(term, docs, tfs)
