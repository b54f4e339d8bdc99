"""The operation ``read``: a part of one page exactly as it is written, in pieces that joined give it back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from . import cursor as cursors
from .arguments import choice, integer, reject_unknown, text
from .context import Context
from .cursor import Cursor
from .cut import cut
from .display import shown_name
from .errors import WikiError
from .frontmatter import read_frontmatter
from .limits import READ_MAX_CHARS
from .lines import line_at
from .listing import PATH_MAX_BYTES
from .markdown import parse
from .outline import HASH_CHARS, check_hash
from .pages import Page, open_page
from .sections import find_section, sections
from .view import elisions, window

VIEWS = ("raw", "current")
_SECTION_MAX_CHARS = 2_000


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What the arguments ask for. A section is found, and a span checked, only once the page is open."""

    page: str
    expected: str | None
    section: str | None
    span: tuple[int, int] | None
    view: str | None
    cursor: Cursor | None


@dataclass(frozen=True, slots=True)
class _Selection:
    section: str | None  # a selector
    start: int
    end: int


def read(ctx: Context, args: dict[str, Any]) -> dict[str, Any]:
    """One part of a section or span, and the cursor to the next one.

    Raises the errors of opening a page, and ``hash-mismatch``, ``cursor-invalid``, ``section-not-found``,
    ``section-ambiguous`` and ``span-out-of-range``.
    """
    wanted = _wanted(args)
    max_chars = integer(args, "maxChars", min=1, max=READ_MAX_CHARS, default=READ_MAX_CHARS)
    page = open_page(ctx.vault, wanted.page)
    check_hash(page, wanted.cursor.hash if wanted.cursor else wanted.expected or "")
    selection = _selection(page, wanted)
    position = wanted.cursor.position if wanted.cursor else selection.start
    view = wanted.cursor.view if wanted.cursor else wanted.view or "raw"
    extra: dict[str, Any] = {}
    if view == "raw":
        end = cut(page.text, position, selection.end, max_chars)
        body = page.text[position:end]
    else:
        structure = parse(page.text)
        status = read_frontmatter(structure, ctx.surroundings).status
        left_out = elisions(page.text, structure, sections(page.text, structure), status)
        part = window(page.text, left_out, position, selection.end, max_chars)
        end = part.end
        body = "".join(page.text[a:b] for a, b in part.segments)
        extra["segments"] = _segments(part.segments)
        extra["elided"] = [{"start": e.start, "end": e.end, "reason": e.reason} for e in part.elided]
    truncated = end < selection.end
    going_on = Cursor(page.path, page.hash, view, selection.section, selection.start, selection.end, end)
    return {
        "vault": ctx.vault.shown,
        "page": page.path,
        "expectedHash": page.hash,
        "view": view,
        "selection": _shown(selection),
        "start": position,
        "end": end,
        "lineStart": line_at(page.text, position),
        "lineEnd": line_at(page.text, max(position, end - 1)),
        "text": body,
        "truncated": truncated,
        "cursor": cursors.encode(going_on) if truncated else None,
        **extra,
    }


def _wanted(args: dict[str, Any]) -> _Wanted:
    allowed = ("vault", "page", "expectedHash", "section", "start", "end", "view", "maxChars", "cursor")
    reject_unknown(args, allowed)
    path = text(args, "page", max=PATH_MAX_BYTES)
    given = text(args, "cursor", max=cursors.MAX_CHARS, default=None)
    expected = text(args, "expectedHash", max=HASH_CHARS, default=None)
    section = text(args, "section", max=_SECTION_MAX_CHARS, default=None)
    start = integer(args, "start", min=0, max=None, default=None)
    end = integer(args, "end", min=0, max=None, default=None)
    view = choice(args, "view", VIEWS, default=None)
    if (start is None) != (end is None) or (section is not None and start is not None):
        raise WikiError("invalid-input", 'Give either a "section", or both "start" and "end".')
    if given is None and section is None and start is None:
        raise WikiError("invalid-input", 'Say what to read: a "section", or both "start" and "end".')
    if given is None and expected is None:
        raise WikiError(
            "invalid-input",
            '"expectedHash" is missing. Search and outline give it; with it you read the page that they saw.',
        )
    cursor = cursors.decode(given) if given is not None else None
    if cursor:
        _check_against(cursor, path, expected, view, None if start is None else (start, end))
    return _Wanted(path, expected, section, None if start is None else (start, end), view, cursor)


def _check_against(
    cursor: Cursor, path: str, expected: str | None, view: str | None, span: tuple[int, int] | None
) -> None:
    """A cursor keeps page, version, view and selection: whatever is said besides must say the same."""
    if cursor.page != path:
        raise cursors.invalid("It is of another page")
    if expected is not None and expected.strip().lower() != cursor.hash:
        raise cursors.invalid("It is of another version of the page than the hash given with it")
    if view is not None and view != cursor.view:
        raise cursors.invalid("It is of another view")
    if cursor.view not in VIEWS:
        raise cursors.invalid("It is of a view that does not exist")
    if span is not None and span != (cursor.start, cursor.end):
        raise cursors.invalid("It is of another selection")


def _selection(page: Page, wanted: _Wanted) -> _Selection:
    """The selection of a cursor is checked like any other, since a cursor can be made up."""
    cursor = wanted.cursor
    if wanted.section is not None:
        section = find_section(sections(page.text, parse(page.text)), wanted.section)
        span = (section.start, section.end)
        if cursor and (cursor.section, (cursor.start, cursor.end)) != (section.selector, span):
            raise cursors.invalid("It is of another selection")
        return _Selection(section.selector, section.start, section.end)
    start, end = (cursor.start, cursor.end) if cursor else wanted.span or (0, 0)
    if start > end or end > len(page.text):
        if cursor:
            raise cursors.invalid("It reaches beyond the page")
        raise WikiError(
            "span-out-of-range",
            f'"{shown_name(page.path, most=150)}" has {len(page.text):,} characters; a span of it has '
            f"0 <= start <= end <= {len(page.text)}. Take positions from the outline or a search result.",
            {"page": page.path, "expectedHash": page.hash, "characters": len(page.text)},
        )
    return _Selection(cursor.section if cursor else None, start, end)


def _segments(pieces: list[tuple[int, int]]) -> list[dict[str, int]]:
    """Where each piece stands in the answer's text, and where in the page."""
    segments, at = [], 0
    for start, end in pieces:
        segments.append({"textStart": at, "textEnd": at + end - start, "start": start, "end": end})
        at += end - start
    return segments


def _shown(selection: _Selection) -> dict[str, Any]:
    span = {"start": selection.start, "end": selection.end}
    return span if selection.section is None else {"section": selection.section, **span}
