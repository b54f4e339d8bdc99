"""Link reference definitions (``[label]: target "title"``) at the beginning of a paragraph.

They matter for headings alone: the line under them is an underline only if something else is left of the
paragraph (CommonMark 0.31, section 4.7).
"""

from __future__ import annotations

import re
from typing import Final

_LABEL: Final = re.compile(r"\[(?=[^\]]*[^ \t\n\]\\])(?:[^\\\[\]]|\\.){0,1000}+\]:", re.S)
_GAP: Final = re.compile(r" *+(?:\n *+)?")
_TARGET_IN_BRACKETS: Final = re.compile(r"<(?:[^<>\n\\]|\\.)*+>")
_TARGET: Final = re.compile(r"(?:\\[!-/:-@\[-`{-~]|[^ \t\n\v\f\r\\()]|\\)*+")
_TITLE: Final = re.compile(
    r"""
      "(?:\\[^\\]|\\\\|[^\\"])*+"
    | '(?:\\[^\\]|\\\\|[^\\'])*+'
    | \((?:\\[^\\]|\\\\|[^\\()])*+\)
    """,
    re.X,
)
_REST_IS_BLANK: Final = re.compile(r" *+(?:\n|\Z)")


def skip_definitions(content: str) -> int:
    """How many characters of a paragraph's content are definitions. Its lines are joined with ``\\n``."""
    position = 0
    while content.startswith("[", position) and (end := _definition(content, position)):
        position = end
    return position


def _definition(content: str, position: int) -> int:
    """End of the definition that begins at ``position``, or 0."""
    label = _LABEL.match(content, position)
    if not label:
        return 0
    start = _gap(content, label.end())
    target_end = _target(content, start)
    if target_end < 0:
        return 0
    title_start = _gap(content, target_end)
    if title_start != target_end and (title := _TITLE.match(content, title_start)):
        if blank := _REST_IS_BLANK.match(content, title.end()):
            return blank.end()
    blank = _REST_IS_BLANK.match(content, target_end)
    return blank.end() if blank else 0


def _gap(content: str, position: int) -> int:
    found = _GAP.match(content, position)
    return found.end() if found else position


def _target(content: str, start: int) -> int:
    """End of a link target, or -1. Parentheses must balance."""
    if content.startswith("<", start):
        found = _TARGET_IN_BRACKETS.match(content, start)
        return found.end() if found else -1
    position, depth = start, 0
    while True:
        plain = _TARGET.match(content, position)
        position = plain.end() if plain else position
        mark = content[position : position + 1]
        if mark == "(":
            depth += 1
        elif mark == ")" and depth:
            depth -= 1
        else:
            break
        position += 1
    if depth or (position == start and mark != ")"):
        return -1
    return position
