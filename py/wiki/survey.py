"""How many files a search looked at and how many it left out, counted once and then kept true from listing to listing."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from .context import Context
from .excluded import Excluded
from .follow import differing
from .listing import Listing, parse_record
from .packedfile import Counted


@dataclass(slots=True)
class Survey:
    """What one listing holds."""

    checked: int = 0  # files and folders looked at
    pages: int = 0  # files that count as pages, excluded ones among them
    excluded: int = 0  # pages left out because Obsidian leaves them out of its own search
    skipped: Counter[str] = field(default_factory=Counter)  # why an entry is no page -> how many such


@dataclass(slots=True)
class _Memory:
    """One object for ever, changed from within: what the last listing counted to."""

    vault: tuple[str, str] | None = None
    raw: bytes = b""
    filters: tuple[object, ...] = ()
    survey: Survey = field(default_factory=Survey)


_MEMORY: Final = _Memory()


def surveyed(ctx: Context, excluded: Excluded, counted: Counted | None = None) -> Survey:
    """The counts of what the wiki folder holds now. ``counted`` saves counting from nothing."""
    raw = ctx.surroundings.listing()
    vault = (ctx.vault.root, ctx.vault.wiki)
    filters = (excluded.prefixes, tuple(pattern.regex.pattern for pattern in excluded.patterns))
    if (_MEMORY.vault, _MEMORY.filters) != (vault, filters):
        _MEMORY.vault, _MEMORY.filters = None, filters
        _MEMORY.raw, _MEMORY.survey = _from_counted(counted) if counted and not excluded else (b"", Survey())
    if _MEMORY.raw != raw:
        _MEMORY.vault = None  # until the counts are true again, they are nobody's
        gone, new = Listing.changes(*differing(_MEMORY.raw, raw))
        for records, sign in ((gone, -1), (new, 1)):
            for record in records:
                _count(_MEMORY.survey, record, sign, excluded)
        _MEMORY.raw = raw
    _MEMORY.vault = vault
    return _MEMORY.survey


def _from_counted(counted: Counted) -> tuple[bytes, Survey]:
    pages = counted.entries - sum(counted.skipped.values())
    return counted.listing, Survey(counted.entries, pages, 0, Counter(counted.skipped))


def _count(survey: Survey, record: bytes, sign: int, excluded: Excluded) -> None:
    entry, reason = parse_record(record)
    survey.checked += sign
    if reason is not None:
        survey.skipped[reason] += sign
        return
    survey.pages += sign
    if excluded and excluded.matches(entry.path):
        survey.excluded += sign
