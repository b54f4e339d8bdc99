"""What to do where the wiki knows nothing: a page that could be written, as a suggestion and nothing more."""

from __future__ import annotations

import re
from typing import Any, Final, Sequence

_SLUG_MAX_CHARS: Final = 60
_TITLE_MAX_CHARS: Final = 100
_TAGS_MAX: Final = 5
_TAG_FROM: Final = 3  # characters
_GUIDE: Final = re.compile(r"\s*(how|wie|comment|cómo|como|как|як|如何|怎|どう)\b", re.I)
_APART: Final = re.compile(r"[\s\x00-,./:-@\[-^`{-\x7f]+")


def knowledge_gap(query: str, subject: Sequence[str], *, wiki: str, type: str | None, tags: Sequence[str]) -> dict[str, Any]:
    """The suggestion for a query without results. ``subject`` are the words it is about, as the query has them."""
    title = " ".join(query.split())
    if len(title) > _TITLE_MAX_CHARS:
        title = title[:_TITLE_MAX_CHARS].rsplit(" ", 1)[0]
    title = title.rstrip(" ?？!！.。")
    slug = _slug(subject) or "new-page"
    folder = "" if wiki == "." else f"{wiki}/"
    own_tags = [word.casefold() for word in subject if len(word) >= _TAG_FROM and not word.isdigit()]
    return {
        "query": query,
        "suggested_page": f"{folder}{slug}.md",
        "suggested_title": title[:1].upper() + title[1:] if title else slug,
        "suggested_type": type or ("guide" if _GUIDE.match(query) else "concept"),
        "suggested_tags": [tag.lstrip("#") for tag in tags] or list(dict.fromkeys(own_tags))[:_TAGS_MAX],
        "hint": "No page has these words. Try fewer or other words first. If the wiki should know this, suggest to its "
        "user a page like this one; these tools write nothing.",
    }


def _slug(words: Sequence[str]) -> str:
    slug = ""
    for word in words:
        part = _APART.sub("-", word.casefold()).strip("-_")
        if part and len(slug) + 1 + len(part) <= _SLUG_MAX_CHARS:
            slug = f"{slug}-{part}" if slug else part
    return slug
