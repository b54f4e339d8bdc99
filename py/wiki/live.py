"""Which index answers now: the file where it holds, else one in memory that is kept true from call to call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from . import tokens
from .analysis import analyse
from .context import Context
from .index import Index
from .overlay import LiveIndex
from .pages import Entry, Listing, Unreadable, read_entry

RESERVE_SECONDS: Final = 2.0  # kept for ranking and for reading what is shown
BUILD: Final = "Run `pi-wiki index` to write an index file."


@dataclass(frozen=True, slots=True)
class Chosen:
    """The index to rank with, and what is to be said about it."""

    index: Index | None  # ``None``: nothing could be made ready in the time there is; fall back to navigation
    freshness: str
    source: str | None
    reason: str | None
    complete: bool  # every listed page is in the index
    notes: tuple[str, ...]  # sentences on pages that were not seen or could not be read


@dataclass(slots=True)
class _Kept:
    """What stays in memory between calls: one vault a process."""

    key: tuple[str, str]
    live: LiveIndex
    listing: bytes = b""
    waiting: dict[str, Entry] | None = None
    unread: dict[str, str] | None = None


_kept: _Kept | None = None


def forget() -> None:
    """Drop everything kept, as a new process would."""
    global _kept
    _kept = None


def current(ctx: Context) -> Chosen:
    """The best index that can be had now. Raises ``WikiError`` where the vault itself cannot be listed."""
    global _kept
    key = (ctx.vault.root, ctx.vault.wiki)
    if _kept is None or _kept.key != key:
        _kept = _Kept(key, LiveIndex(tokens.TOKENIZER), waiting={}, unread={})
    kept = _kept
    raw = ctx.surroundings.listing()
    listing = Listing.parse(raw)
    if raw != kept.listing:
        listed = {entry.path: entry for entry in listing.entries}
        before = {entry.path: entry for entry in Listing.parse(kept.listing).entries}
        for path in before.keys() - listed.keys():
            kept.live.remove(path)
            kept.waiting.pop(path, None)
        kept.waiting.update((path, entry) for path, entry in listed.items() if before.get(path) != entry)
        kept.listing = raw
    total = len(kept.waiting)
    done = 0
    for path in sorted(kept.waiting):
        if ctx.surroundings.remaining() < RESERVE_SECONDS:
            read = len(listing.entries) - len(kept.waiting)
            reason = f"The index is still being built: {read:,} of {len(listing.entries):,} pages are read. Ask again to go on. {BUILD}"
            return Chosen(None, "unavailable", None, reason, False, tuple(listing.incomplete))
        entry = kept.waiting[path]
        kept.unread.pop(path, None)
        try:
            kept.live.add(path, analyse(read_entry(ctx.vault, entry), ctx.surroundings))
        except Unreadable as trouble:
            kept.live.remove(path)
            kept.unread[path] = trouble.reason
        del kept.waiting[path]
        done += 1
        ctx.surroundings.progress("Reading pages", done, total)
    notes = [*listing.incomplete, *(f'"{path}" could not be read: {why}.' for path, why in kept.unread.items())]
    return Chosen(kept.live, "unavailable", "live", None, not notes, tuple(notes))
