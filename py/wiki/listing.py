"""What the wiki folder holds at one moment: a flat list that two moments can be compared by.

The listing is bytes: one record an entry, each ended by NUL::

    kind SP size SP mtime_ns SP nlink SP local SP path

Numbers are decimal; ``path`` is vault-relative, with ``/``, in UTF-8. Folders themselves have no record; a
folder's entries come in the order of their names' UTF-8 bytes, and a subfolder's entries stand where its name
sorts. The first rule that fits gives the kind; all but ``f`` have 0 for every number:

    n  the name is not UTF-8 (its bytes replaced by U+FFFD)      h  the name begins with "."; never descended
    t  the path is longer than 4,000 bytes of UTF-8, or the      v  it vanished while it was looked at
       entry is a folder of more than 64 parts                   l  symbolic link, whatever its name
    d  a folder that could not be read, or an entry whose        f  regular file ending in .md, in any case
       kind could not be found out                               o  anything else ending in .md, folders aside

``local`` is 0 for a file with a size but no blocks (kept in the cloud), else 1. The host makes the very same
bytes for the sandbox, and ``scan.py`` makes them natively.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from .display import shown_name
from .limits import PAGE_MAX_BYTES

RESERVED_NAMES: Final = frozenset({"index.md", "log.md", "_plan.md"})
PATH_MAX_BYTES: Final = 4_000  # what operating systems allow, less the vault's own prefix

# Reasons why a listed entry is no page for search. The last five mean: something was not seen at all.
_REASONS: Final = {
    "h": "hidden",
    "l": "symlink",
    "o": "not-regular",
    "d": "unreadable",
    "n": "name-not-utf8",
    "t": "too-deep",
    "v": "vanished",
}
_UNSEEN: Final = {
    "unreadable": "could not be read",
    "name-not-utf8": "has a name that is not UTF-8",
    "too-deep": "lies too deep or has too long a path",
    "vanished": "vanished while it was looked at",
}


class Entry(NamedTuple):
    """A page as listed. A named tuple, not a dataclass: fifty thousand are made for one search."""

    path: str
    size: int
    mtime_ns: int


class Record(NamedTuple):
    """One record of a listing: the entry, and why it is no page (``None`` for a page)."""

    entry: Entry
    reason: str | None


def parse_record(record: bytes) -> Record:
    """One record without its NUL. Raises ``ValueError`` for what no listing holds."""
    kind, size, mtime_ns, links, local, path = record.decode("utf-8").split(" ", 5)
    entry = Entry(path, int(size), int(mtime_ns))
    if kind != "f":
        return Record(entry, _REASONS.get(kind, "unreadable"))
    if path[path.rfind("/") + 1 :].lower() in RESERVED_NAMES:
        return Record(entry, "reserved")
    if links not in ("0", "1"):
        return Record(entry, "hardlink")
    if entry.size > PAGE_MAX_BYTES:
        return Record(entry, "too-large")
    return Record(entry, None if local != "0" else "not-local")


@dataclass(frozen=True, slots=True)
class Listing:
    """A parsed listing: the pages, and what is not one of them by reason."""

    raw: bytes
    entries: list[Entry] = field(default_factory=list)  # what counts as a page, in listing order
    skipped: dict[str, list[str]] = field(default_factory=dict)  # reason -> paths
    not_local_bytes: int = 0  # the sizes of files kept in the cloud, in all

    @staticmethod
    def parse(data: bytes) -> Listing:
        entries: list[Entry] = []
        skipped: dict[str, list[str]] = {}
        not_local_bytes = 0
        for record in _records(data):
            entry, reason = parse_record(record)
            if reason is None:
                entries.append(entry)
                continue
            skipped.setdefault(reason, []).append(entry.path)
            if reason == "not-local":
                not_local_bytes += entry.size
        return Listing(data, entries, skipped, not_local_bytes)

    @property
    def incomplete(self) -> list[str]:
        """Sentences on what was not seen, without which a search saw everything there is."""
        return [
            f'"{shown_name(path)}" {why}.'
            for reason, why in _UNSEEN.items()
            for path in self.skipped.get(reason, ())
        ]

    @staticmethod
    def changes(old: bytes, new: bytes) -> tuple[list[bytes], list[bytes]]:
        """Records only in ``old`` (gone, changed) and only in ``new`` (new, changed), in listing order."""
        if old == new:
            return [], []
        before, after = _records(old), _records(new)
        known, found = set(before), set(after)
        return [r for r in before if r not in found], [r for r in after if r not in known]


def _records(data: bytes) -> list[bytes]:
    records = data.split(b"\0")
    records.pop()  # what follows the last NUL: nothing
    return records
