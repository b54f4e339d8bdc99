"""Where to cut a text that is too long for one answer."""

from __future__ import annotations

from typing import Final

# Better places come first: after a paragraph, a line, a word.
_ENDS: Final = ("\n\n", "\r\n\r\n", "\n", "\r", " ")


def cut(text: str, start: int, end: int, room: int, *, may_be_nothing: bool = False) -> int:
    """Where the part of ``[start, end)`` that begins at ``start`` and has at most ``room`` characters ends.

    Looks for a good place in the last quarter of the room and never parts ``\\r\\n``: where one fills all the
    room, it is taken whole, or left for the next part if ``may_be_nothing``. Otherwise a part has at least
    one character.
    """
    latest = start + room
    if end <= latest:
        return end
    earliest = start + room * 3 // 4
    for mark in _ENDS:
        at = text.rfind(mark, earliest, latest)
        if at >= 0:
            latest = at + len(mark)
            break
    if latest > start and text[latest - 1] == "\r" and text.startswith("\n", latest):
        latest -= 1
    if latest > start or may_be_nothing:
        return latest
    return min(start + 2 if text.startswith("\r\n", start) else start + 1, end)
