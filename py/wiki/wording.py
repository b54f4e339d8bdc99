"""An envelope in words, for a person at a terminal. Programs take ``--json``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, Final

from .display import shown_name
from .envelope import Envelope

# A page may hold what moves the cursor or renames the window; a terminal must not act on it.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def worded(envelope: Envelope) -> str:
    if not envelope["ok"]:
        text = f"{envelope['code']}: {envelope['message']}"
    else:
        lines = _WORDINGS.get(envelope["operation"], _outlined)(envelope["payload"])
        text = "\n".join(lines)
    return _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text.replace("\r\n", "\n"))


def _search(payload: dict[str, Any]) -> Iterator[str]:
    for result in payload.get("results", ()):
        how = f"{result.get('match')}, {result.get('score')}"
        yield f"{shown_name(result['path'])}:{result.get('lineStart')}  ({how})"
        yield f"    {' '.join(result.get('excerpt', '').split())}"
        content = result.get("content")
        if isinstance(content, str):
            yield content
    if not payload.get("results"):
        yield "Nothing found."
    for note in (payload.get("reason"), payload.get("semanticError")):
        if note:
            yield f"({note})"


def _outline(payload: dict[str, Any]) -> Iterator[str]:
    yield f"{payload['title']}  ({payload['characters']:,} characters, hash {payload['expectedHash']})"
    for section in payload["sections"]:
        title = section["title"] or "(before the first heading)"
        lines = f"lines {section['lineStart']}-{section['lineEnd']}"
        yield f"{'  ' * max(section['level'], 1)}{title}  [{section['section']}] {lines}"
    if payload["nextOffset"] is not None:
        following = f"--offset {payload['nextOffset']} --hash {payload['expectedHash']}"
        yield f"({payload['total']} sections in all: go on with {following})"


def _read(payload: dict[str, Any]) -> Iterator[str]:
    yield payload["text"]
    if payload.get("truncated"):
        yield f"(Cut here: go on with --cursor {payload['cursor']})"


def _outlined(payload: dict[str, Any], depth: int = 0) -> Iterator[str]:
    """Any payload as indented names and values."""
    for name, value in payload.items():
        if isinstance(value, dict) and value:
            yield f"{'  ' * depth}{name}:"
            yield from _outlined(value, depth + 1)
        elif isinstance(value, list) and value:
            yield f"{'  ' * depth}{name}:"
            for item in value:
                text = (
                    ", ".join(f"{key} {part}" for key, part in item.items())
                    if isinstance(item, dict)
                    else str(item)
                )
                yield f"{'  ' * (depth + 1)}- {shown_name(text, most=500)}"
        else:
            yield f"{'  ' * depth}{name}: {_plain(value)}"


def _plain(value: Any) -> str:
    if value is None or value in ([], {}):
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return shown_name(str(value), most=1_000)


_WORDINGS: Final[dict[str, Callable[[dict[str, Any]], Iterator[str]]]] = {
    "search": _search,
    "outline": _outline,
    "read": _read,
}
