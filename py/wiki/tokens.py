"""Text into tokens: what a page is found by, and what a query asks for. Knows nothing about files or Markdown.

The rules, which ``TOKENIZER`` names and which change only together with it:

- A run of letters with their marks and digits is a token, cut where the alphabet changes, folded by ``letters.fold``.
  For Latin text without marks these are the case-folded runs of ``\\w``, underscores apart.
- What is written with inner punctuation (``v1.0.21``, ``node:fs``, ``src/index.ts``, ``snake_case``, ``don't``), ends
  like ``C++`` and ``C#``, or begins with ``--`` is kept whole beside its parts, and so is a file's name in a path.
- The humps of ``camelCase`` and ``HTTPServer`` are kept beside the whole.
- Scripts written without spaces are cut into single characters, a base with its marks, and overlapping pairs.
- An emoji is a token. Skin tones, selectors and joiners are not.

A page's length counts each word and each spaceless character once: what is kept beside is another way to find the
same text, not more of it. What is longer than ``_LONGEST`` is data and no token.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from operator import add
from typing import Final, Iterator, NamedTuple

from .letters import APART, EMOJI, FORMAT, SPACELESS, SPACELESS_MARKS, alphabet, compose, fold
from .untyped import searchable

__all__ = [
    "BESIDE", "PAIR", "SINGLE", "TOKENIZER", "WORD", "Piece", "counts", "pieces", "plain", "plain_pieces", "searchable", "tokenize",
]  # fmt: skip

TOKENIZER: Final = "pi-wiki-1"

# Kinds of pieces. Words and single characters make the length of a text.
WORD: Final = "word"
SINGLE: Final = "single"  # a character of a run without spaces that has more of them
PAIR: Final = "pair"
BESIDE: Final = "beside"  # a whole beside its parts, a hump beside its whole, an emoji

_LONGEST: Final = 128  # characters of a token
_WHOLE_MAX: Final = 64  # characters of a token kept whole beside its parts
_REMEMBERED_MAX: Final = 50_000  # pieces of text whose tokens are kept, about 10 MB

_LETTER: Final = r"[^\x00-/:-@\[-`{-\x7f" + APART + "]"
_JOIN: Final = r"[-._:/\\@&+#'\u2019\u02bb-\u02bd\u2010\u2011]"
_SHAPE: Final = r"{0}+(?:{1}{0}+)*(?:\+\+|\#)?"
_CHUNK: Final = re.compile(_SHAPE.format(_LETTER, _JOIN))
_CHUNK_ASCII: Final = re.compile(_SHAPE.format("[A-Za-z0-9]", r"[-._:/\\@&+#']"))
_PART: Final = re.compile(_LETTER + "+")
_FLAG: Final = re.compile(rf"(?<![^\s\"'`(\[,|{SPACELESS}])--[A-Za-z0-9]+(?:[-_.][A-Za-z0-9]+)*")
_HUMPED: Final = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]{2}")
_HUMP: Final = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z0-9]+|[A-Z0-9]+")
_RUN: Final = re.compile(f"([{SPACELESS}][{SPACELESS}{FORMAT}]*)")
_UNIT: Final = re.compile(f"[\u1100-\u115f]+[\u1160-\u11a7]*[\u11a8-\u11ff]*|.[{SPACELESS_MARKS}{FORMAT}]*", re.S)
_MARKED: Final = re.compile(f"[\u1100-\u11ff{SPACELESS_MARKS}{FORMAT}]")
_EMOJI: Final = re.compile(EMOJI)
_EDGES: Final = ".,;:!?\"'()[]{}*_`|<>~=\u2026\u201c\u201d\u201e\u00ab\u00bb\u060c\u061f\u2014\u2013"  # join nothing at a word's ends
_WORD: Final = re.compile(r"\w+")
_ALIKE_JOINS: Final = {0x2019: "'", 0x02BB: "'", 0x02BC: "'", 0x02BD: "'", 0x2010: "-", 0x2011: "-"}


class Piece(NamedTuple):
    """A token where it stands, ``[start, end)`` in the unchanged text, and which of the kinds above it is."""

    token: str
    start: int
    end: int
    kind: str


# The tokens of a piece of text: one word alone (most of them), or all tokens and how much they add to the length.
_Entry = str | tuple[tuple[str, ...], int]
_remembered: dict[str, _Entry] = {}


def plain(text: str) -> list[str]:
    """The tokens of version-1 index files that name no tokenizer: the case-folded runs of ``\\w``."""
    return [word.casefold() for word in _WORD.findall(text)]


def plain_pieces(text: str) -> list[Piece]:
    return [Piece(word[0].casefold(), word.start(), word.end(), WORD) for word in _WORD.finditer(text)]


def tokenize(text: str) -> list[str]:
    """All tokens of a text, in its order, each whole before its parts."""
    return [piece.token for piece in pieces(text)]


def pieces(text: str) -> list[Piece]:
    """All tokens of a text with their places, by start, the longer first."""
    found = [piece for piece in _cut(text) if len(piece.token) <= _LONGEST]
    found.sort(key=lambda piece: (piece.start, -piece.end))
    return found


def _cut(text: str) -> Iterator[Piece]:
    for match in (_CHUNK_ASCII if text.isascii() else _CHUNK).finditer(text):
        offset = match.start()
        for token, start, end, kind in _chunk(match[0]):
            yield Piece(token, offset + start, offset + end, kind)
    if "--" in text:
        for match in _FLAG.finditer(text):
            yield Piece(fold(match[0]), match.start(), match.end(), BESIDE)
    if not text.isascii():
        for match in _RUN.finditer(text):
            yield from _run(match[0], match.start())
        for match in _EMOJI.finditer(text):
            yield Piece(match[0], match.start(), match.end(), BESIDE)


def counts(text: str) -> tuple[Counter[str], int]:
    """How often each token of ``tokenize(text)`` occurs, and the text's length in tokens. The fast way, for pages.

    Words repeat, so a page is split at white space and each distinct piece is cut once for many pages.
    """
    result: Counter[str] = Counter()
    length = 0
    if not text.isascii() and _RUN.search(text):
        words_and_runs = _RUN.split(text)
        length = _count_runs(words_and_runs[1::2], result)
        text = " ".join(words_and_runs[0::2])
    known = _remembered.get
    count = result.get
    for piece, times in Counter(text.split()).items():
        entry = known(piece)
        if entry is None:
            entry = _remember(piece)
        if entry.__class__ is str:
            result[entry] = count(entry, 0) + times
            length += times
        else:
            tokens, words = entry
            length += words * times
            for token in tokens:
                result[token] = count(token, 0) + times
    return result, length


def _remember(text: str) -> _Entry:
    """The tokens of a piece of text without white space or runs, kept for the next time it is met."""
    entry: _Entry | None = _one_word(text.strip(_EDGES))
    if entry is None:
        found = [piece for piece in _cut(text) if len(piece.token) <= _LONGEST]
        words = sum(piece.kind == WORD for piece in found)
        entry = found[0].token if len(found) == words == 1 else (tuple(piece.token for piece in found), words)
    if len(_remembered) >= _REMEMBERED_MAX:
        _remembered.clear()
    if len(text) <= _WHOLE_MAX:
        _remembered[text] = entry
    return entry


def _one_word(text: str) -> str | None:
    """The token of a text that is plainly one word of one alphabet: a shortcut past the rules for most words."""
    if not text.isalnum() or len(text) > _LONGEST // 4 or _humped(text):
        return None
    if text.isascii():
        return text.lower()
    folded = fold(text) if _PART.fullmatch(text) and len(_alphabets(text)) == 1 else ""
    return folded if folded.isalnum() else None


def _humped(part: str) -> bool:
    if part.islower() or part.istitle() or part.isupper():
        return False
    return _HUMPED.search(part) is not None


def _chunk(chunk: str) -> list[tuple[str, int, int, str]]:
    """The tokens of one chunk, a word or words joined by inner punctuation, with their places in it."""
    found: list[tuple[str, int, int, str]] = []
    parts = 0
    for match in _PART.finditer(chunk):
        parts += 1
        part, offset = match[0], match.start()
        for start, end in [(0, len(part))] if part.isascii() else _alphabets(part):
            folded = fold(part[start:end])
            # Some signs fold into several words, such as the Arabic ligatures of whole formulas.
            words = [folded] if folded.isalnum() else _PART.findall(folded)
            found += [(word, offset + start, offset + end, WORD) for word in words]
        if len(part) <= _LONGEST and _humped(part):
            humps = [(hump[0].lower(), offset + hump.start(), offset + hump.end()) for hump in _HUMP.finditer(part)]
            found += [(hump, start, end, BESIDE) for hump, start, end in humps if len(hump) > 1]
    if (parts > 1 or chunk[-1:] in ("+", "#")) and len(chunk) <= _WHOLE_MAX:
        found.append((_whole(chunk), 0, len(chunk), BESIDE))
        name = chunk.rfind("/") + 1
        if name and not chunk[name:].isalnum():
            found.append((_whole(chunk[name:]), name, len(chunk), BESIDE))
    return found


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


def _run(run: str, offset: int) -> Iterator[Piece]:
    units = list(_UNIT.finditer(run))
    tokens = [compose(unit[0]) for unit in units]
    kind = SINGLE if len(units) > 1 else WORD
    for token, unit in zip(tokens, units, strict=True):
        yield Piece(token, offset + unit.start(), offset + unit.end(), kind)
    for at in range(len(units) - 1):
        yield Piece(tokens[at] + tokens[at + 1], offset + units[at].start(), offset + units[at + 1].end(), PAIR)


def _count_runs(runs: list[str], result: Counter[str]) -> int:
    """Count the characters and pairs of all runs into the empty ``result``; how many characters there are."""
    text = "\n".join(runs)
    units = list(text)
    if _MARKED.search(text) or not unicodedata.is_normalized("NFKC", text):
        raw = _UNIT.findall(text)
        composed = {unit: compose(unit) for unit in set(raw)}
        units = [composed[unit] for unit in raw]
    result.update(map(add, units, units[1:]))
    for pair in [pair for pair in result if "\n" in pair]:
        del result[pair]
    result.update(units)
    return len(units) - result.pop("\n", 0)
