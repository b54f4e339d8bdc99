"""A JavaScript regular expression as one of Python's, or the reason why it is not used.

Python's matcher backtracks and cannot be stopped while it does, so a pattern is taken only when its worst
case can be told beforehand: no repeat or choice inside a repeat, no back reference, and few repeats in all.
Then a text of n characters costs at most ways * n^(r+1) / (r+1)! steps, where r counts the repeats and ways
the combinations of choices, which gives the longest text that the pattern may be tried on.
"""

from __future__ import annotations

import math
import re
import warnings
from dataclasses import dataclass
from typing import Final

LENGTH_MAX: Final = 200
REPEATS_MAX: Final = 3
WAYS_MAX: Final = 64
STEPS_MAX: Final = 20_000_000  # about a second in the sandbox, for one text at the very worst

_CLASSES: Final = {"d": "0-9", "w": "A-Za-z0-9_"}  # JavaScript means ASCII here
_SAME_ESCAPES: Final = frozenset("sSbBfnrtv")  # the same letter in both languages
_QUANTIFIER = re.compile(r"[*+?]|\{(\d+)(,(\d*))?\}")
_GROUP = re.compile(r"\((?:\?(?::|=|!|<=|<!|<([A-Za-z_]\w*)>))?")
_CODE = re.compile(r"x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}")


@dataclass(frozen=True, slots=True)
class Pattern:
    regex: re.Pattern[str]
    longest: int  # the most characters a text may have to be tried


def compile_pattern(source: str) -> Pattern:
    """Compile ``source``, the text between the slashes. Raises ``ValueError`` with the end of a sentence."""
    if len(source) > LENGTH_MAX:
        raise ValueError(f"is longer than {LENGTH_MAX} characters")
    translation = _Translation(source)
    translated = translation.result()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            regex = re.compile(translated, re.IGNORECASE)
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(f"is not understood ({error})") from None
    power = translation.repeats + 1
    return Pattern(regex, int((STEPS_MAX * math.factorial(power) / translation.ways) ** (1 / power)))


class _Group:
    """What has been seen inside one group so far."""

    __slots__ = ("varies", "choices")

    def __init__(self) -> None:
        self.varies = False  # holds a repeat, an optional part or a choice: repeating it may never end
        self.choices = 1


class _Translation:
    """One pass over the source, from left to right."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._at = 0
        self._out: list[str] = []
        self._open = [_Group()]
        self._closed: _Group | None = None  # the group that ended just here
        self.repeats = 0
        self.ways = 1

    def result(self) -> str:
        while self._at < len(self._source):
            quantifier = _QUANTIFIER.match(self._source, self._at)
            if quantifier:
                self._quantify(quantifier)
                continue
            character = self._source[self._at]
            self._closed = None
            if character == "\\":
                self._escape()
            elif character == "[":
                self._class()
            elif character == "(":
                self._group()
            elif character == ")":
                self._close()
            else:
                if character == "|":
                    self._open[-1].varies = True
                    self._open[-1].choices += 1
                self._out.append({"$": r"\Z", "{": r"\{", "}": r"\}", "]": r"\]"}.get(character, character))
                self._at += 1
        self._count(self._open[0].choices)
        return "".join(self._out)

    def _count(self, ways: int) -> None:
        self.ways *= ways
        if self.repeats > REPEATS_MAX or self.ways > WAYS_MAX:
            raise ValueError("has so many repeats or choices that it can take for ever")

    def _quantify(self, found: re.Match[str]) -> None:
        text = found[0]
        fixed = text.startswith("{") and (found[2] is None or found[3] == found[1])
        optional = text in ("?", "{0,1}")
        group = self._closed
        if not optional and group is not None and group.varies:
            raise ValueError("repeats what itself repeats or chooses, which can take for ever")
        if text.startswith("{") and max(int(found[1]), int(found[3] or 0)) > 100:
            raise ValueError("repeats more than 100 times")
        self.repeats += not optional and not fixed
        self._count(2 if optional else 1)
        if not fixed:
            self._open[-1].varies = True
        self._closed = None
        self._out.append(text)
        self._at = found.end()
        if self._source.startswith("?", self._at):  # as few as possible: the same words match
            self._out.append("?")
            self._at += 1
        elif _QUANTIFIER.match(self._source, self._at):
            raise ValueError("repeats a repeat")

    def _escape(self) -> None:
        following = self._source[self._at + 1 : self._at + 2]
        code = _CODE.match(self._source, self._at + 1)
        if code:
            self._out.append("\\" + code[0])
            self._at = code.end()
            return
        self._at += 2
        if following.lower() in _CLASSES:
            self._out.append(f"[{'^' if following.isupper() else ''}{_CLASSES[following.lower()]}]")
        elif following in _SAME_ESCAPES:
            self._out.append("\\" + following)
        elif following == "" or following.isalnum():
            raise ValueError(f"uses \\{following}, which is not supported")
        else:
            self._out.append(re.escape(following))

    def _class(self) -> None:
        end = self._at + 1
        negated = self._source.startswith("^", end)
        end += negated
        out = ["[^" if negated else "["]
        while end < len(self._source) and self._source[end] != "]":
            character = self._source[end]
            code = _CODE.match(self._source, end + 1) if character == "\\" else None
            if code:
                out.append("\\" + code[0])
                end = code.end()
            elif character == "\\":
                following = self._source[end + 1 : end + 2]
                if following in _CLASSES:
                    out.append(_CLASSES[following])
                elif following in "sSfnrtv" and following:
                    out.append("\\" + following)
                elif following == "" or following.isalnum():
                    raise ValueError(f"uses \\{following} in a class, which is not supported")
                else:
                    out.append("\\" + following)
                end += 2
            else:
                out.append(character if character in "-^" or character.isalnum() else re.escape(character))
                end += 1
        if end >= len(self._source):
            raise ValueError("has a class without an end")
        if len(out) == 1:
            raise ValueError("has an empty class")
        self._out.append("".join(out) + "]")
        self._at = end + 1

    def _group(self) -> None:
        found = _GROUP.match(self._source, self._at)
        if found is None or self._source.startswith("?", found.end()):
            raise ValueError("has a kind of group that is not supported")
        self._out.append("(?:" if found[0] == "(" or found[1] else found[0])
        self._open.append(_Group())
        self._at = found.end()

    def _close(self) -> None:
        if len(self._open) == 1:
            raise ValueError("closes a group that was not opened")
        self._closed = self._open.pop()
        self._count(self._closed.choices)
        self._open[-1].varies |= self._closed.varies
        self._out.append(")")
        self._at += 1
