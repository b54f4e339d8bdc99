"""A large JSON text taken from its file piece by piece: what is taken next must match a pattern, or it is malformed.

Patterns say what may come, flat and without nesting, so that no depth can end the interpreter; they use possessive
repeats only, so that every text takes time in proportion to its length.
"""

from __future__ import annotations

import re
from encodings.utf_8_sig import IncrementalDecoder  # by name: asking `codecs` for it would leave it in a cache
from typing import Callable, Final

from .heldfile import HeldFile
from .index import Damaged

STRING: Final = r'"[^"\\\x00-\x1f]*+(?:\\.[^"\\\x00-\x1f]*+)*+"'
_SPACE: Final = re.compile(r"[ \t\r\n]*+")
_PIECE_BYTES: Final = 1024 * 1024
_VALUE_MAX_CHARS: Final = 32 * 1024 * 1024  # one value: all pages of the commonest term of a very large vault


class PiecewiseText:
    """The text of a file, from its beginning to its end. ``pause`` is called now and then, and may raise."""

    def __init__(self, file: HeldFile, pause: Callable[[], None]) -> None:
        self._file = file
        self._pause = pause
        self._decoder = IncrementalDecoder("strict")
        self._read = 0
        self._text = ""
        self._at = 0

    def peek(self) -> str:
        """The next character that is no white space; nothing at the end."""
        while True:
            self._at = _SPACE.match(self._text, self._at).end()
            if self._at < len(self._text) or not self._more():
                return self._text[self._at : self._at + 1]

    def skip(self, character: str) -> bool:
        """Move past the next character if it is this one."""
        if self.peek() != character:
            return False
        self._at += 1
        return True

    def expect(self, character: str, where: str) -> None:
        if not self.skip(character):
            raise Damaged(f"It is malformed {where}: there is no {character}.")

    def take(self, pattern: re.Pattern[str], what: str) -> str:
        """What matches the pattern next. ``what`` names it where nothing does."""
        self.peek()
        while True:
            found = pattern.match(self._text, self._at)
            # A match that ends where the text does may go on in the next piece.
            if found and (found.end() < len(self._text) or not self._more()):
                self._at = found.end()
                return found[0]
            if not found and (len(self._text) - self._at > _VALUE_MAX_CHARS or not self._more()):
                raise Damaged(f"It is malformed: {what} is not as it must be.")

    def _more(self) -> bool:
        """Read on, twice as far each time that the same value is not complete yet."""
        left = self._file.size - self._read
        if left <= 0:
            return False
        self._pause()
        rest = self._text[self._at :]
        amount = min(left, max(_PIECE_BYTES, len(rest)))
        data = self._file.read(self._read, amount)
        self._read += amount
        try:
            self._text, self._at = rest + self._decoder.decode(data, final=amount == left), 0
        except UnicodeDecodeError:
            raise Damaged("It is not UTF-8.") from None
        return True
