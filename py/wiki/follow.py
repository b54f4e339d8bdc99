"""Keeps an index in memory true to the pages: what a new listing shows as changed is read again, while there is time."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Callable, Final

from .analysis import analyse
from .context import Context
from .display import shown_name
from .listing import Entry, Listing, parse_record
from .overlay import LiveIndex
from .pages import Unreadable, read_entry

_RETRIED_MAX: Final = 100  # pages that could not be read are tried again with every call, but not thousands of them


@dataclass(slots=True)
class Follower:
    """A live index and how far it has come. What an interrupt leaves is gone on from by the next call."""

    index: LiveIndex
    listing: bytes  # what ``index`` follows, apart from the pages in ``waiting``
    waiting: dict[str, Entry] = field(default_factory=dict)
    unread: dict[str, tuple[Entry, str]] = field(default_factory=dict)  # could not be read when last tried, and why

    def catch_up(self, ctx: Context, raw: bytes, has_time: Callable[[], bool]) -> bool:
        """Follow the listing ``raw``; false when time was up first."""
        if raw != self.listing:
            self._note_changes(raw)
        for path, (entry, _) in list(self.unread.items())[:_RETRIED_MAX]:
            self.waiting.setdefault(path, entry)
        total = len(self.waiting)
        for done, path in enumerate(sorted(self.waiting), start=1):
            if not has_time():
                return False
            self._read(ctx, self.waiting[path])
            ctx.surroundings.progress("Reading pages", done, total)
        return True

    def trouble(self) -> list[str]:
        """A sentence for each page that could not be read."""
        return [f'"{shown_name(path)}" could not be read: {why}.' for path, (_, why) in sorted(self.unread.items())]

    def _note_changes(self, raw: bytes) -> None:
        old, new = Listing.changes(*differing(self.listing, raw))
        for record in new:
            entry, reason = parse_record(record)
            if reason is None:
                self.waiting[entry.path] = entry
        pages_now = {entry.path for entry, reason in map(parse_record, new) if reason is None}
        for record in old:
            path = parse_record(record).entry.path
            if path not in pages_now:
                self.index.remove(path)
                self.waiting.pop(path, None)
                self.unread.pop(path, None)
        self.listing = raw  # last, so that an interrupt before it only means to do this once more

    def _read(self, ctx: Context, entry: Entry) -> None:
        path = entry.path
        try:
            page = read_entry(ctx.vault, entry)
        except Unreadable as trouble:
            self.index.remove(path)
            self.unread[path] = (entry, trouble.reason)
        else:
            if not self.index.has_unchanged(path, page):
                self.index.add(path, analyse(page, ctx.surroundings))
            self.unread.pop(path, None)
        del self.waiting[path]


def differing(old: bytes, new: bytes) -> tuple[bytes, bytes]:
    """Two listings without the whole records that both begin and end with: after one change, next to nothing."""
    start = old.rfind(b"\0", 0, _alike(old, new)) + 1
    old, new = old[start:], new[start:]
    end = old.find(b"\0", len(old) - _alike(old, new, backwards=True))
    left = len(old) - end - 1 if end >= 0 else 0  # what both end with, from the first whole record on
    return old[: len(old) - left], new[: len(new) - left]


def _alike(one: bytes, other: bytes, *, backwards: bool = False) -> int:
    """How many bytes two texts have in common from the beginning, or from the end."""
    most = min(len(one), len(other))
    same = 0
    for step in (65_536, 1_024, 32, 1):
        while same + step <= most:
            at, also = (len(one) - same - step, len(other) - same - step) if backwards else (same, same)
            if one[at : at + step] != other[also : also + step]:
                break
            same += step
    return same


def unseen(raw: bytes) -> tuple[str, ...]:
    """Sentences on what the listing ``raw`` could not see; quick where it saw everything."""
    others = [record for record in raw.split(b"\0") if record[:1] not in (b"f", b"")]
    return tuple(Listing.parse(b"".join(record + b"\0" for record in others)).incomplete) if others else ()
