"""Tags written in the text of a page, as in ``#topic/coffee``."""

from __future__ import annotations

import re
from typing import Final

from .markdown import Structure
from .marks import marks

# Obsidian's own set: anything but white space and punctuation, ``_``, ``-`` and ``/`` allowed. Full-width and
# CJK punctuation ends a tag as well, because no space follows a tag there.
_TAG: Final = re.compile(
    r"""
    (?: \A | (?<=[\s(（「【])(?<!\]\() )  # behind a space or a bracket, unless the bracket is a link's
    \#(
      [^\s!-,.:-@\[-^`{-~\u2000-\u206f\u2e00-\u2e7f\u3000-\u303f\uff00-\uff0f\uff1a-\uff20]+
    )
    """,
    re.X,
)
_NUMBER: Final = re.compile(r"[0-9/]*\Z")


def inline_tags(text: str, structure: Structure) -> tuple[str, ...]:
    """The tags of a page's text without ``#``, each once, in order. Not those in code, comments and links."""
    if not _TAG.search(text, structure.body):
        return ()
    found: dict[str, None] = {}
    for start, end in structure.blocks.texts:
        if text.find("#", start, end) < 0:
            continue
        covered = iter([mark for mark in marks(text, start, end) if mark[2] != "struck"])
        cover = next(covered, None)
        for tag in _TAG.finditer(text, start, end):
            while cover and cover[1] <= tag.start():
                cover = next(covered, None)
            name = tag[1].strip("/")
            if not (cover and cover[0] <= tag.start()) and not _NUMBER.match(name):
                found[name] = None
    return tuple(found)
