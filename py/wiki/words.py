"""The rules by which text is cut into tokens, one word, run or sign at a time. ``tokens.py`` says them in words."""

from __future__ import annotations

import re
import unicodedata
from typing import Callable, Final, Iterator, NamedTuple

from .letters import APART, EMOJI, FORMAT, SPACELESS, SPACELESS_MARKS, alphabet, compose, fold

# Kinds of pieces. Words and single characters make the length of a text.
WORD: Final = "word"
SINGLE: Final = "single"  # a character of a run without spaces that has more of them
PAIR: Final = "pair"
BESIDE: Final = "beside"  # a whole beside its parts, a hump beside its whole, an emoji

LONGEST: Final = 128  # characters of a token
WHOLE_MAX: Final = 64  # characters of a token kept whole beside its parts

_LETTER: Final = r"[^\x00-/:-@\[-`{-\x7f" + APART + "]"
_JOIN: Final = r"[-._:/\\@&+#'\u2019\u02bb-\u02bd\u2010\u2011]"
_SHAPE: Final = r"{0}+(?:{1}{0}+)*(?:\+\+|\#)?"
CHUNK: Final = re.compile(_SHAPE.format(_LETTER, _JOIN))
CHUNK_ASCII: Final = re.compile(_SHAPE.format("[A-Za-z0-9]", r"[-._:/\\@&+#']"))
_PART: Final = re.compile(_LETTER + "+")
_FLAG: Final = re.compile(rf"(?<![^\s\"'`(\[,|{SPACELESS}])--[A-Za-z0-9]+(?:[-_.][A-Za-z0-9]+)*")
_HUMPED: Final = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]{2}")
_HUMP: Final = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z0-9]+|[A-Z0-9]+")
RUN: Final = re.compile(f"([{SPACELESS}][{SPACELESS}{FORMAT}]*)")
_UNIT: Final = re.compile(f"\n|(?:[\u1100-\u115f]+[\u1160-\u11a7]*[\u11a8-\u11ff]*|.)[{SPACELESS_MARKS}{FORMAT}]*", re.S)
_MARKED: Final = re.compile(f"[\u1100-\u11ff{SPACELESS_MARKS}{FORMAT}]")
_EMOJI: Final = re.compile(EMOJI)
_ALIKE_JOINS: Final = {0x2019: "'", 0x02BB: "'", 0x02BC: "'", 0x02BD: "'", 0x2010: "-", 0x2011: "-"}
_EDGES: Final = ".,;:!?\"'()[]{}*_`|<>~=\u2026\u201c\u201d\u201e\u00ab\u00bb\u060c\u061f\u2014\u2013"  # join nothing at a word's ends


class Piece(NamedTuple):
    """A token where it stands, ``[start, end)`` in the unchanged text, and which of the kinds above it is."""

    token: str
    start: int
    end: int
    kind: str


def chunks(text: str) -> re.Pattern[str]:
    """The pattern of the chunks of a text: words, and words joined by inner punctuation."""
    return CHUNK_ASCII if text.isascii() else CHUNK


def beyond_words(text: str, looks: Callable[[str], bool]) -> Iterator[Piece]:
    """Flags, emoji, and the tokens of those runs without spaces that ``looks`` takes."""
    if "--" in text:
        for match in _FLAG.finditer(text):
            yield Piece(fold(match[0]), match.start(), match.end(), BESIDE)
    if not text.isascii():
        for match in RUN.finditer(text):
            if looks(match[0]):
                yield from run_pieces(match[0], match.start())
        for match in _EMOJI.finditer(text):
            yield Piece(match[0], match.start(), match.end(), BESIDE)


def units(text: str) -> list[str]:
    """The characters of runs without spaces, each composed, with its marks. What is not of a run stays as it is."""
    if not is_marked(text):
        return list(text)
    raw = _UNIT.findall(text)
    composed = {unit: compose(unit) for unit in set(raw)}
    return [composed[unit] for unit in raw]


def is_marked(text: str) -> bool:
    """Whether a run may hold marks or uncomposed characters, so that its tokens are not its own substrings."""
    return _MARKED.search(text) is not None or not unicodedata.is_normalized("NFKC", text)


def one_word(text: str) -> str | None:
    """The token of a text that is plainly one word of one alphabet: a shortcut past the rules for most words."""
    text = text.strip(_EDGES)
    if not text.isalnum() or len(text) > LONGEST // 4 or _humped(text):
        return None
    if text.isascii():
        return text.lower()
    folded = fold(text) if _PART.fullmatch(text) and len(_alphabets(text)) == 1 else ""
    return folded if folded.isalnum() else None


def _humped(part: str) -> bool:
    if part.islower() or part.isupper():
        return False
    if part.isascii():
        return not part.istitle() and _HUMPED.search(part) is not None
    return part.lower() != part.upper() and _HUMPED.search(_shape(part)[0]) is not None


def _humps(part: str) -> Iterator[tuple[str, int, int]]:
    """The humps of a part with their places in it, ``HTTP`` and ``Server`` of ``HTTPServer``; no single letters."""
    shape, places = (part, None) if part.isascii() else _shape(part)
    for hump in _HUMP.finditer(shape):
        start, end = hump.span() if places is None else (places[hump.start()], places[hump.end()])
        token = fold(part[start:end])
        if len(token) > 1 and token.isalnum():
            yield token, start, end


def _shape(part: str) -> tuple[str, list[int]]:
    """A part with ``A`` and ``a`` for its letters and ``0`` for its digits, its marks left out, and where each of these
    stands; last, where the part ends. So one pattern finds the humps of every alphabet, composed or not."""
    places = [at for at, character in enumerate(part) if character.isalnum()]
    shape = ("A" if (c := part[at]).isupper() else "0" if c.isnumeric() else "a" for at in places)
    return "".join(shape), [*places, len(part)]


def chunk_tokens(chunk: str) -> list[tuple[str, int, int, str]]:
    """The tokens of one chunk, a word or words joined by inner punctuation, with their places in it."""
    found: list[tuple[str, int, int, str]] = []
    parts = 0
    for match in _PART.finditer(chunk):
        part, offset = match[0], match.start()
        parts += _says_something(part)
        if part.isascii():
            found.append((part.lower(), offset, match.end(), WORD))
            of_one_alphabet = [(0, len(part))]
        else:
            found += _folded(part, offset)
            of_one_alphabet = _alphabets(part)
        for first, last in of_one_alphabet if len(part) <= LONGEST else ():
            if _humped(part[first:last]):
                at = offset + first
                found += [(hump, at + start, at + end, BESIDE) for hump, start, end in _humps(part[first:last])]
    if (parts > 1 or chunk[-1:] in ("+", "#")) and len(chunk) <= WHOLE_MAX:
        found.append((_whole(chunk), 0, len(chunk), BESIDE))
        name = chunk.rfind("/") + 1
        if name and not (whole := _whole(chunk[name:])).isalnum() and _says_something(whole):
            found.append((whole, name, len(chunk), BESIDE))
    return found


def _says_something(text: str) -> bool:
    """Whether there is more to it than marks, punctuation and format characters."""
    return text.isalnum() or any(map(str.isalnum, text))


def _folded(part: str, offset: int) -> Iterator[tuple[str, int, int, str]]:
    for start, end in _alphabets(part):
        folded = fold(part[start:end])
        # Some signs fold into several words, such as the Arabic ligatures of whole formulas.
        for word in [folded] if folded.isalnum() else _PART.findall(folded):
            yield word, offset + start, offset + end, WORD


def _whole(chunk: str) -> str:
    return fold(chunk.translate(_ALIKE_JOINS))


def _alphabets(part: str) -> list[tuple[int, int]]:
    """Where a part is cut because its alphabet changes; digits and marks stay with what they follow."""
    alphabets = [_alphabet[letter] for letter in part]
    if len({*alphabets, None}) <= 2:
        return [(0, len(part))]
    cuts, last = [0], None
    for position, now in enumerate(alphabets):
        if now is not None:
            if last is not None and now != last:
                cuts.append(position)
            last = now
    return list(zip(cuts, [*cuts[1:], len(part)], strict=True))


class _Alphabets(dict[str, "int | None"]):
    """The alphabet of each letter met so far, ``None`` for digits and marks."""

    def __missing__(self, letter: str) -> int | None:
        self[letter] = found = alphabet(letter) if letter.isalpha() else None
        return found


_alphabet: Final = _Alphabets()


def run_pieces(run: str, offset: int) -> Iterator[Piece]:
    units = list(_UNIT.finditer(run))
    tokens = [compose(unit[0]) for unit in units]
    kind = SINGLE if len(units) > 1 else WORD
    for token, unit in zip(tokens, units, strict=True):
        yield Piece(token, offset + unit.start(), offset + unit.end(), kind)
    for at in range(len(units) - 1):
        yield Piece(tokens[at] + tokens[at + 1], offset + units[at].start(), offset + units[at + 1].end(), PAIR)
