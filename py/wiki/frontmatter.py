"""The head of a page: the frontmatter fields that searching and reading need, whatever state its YAML is in.

YAML is read where the program runs (``surroundings.yaml``), every scalar as the text it was written as. Where
that fails, which templates and colons in titles make common, the lines of the few known keys are taken as
they are. Of a key that stands twice the last one counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from . import jsontext
from .limits import FRONTMATTER_MAX_CHARS
from .lines import LINE_END, count_line_ends
from .markdown import Structure
from .surroundings import Surroundings

_JSON_MAX_BYTES: Final = 8 * FRONTMATTER_MAX_CHARS  # YAML's own aliases make a value larger than its text
_ITEMS_MAX: Final = 1_000  # tags or aliases; a longer list is data
_KEY: Final = re.compile(
    r"""
    (?:\A|(?<=[\r\n]))["']?  # at the left edge: further in, it is the key of some other mapping
    (?P<key> title | tags? | alias(?:es)? | description | type | status )
    ["']?[ \t]*+:(?=[ \t\r\n]|\Z)
    """,
    re.X | re.I,
)
_LIST_LINE: Final = re.compile(rf"[ \t]*+-[ \t]++(?P<item>[^\r\n]*+)(?:{LINE_END}|\Z)")
_REST: Final = re.compile(rf"(?P<value>[^\r\n]*+)(?:{LINE_END}|\Z)")
_LINE: Final = re.compile(r"\bline ([0-9]{1,9})\b")
_BETWEEN_WORDS: Final = re.compile(r"[,\s]+")
_NOTHING: Final = frozenset({"", "null", "Null", "NULL", "~"})


@dataclass(frozen=True, slots=True)
class Frontmatter:
    """What the head of a page says. ``fields`` is empty where nothing of it was needed."""

    fields: dict[str, Any] = field(default_factory=dict)  # text, list and mapping values, scalars as written
    error: str | None = None  # a sentence when the YAML is at fault; the values then come from its lines
    title: str | None = None
    description: str | None = None
    type: str | None = None
    status: str | None = None
    tags: tuple[str, ...] = ()  # without ``#``
    aliases: tuple[str, ...] = ()


_NONE: Final = Frontmatter()


def read_frontmatter(
    structure: Structure, surroundings: Surroundings, *, every_key: bool = False
) -> Frontmatter:
    """The frontmatter of a page. Never fails.

    Without ``every_key`` the YAML is left unread where none of the keys above occurs, which saves thousands
    of calls when a vault is indexed.
    """
    text = structure.frontmatter_text
    known = list(_KEY.finditer(text, 0, FRONTMATTER_MAX_CHARS)) if text else []
    if not known and not (every_key and text.strip()) and not text.lstrip().startswith("{"):
        return _NONE
    if len(text) > FRONTMATTER_MAX_CHARS:
        reason = f"it has more than {FRONTMATTER_MAX_CHARS:,} characters"
        return _from_lines(text[:FRONTMATTER_MAX_CHARS], known, reason)
    try:
        fields = jsontext.loads(surroundings.yaml(text), max_bytes=_JSON_MAX_BYTES)
        if not isinstance(fields, dict):
            raise ValueError("it is not a list of keys with values")
    except ValueError as error:
        return _from_lines(text, known, str(error))
    return _of(fields, _twice(text, known), dict(_lines(text, known)))


def _from_lines(text: str, known: list[re.Match[str]], reason: str) -> Frontmatter:
    fields: dict[str, Any] = dict(_lines(text, known))
    # Lines of the block are told as lines of the page, where the opening fence is the first.
    reason = _LINE.sub(lambda found: f"line {int(found[1]) + 1}", reason, count=1)
    return _of(fields, f"The frontmatter is not read as YAML, but line by line: {reason}", {})


def _of(fields: dict[str, Any], error: str | None, lines: dict[str, Any]) -> Frontmatter:
    """The known values. A title that YAML takes for a list (``[[x]]``) is the text of its line."""
    by_name = {name.lower(): value for name, value in fields.items()}
    title = _text(by_name.get("title"))
    if not title and by_name.get("title"):
        title = _text({name.lower(): value for name, value in lines.items()}.get("title"))
    return Frontmatter(
        fields=fields,
        error=error,
        title=title,
        description=_text(by_name.get("description")),
        type=_one(by_name.get("type")),
        status=_one(by_name.get("status")),
        tags=_distinct(_tags(by_name.get("tags")) + _tags(by_name.get("tag"))),
        aliases=_distinct(_aliases(by_name.get("aliases")) + _aliases(by_name.get("alias"))),
    )


def _text(value: Any) -> str | None:
    """A value as one line of text, or nothing when it is none."""
    if not isinstance(value, str) or value.strip() in _NOTHING:
        return None
    return " ".join(value.split())


def _one(value: Any) -> str | None:
    """A text, or the only one of a list, which is how Obsidian writes a property that may hold several."""
    items = list(_items(value))
    return _text(items[0] if len(items) == 1 else value)


def _tags(value: Any) -> list[str]:
    """``#a, b`` and ``a b`` are two tags each, as a list's items are one each."""
    items = _BETWEEN_WORDS.split(value) if isinstance(value, str) else list(_items(value))
    return [tag for item in items if (tag := " ".join(item.split()).lstrip("#").strip()) not in _NOTHING]


def _aliases(value: Any) -> list[str]:
    items = value.split(",") if isinstance(value, str) else _items(value)
    return [alias for item in items if (alias := " ".join(item.split())) not in _NOTHING]


def _items(value: Any) -> Iterator[str]:
    """The texts of a list; a list within it counts as one level more, as ``[[x]]`` is written."""
    for item in value if isinstance(value, list) else ():
        if isinstance(item, str):
            yield item
        elif isinstance(item, list):
            yield from (inner for inner in item if isinstance(inner, str))


def _distinct(texts: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts[:_ITEMS_MAX]))


def _twice(text: str, known: list[re.Match[str]]) -> str | None:
    """A sentence about the first known key that stands at the left edge a second time."""
    seen = set()
    for found in known:
        key = found["key"].lower()
        if key in seen:
            line = 2 + count_line_ends(text, 0, found.start())  # the opening fence is line 1
            return f'The frontmatter has "{key}" twice, again on line {line}. The last one counts.'
        seen.add(key)
    return None


def _lines(text: str, known: list[re.Match[str]]) -> Iterator[tuple[str, str | list[str]]]:
    """Known keys with what follows them, as written: the rest of the line, or the list in the lines below."""
    for found in known:
        rest = _REST.match(text, found.end())
        value = rest["value"].strip() if rest else ""
        listed = found["key"].lower() not in ("title", "description")
        if listed and value.startswith("[") and value.endswith("]"):
            yield found["key"], [_unquoted(item) for item in value[1:-1].split(",")]
        elif value or not rest:
            yield found["key"], _unquoted(value)
        else:
            yield found["key"], _list_below(text, rest.end())


def _list_below(text: str, position: int) -> list[str]:
    items = []
    while (found := _LIST_LINE.match(text, position)) and found.end() > position:
        items.append(_unquoted(found["item"]))
        position = found.end()
    return items


def _unquoted(value: str) -> str:
    value = value.strip()
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return value
