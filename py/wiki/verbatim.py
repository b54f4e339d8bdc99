"""Whether a page has a long query word for word: whoever quotes a sentence wants the page that it stands in."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from .words import SINGLE, WORD, Piece

_LONG: Final = 8  # words, or characters of scripts without spaces; fewer stand together by chance
_END: Final = 12  # characters of it that must stand in a page as written
_LINK: Final = re.compile(r"\[\[(?:[^\[\]|\r\n]{1,300}\|)?([^\[\]|\r\n]{1,300})\]\]|\[([^\[\]\r\n]{1,300})\]\([^()\r\n]{0,1000}\)")
_NO_WORD: Final = re.compile(r"[\W_]+")


class Quote:
    """A query as a sentence to look for."""

    def __init__(self, query: str, found: list[Piece]) -> None:
        self.is_long = sum(piece.kind in (WORD, SINGLE) for piece in found) >= _LONG
        self._wanted = list(dict.fromkeys((words(query), words(shown(query))))) if self.is_long else []
        # A link may hide a word or two from the text as written, but hardly both ends of a long sentence.
        self._ends = [end for wanted in self._wanted for end in (wanted[:_END], wanted[-_END:])]

    def stands_in(self, text: str) -> bool:
        """Whether ``text`` has all of it in its order, as written or as a reader sees it; marks between words aside."""
        written = words(text)
        if any(wanted in written for wanted in self._wanted):
            return True
        if "[" not in text or not any(end in written for end in self._ends):
            return False
        seen = words(shown(text))
        return any(wanted in seen for wanted in self._wanted)


def words(text: str) -> str:
    """The words of a text in one case, with one space around each. Accents stay: a quote has them too."""
    return f" {_NO_WORD.sub(' ', unicodedata.normalize('NFC', text).casefold()).strip()} "


def shown(text: str) -> str:
    """The text with what a reader sees of its links."""
    return _LINK.sub(lambda link: link[1] or link[2], text)
