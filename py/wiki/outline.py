"""The operation ``outline``: the sections of one page, some at a time, with all that reading one asks for."""

from __future__ import annotations

from typing import Any, Final

from .arguments import integer, reject_unknown, text
from .context import Context
from .display import shown_name
from .errors import WikiError
from .frontmatter import read_frontmatter
from .limits import OUTLINE_DEFAULT, OUTLINE_MAX
from .listing import PATH_MAX_BYTES
from .markdown import Structure, parse
from .pages import Page, open_page
from .sections import Section, sections, shortened
from .surroundings import Surroundings

HASH_CHARS: Final = 64


def outline(ctx: Context, args: dict[str, Any]) -> dict[str, Any]:
    """Sections ``offset`` to ``offset + limit`` of a page, and the hash that reading it asks for."""
    reject_unknown(args, ("vault", "page", "expectedHash", "limit", "offset"))
    path = text(args, "page", max=PATH_MAX_BYTES)
    limit = integer(args, "limit", min=1, max=OUTLINE_MAX, default=OUTLINE_DEFAULT)
    offset = integer(args, "offset", min=0, max=None, default=0)
    expected = text(args, "expectedHash", max=HASH_CHARS, default=None)
    if offset and expected is None:
        raise WikiError(
            "invalid-input", '"offset" needs the "expectedHash" of the first answer, to stay on one page.'
        )
    page = open_page(ctx.vault, path)
    if expected is not None:
        check_hash(page, expected)
    structure = parse(page.text)
    found = sections(page.text, structure)
    last = min(offset + limit, len(found))
    return {
        "vault": ctx.vault.shown,
        "page": page.path,
        "title": page_title(page, structure, ctx.surroundings),
        "expectedHash": page.hash,
        "characters": len(page.text),
        "lines": found[-1].line_end if found else 0,
        "total": len(found),
        "sections": [_entry(section) for section in found[offset:last]],
        "nextOffset": last if last < len(found) else None,
    }


def check_hash(page: Page, expected: str) -> None:
    """Refuse to answer about another version of the page than the one the caller has seen."""
    if page.hash != expected.strip().lower():
        raise WikiError(
            "hash-mismatch",
            f'"{shown_name(page.path, most=150)}" has changed since that hash was given, so positions may '
            "have moved. Take its outline or search again, and go on with the hash given here.",
            {"page": page.path, "expectedHash": page.hash},
        )


def page_title(page: Page, structure: Structure, surroundings: Surroundings) -> str:
    """What a page is called: by its frontmatter, else its first H1, else its file name."""
    title = read_frontmatter(structure, surroundings).title
    h1 = next((heading.title for heading in structure.headings if heading.level == 1 and heading.title), None)
    return shortened(title or h1 or page.path.rpartition("/")[2][: -len(".md")])


def _entry(section: Section) -> dict[str, Any]:
    return {
        "section": section.selector,
        "level": section.level,
        "title": shortened(section.title),
        "breadcrumb": section.breadcrumb,
        "start": section.start,
        "end": section.end,
        "ownEnd": section.own_end,
        "lineStart": section.line_start,
        "lineEnd": section.line_end,
    }
