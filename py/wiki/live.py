"""Which index answers now: a file where it holds, else one in memory that is kept true from call to call.

The packed file comes first, then version 1, then the pages themselves. A packed file that is older than some pages is
mended in memory; a stale version-1 file cannot be, since it knows no sizes and times. Whether anything changed at all
is a comparison of two listings, byte by byte.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Callable, Final, TypeVar

from . import bm25file, packedfile, tokens
from .context import Context
from .errors import WikiError
from .follow import Follower, unseen
from .index import Damaged, Index
from .indexfiles import RUN, IndexFiles, OutOfTime
from .listing import Listing
from .overlay import LiveIndex
from .packedfile import Counted, PackedFile
from .surroundings import Surroundings

RESERVE_SECONDS: Final = 2.0  # kept for ranking and for reading what is shown
RESERVE_SHARE: Final = 0.3  # of a short call, at most this much
_NOTES_MAX: Final = 20
_NO_TIME: Final = f"There was no time to read bm25.json. {RUN} for a file that opens at once, or ask again."
_VERSION1_OLD: Final = "bm25.json is older than some pages, or of other pages"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Chosen:
    """The index to rank with, and what is to be said about it."""

    index: Index | None  # ``None``: none could be made ready in the time there was; fall back to navigation
    freshness: str  # of the index file: current-by-mtime, stale, unknown, unavailable
    source: str | None  # index-file or live
    reason: str | None  # where something is not as it should be: what, and what to do
    complete: bool  # every page there is, as far as can be known, is in the index as it is now
    notes: tuple[str, ...]  # sentences on what was not seen or could not be read
    counted: Counted | None = None  # of the listing that the file was made from, where it is known


@dataclass(slots=True)
class _Memory:
    """What stays between calls, of one vault at a time. It is one object for ever, changed from within: the sandbox
    takes a module whose names were bound anew for damage that a request left."""

    key: tuple[str, str] | None = None
    files: IndexFiles | None = None
    follower: Follower | None = None
    too_large: bool = False  # memory did not hold all pages once
    unseen: tuple[bytes, tuple[str, ...]] | None = None  # a listing, and what it could not see


_MEMORY: Final = _Memory()


def forget() -> None:
    """Drop everything kept, as a new process would."""
    if _MEMORY.files is not None:
        _MEMORY.files.let_go()
    _MEMORY.key = _MEMORY.files = _MEMORY.follower = _MEMORY.unseen = None
    _MEMORY.too_large = False


def answered(ctx: Context, work: Callable[[Chosen], T]) -> T:
    """What ``work`` makes of the best index that can be had now; once more, with the next best, where one turns out
    to be damaged while it is read."""
    while True:
        try:
            return work(current(ctx))
        except Damaged as damage:
            _distrust(damage)


def current(ctx: Context) -> Chosen:
    """The best index that can be had now. Reading it may raise ``Damaged``: see ``answered``."""
    raw = ctx.surroundings.listing()
    files = _files(ctx)
    has_time = _clock(ctx.surroundings)
    while True:
        try:
            return _choose(ctx, files, raw, has_time)
        except Damaged as damage:
            _distrust(damage)


def inspect_files(ctx: Context, listing: Listing) -> dict[str, Any]:
    """What doctor says of the index files: ``ready`` when a search would rank by one. Builds nothing."""
    files = _files(ctx)
    report = {"ready": False, "indexExists": False, "index": None, "reason": None, "freshness": "unavailable"}
    try:
        packed = files.packed()
        if packed is not None:
            stale = not packed.is_of(listing.raw)
            why = f"Some pages are newer; a search reads those again. {RUN} to renew it." if stale else None
            freshness = "stale" if stale else "unknown" if packed.unseen else "current-by-mtime"
            report |= {"ready": True, "indexExists": True, "index": packedfile.PATH}
            return report | {"reason": why, "freshness": freshness}
    except Damaged as damage:
        files.distrust(damage)
    try:
        version1 = files.version1(_clock(ctx.surroundings))
    except OutOfTime:
        return report | {"indexExists": True, "index": bm25file.PATH, "reason": _NO_TIME, "freshness": "unknown"}
    report |= {"indexExists": files.exists, "reason": files.trouble or f"There is no index file. {RUN} to write one."}
    if version1 is None:
        return report
    if files.version1_holds(listing.raw):
        report |= {"ready": True, "index": bm25file.PATH}
        return report | {"reason": files.trouble, "freshness": "current-by-mtime"}
    return report | {"index": bm25file.PATH, "reason": f"{_VERSION1_OLD}. {RUN} to renew it.", "freshness": "stale"}


def _choose(ctx: Context, files: IndexFiles, raw: bytes, has_time: Callable[[], bool]) -> Chosen:
    packed = files.packed()
    if packed is not None:
        if packed.is_of(raw):
            freshness = "unknown" if packed.unseen else "current-by-mtime"
            return Chosen(packed, freshness, "index-file", None, not packed.unseen, packed.unseen, packed.counted)
        return _mended(ctx, packed, raw, has_time)
    try:
        version1 = files.version1(has_time)
    except OutOfTime:
        return Chosen(None, "unknown", None, _NO_TIME, False, ())
    if version1 is not None and files.version1_holds(raw):
        return _told(raw, version1, "unknown" if _unseen(raw) else "current-by-mtime", "index-file", files.trouble)
    freshness = "unavailable" if version1 is None else "stale"
    live = _live(ctx, raw, has_time)
    if live is not None:
        old = None if version1 is None else f"{_VERSION1_OLD}, so the pages were read. {RUN} to renew it."
        return _told(raw, live, freshness, "live", old or files.trouble)
    if version1 is None:
        return Chosen(None, freshness, None, _building(raw), False, _unseen(raw))
    for path in set(version1.paths()) - _listed(raw):
        version1.remove(path)
    old = f"{_VERSION1_OLD}, and there was no time to read those. Ask again, or: {RUN} once."
    return Chosen(version1, freshness, "index-file", old, False, _unseen(raw))


def _mended(ctx: Context, packed: PackedFile, raw: bytes, has_time: Callable[[], bool]) -> Chosen:
    """The packed file with pages in memory over it, for those that changed since it was made."""
    follower = _MEMORY.follower
    if follower is None or follower.index.base is not packed:
        follower = _MEMORY.follower = Follower(LiveIndex(packed.tokenizer, packed), packed.listing)
    if follower.catch_up(ctx, raw, has_time):
        reason = f"The index file is older than some pages, which were read again. {RUN} to renew it."
        return replace(_told(raw, follower.index, "stale", "live", reason), counted=packed.counted)
    left = len(follower.waiting)
    reason = f"Pages changed since the index file was made, {left:,} not read yet. Ask again, or: {RUN} to renew it."
    return Chosen(follower.index, "stale", "index-file", reason, False, _unseen(raw), packed.counted)


def _live(ctx: Context, raw: bytes, has_time: Callable[[], bool]) -> LiveIndex | None:
    """All pages in memory, brought up to date; ``None`` when time was up first."""
    follower = _MEMORY.follower
    if follower is None or follower.index.base is not None:
        follower = _MEMORY.follower = Follower(LiveIndex(tokens.TOKENIZER), b"")
    if _MEMORY.too_large:
        return None
    try:
        return follower.index if follower.catch_up(ctx, raw, has_time) else None
    except MemoryError:
        _MEMORY.follower = None
        _MEMORY.too_large = True
        return None


def _building(raw: bytes) -> str:
    if _MEMORY.too_large:
        return f"This wiki is too large to be held in memory. {RUN} once, and search again."
    total = len(_listed(raw))
    read = total - len(_MEMORY.follower.waiting)
    return (
        f"The index is still being built: {read:,} of {total:,} pages are read. {RUN} once. "
        "Asking again in the same session goes on from here."
    )


def _told(raw: bytes, index: Index, freshness: str, source: str, reason: str | None) -> Chosen:
    """A choice that stands, with what could not be seen or read."""
    follower = _MEMORY.follower
    unread = follower.trouble() if follower is not None and follower.index is index else []
    notes = (*_unseen(raw), *unread)
    if len(notes) > _NOTES_MAX:
        notes = (*notes[:_NOTES_MAX], f"{len(notes) - _NOTES_MAX:,} more are like these.")
    return Chosen(index, freshness, source, reason, not notes, notes)


def _files(ctx: Context) -> IndexFiles:
    key = (ctx.vault.root, ctx.vault.wiki)
    if _MEMORY.key != key or _MEMORY.files is None:
        forget()
        _MEMORY.key, _MEMORY.files = key, IndexFiles(ctx.vault)
    return _MEMORY.files


def _distrust(damage: Damaged) -> None:
    """Only the packed file is still read while it is used."""
    if _MEMORY.files is None or not _MEMORY.files.distrust(damage):
        raise WikiError("sandbox-failed", f"An index in memory turned out damaged. {damage} Ask again.")
    _MEMORY.follower = None


def _clock(surroundings: Surroundings) -> Callable[[], bool]:
    left = surroundings.remaining()
    reserve = min(RESERVE_SECONDS, left * RESERVE_SHARE)
    return lambda: surroundings.remaining() > reserve


def _listed(raw: bytes) -> set[str]:
    return {entry.path for entry in Listing.parse(raw).entries}


def _unseen(raw: bytes) -> tuple[str, ...]:
    known = _MEMORY.unseen
    if known is None or known[0] != raw:
        known = _MEMORY.unseen = (raw, unseen(raw))
    return known[1]
