"""How a name is shown to people: whole, on one line, with everything that could mislead made visible."""

from __future__ import annotations

import unicodedata
from typing import Final

# Persian words and emoji families are written with these two, which hide nothing and move nothing.
_JOINERS: Final = "\u200c\u200d"
_INVISIBLE: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def shown_name(name: str, *, most: int = 200) -> str:
    """``name`` with control characters, line ends, direction marks and surrogates escaped as ``\\u202e``.

    A name longer than ``most`` code points is shortened in the middle: its beginning and its end tell most.
    """
    if len(name) > most:
        head = (most - 1) // 2
        name = f"{name[:head]}…{name[len(name) - (most - 1 - head) :]}"
    if name.isascii() and name.isprintable():
        return name
    return "".join(map(_shown, name))


def _shown(character: str) -> str:
    if character in _JOINERS or unicodedata.category(character) not in _INVISIBLE:
        return character
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
