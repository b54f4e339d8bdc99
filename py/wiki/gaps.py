"""What to do where the wiki knows nothing: a page that could be written, as a suggestion and nothing more."""

from __future__ import annotations

import re
from typing import Any, Final, Sequence

from .candidates import Candidates
from .context import Context
from .listing import RESERVED_NAMES, Listing

_SLUG_MAX_CHARS: Final = 60
_TITLE_MAX_CHARS: Final = 100
_TAGS_MAX: Final = 5
_TAG_FROM: Final = 3  # characters
_GUIDE: Final = re.compile(r"\s*(how|wie|comment|cómo|como|как|як|如何|怎|どう)\b", re.I)
_DEVICE: Final = re.compile("con|prn|aux|nul|com[0-9]|lpt[0-9]")  # no file can have these names on Windows
_APART: Final = re.compile(r"[\s\x00-,./:-@\[-^`{-\x7f]+")


def knowledge_gap(ctx: Context, query: str, ranked: Candidates, *, type: str | None, tags: Sequence[str]) -> dict[str, Any]:
    """The suggestion for a query without results, and what is really known of why there are none."""
    subject = ranked.subject
    title = " ".join(query.split())
    if len(title) > _TITLE_MAX_CHARS:
        title = title[:_TITLE_MAX_CHARS].rsplit(" ", 1)[0]
    title = title.rstrip(" ?？!！.。")
    slug = _slug(subject) or "new-page"
    own_tags = [word.casefold() for word in subject if len(word) >= _TAG_FROM and not word.isdigit()]
    return {
        "query": query,
        "suggested_page": _free(ctx, slug),
        "suggested_title": title[:1].upper() + title[1:] if title else slug,
        "suggested_type": type or ("guide" if _GUIDE.match(query) else "concept"),
        "suggested_tags": [tag.lstrip("#") for tag in tags] or list(dict.fromkeys(own_tags))[:_TAGS_MAX],
        "hint": _hint(ranked),
    }


def _hint(ranked: Candidates) -> str:
    if ranked.fallback == "navigation":
        return "No page was looked at, so nothing is known yet of what the wiki has. Ask again first; these tools write nothing."
    if ranked.matching:
        return (
            "Pages have these words, but all are left out: by type or tags, by Obsidian's excluded files, or because they "
            "could not be read. Search without type and tags first; these tools write nothing."
        )
    return (
        "No page has these words. Try fewer or other words first. If the wiki should know this, suggest to its user a page "
        "like this one; these tools write nothing."
    )


def _free(ctx: Context, slug: str) -> str:
    """A path for a new page: not one that is taken, nor one that would be no page."""
    folder = "" if ctx.vault.wiki == "." else f"{ctx.vault.wiki}/"
    listed = Listing.parse(ctx.surroundings.listing())
    taken = {one.path.casefold() for one in listed.entries}.union(
        path.casefold() for paths in listed.skipped.values() for path in paths
    )
    names = (slug, f"{slug}-page", *(f"{slug}-page-{number}" for number in range(2, len(taken) + 3)))
    for name in names:
        path = f"{folder}{name}.md"
        if path.casefold() not in taken and f"{name}.md" not in RESERVED_NAMES and not _DEVICE.fullmatch(name):
            return path
    raise AssertionError("there are more names than pages")


def _slug(words: Sequence[str]) -> str:
    slug = ""
    for word in words:
        part = _APART.sub("-", word.casefold()).strip("-_")
        if part and len(slug) + 1 + len(part) <= _SLUG_MAX_CHARS:
            slug = f"{slug}-{part}" if slug else part
    return slug
