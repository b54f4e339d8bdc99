"""Text in a page that nobody typed: it is neither indexed nor shown in an excerpt."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from .markdown import Structure

_DATA_URL: Final = re.compile(
    r"\bdata:[\w.+-]{1,60}/[\w.+-]{1,60}(?:;[\w.=+-]{1,60}){0,5}[;,][A-Za-z0-9+/=%_-]{40,}"
)
_COMPRESSED: Final = re.compile(r"^```compressed-json\b.*?(?:^```|\Z)", re.M | re.S)
_DRAWING: Final = re.compile(r"^%%.*?(?:^%%|\Z)", re.M | re.S)


def untyped(text: str, structure: Structure) -> list[tuple[int, int]]:
    """Spans of data URLs, of drawings stored as ``compressed-json``, and in Excalidraw pages of all between ``%%``."""
    patterns = []
    if "data:" in text:
        patterns.append(_DATA_URL)
    if "compressed-json" in text:
        patterns.append(_COMPRESSED)
    if "excalidraw-plugin" in structure.frontmatter_text:
        patterns.append(_DRAWING)
    return sorted(match.span() for pattern in patterns for match in pattern.finditer(text))


def searchable(text: str, structure: Structure) -> str:
    """The text with spaces for what nobody typed, so that every position stays what it was."""
    kept = []
    position = 0
    for start, end in untyped(text, structure):
        if end > position:
            kept += [text[position:start], " " * (end - max(start, position))]
            position = end
    return "".join(kept) + text[position:] if kept else text
