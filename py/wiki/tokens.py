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
same text, not more of it. Tokens longer than ``_LONGEST`` are counted and not kept.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from operator import add
from typing import Final

from .letters import APART, EMOJI, FORMAT, SPACELESS, SPACELESS_MARKS, alphabet, compose, fold

TOKENIZER: Final = "pi-wiki-1"

_LONGEST: Final = 128  # characters; beyond it stands data, not a word
_WHOLE_MAX: Final = 64  # characters of a token kept whole beside its parts
_REMEMBERED_MAX: Final = 50_000  # chunks whose tokens are kept, about 10 MB

_LETTER: Final = r"[^\x00-/:-@\[-`{-\x7f" + APART + "]"
_JOIN: Final = r"[-._:/\\@&+#'\u2019\u02bb-\u02bd\u2010\u2011]"
_SHAPE: Final = r"{0}+(?:{1}{0}+)*(?:\+\+|\#)?"
_CHUNK: Final = re.compile(_SHAPE.format(_LETTER, _JOIN))
_CHUNK_ASCII: Final = re.compile(_SHAPE.format("[A-Za-z0-9]", r"[-._:/\\@&+#']"))
_PART: Final = re.compile(_LETTER + "+")
_FLAG: Final = re.compile(r"(?<![^\s\"'`(\[,|" + SPACELESS + r"])--[A-Za-z0-9]+(?:[-_.][A-Za-z0-9]+)*")
_HUMPED: Final = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]{2}")
_HUMP: Final = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z0-9]+|[A-Z0-9]+")
_RUN: Final = re.compile(f"([{SPACELESS}][{SPACELESS}{FORMAT}]*)")
_UNIT: Final = re.compile(f"[\u1100-\u115f]+[\u1160-\u11a7]*[\u11a8-\u11ff]*|.[{SPACELESS_MARKS}{FORMAT}]*", re.S)
_MARKED: Final = re.compile(f"[\u1100-\u11ff{SPACELESS_MARKS}{FORMAT}]")
_EMOJI: Final = re.compile(EMOJI)
_DATA_URL: Final = re.compile(r"\bdata:[\w.+-]{1,60}/[\w.+-]{1,60}(?:;[\w.=+-]{1,60}){0,5}[;,][A-Za-z0-9+/=%_-]{40,}")
_COMPRESSED: Final = re.compile(r"^```compressed-json\b.*?(?:^```|\Z)", re.M | re.S)
_DRAWING: Final = re.compile(r"^%%.*?(?:^%%|\Z)", re.M | re.S)
_WORD: Final = re.compile(r"\w+")
_ALIKE_JOINS: Final = {0x2019: "'", 0x02BB: "'", 0x02BC: "'", 0x02BD: "'", 0x2010: "-", 0x2011: "-"}

# A chunk's tokens: one token alone (most words), or all of them with how much they add to a page's length.
_Entry = str | tuple[tuple[str, ...], int]
_remembered: dict[str, _Entry] = {}


def plain(text: str) -> list[str]:
    """The tokens of version-1 index files that name no tokenizer: the case-folded runs of ``\\w``."""
    return [word.casefold() for word in _WORD.findall(text)]


def tokenize(text: str) -> list[str]:
    """All tokens of a text, in its order, each whole before its parts."""
    return [token for token, _, _ in _cut(text, singles=True)]


def asked(query: str) -> list[str]:
    """What a query looks for, repeats included: its tokens, but of a run without spaces only the pairs, if it has
    any. The single characters of such a run are common and say little beside its pairs."""
    return [token for token, _, _ in _cut(query, singles=False)]


def spans(text: str) -> list[tuple[str, int, int]]:
    """Each token with its half-open span in the unchanged text, by start, the longer first."""
    return _cut(text, singles=True)


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
    pieces = Counter(text.split())
    known = _remembered.get
    count = result.get
    for piece, times in pieces.items():
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


def searchable(text: str) -> str:
    """The text with spaces for what nobody typed, so that positions stay: data URLs, drawings stored as
    ``compressed-json``, and in Excalidraw pages everything between ``%%`` marks."""
    if "data:" in text:
        text = _DATA_URL.sub(_blank, text)
    if "compressed-json" in text:
        text = _COMPRESSED.sub(_blank, text)
    if "excalidraw-plugin" in text[:4000]:
        text = _DRAWING.sub(_blank, text)
    return text


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _cut(text: str, *, singles: bool) -> list[tuple[str, int, int]]:
    found = []
    for match in (_CHUNK_ASCII if text.isascii() else _CHUNK).finditer(text):
        offset = match.start()
        found += [(token, offset + start, offset + end) for token, start, end, _ in _pieces(match[0])]
    if "--" in text:
        found += [(fold(match[0]), match.start(), match.end()) for match in _FLAG.finditer(text)]
    if not text.isascii():
        for match in _RUN.finditer(text):
            found += _run_spans(match[0], match.start(), singles)
        found += [(match[0], match.start(), match.end()) for match in _EMOJI.finditer(text)]
    found = [one for one in found if len(one[0]) <= _LONGEST]
    found.sort(key=lambda one: (one[1], -one[2]))
    return found


def _remember(piece: str) -> _Entry:
    """The tokens of a piece without white space or runs, kept for the next time it is met."""
    found: list[str] = []
    words = 0
    for match in (_CHUNK_ASCII if piece.isascii() else _CHUNK).finditer(piece):
        for token, _, _, counted in _pieces(match[0]):
            found.append(token)
            words += counted
    if "--" in piece:
        found += map(fold, _FLAG.findall(piece))
    if not piece.isascii():
        found += _EMOJI.findall(piece)
    kept = tuple(token for token in found if len(token) <= _LONGEST)
    entry: _Entry = kept[0] if len(kept) == 1 and words == 1 else (kept, words)
    if len(_remembered) >= _REMEMBERED_MAX:
        _remembered.clear()
    if len(piece) <= _WHOLE_MAX:
        _remembered[piece] = entry
    return entry


def _pieces(chunk: str) -> list[tuple[str, int, int, bool]]:
    """The tokens of one chunk with their spans in it, and whether each counts for the length."""
    pieces: list[tuple[str, int, int, bool]] = []
    parts = 0
    for match in _PART.finditer(chunk):
        parts += 1
        part, offset = match[0], match.start()
        for start, end in [(0, len(part))] if part.isascii() else _alphabets(part):
            folded = fold(part[start:end])
            # Some signs fold into several words, such as the Arabic ligatures of whole formulas.
            words = [folded] if folded.isalnum() else _PART.findall(folded)
            pieces += [(word, offset + start, offset + end, True) for word in words]
        if len(part) <= _LONGEST and _HUMPED.search(part):
            humps = [(hump[0].lower(), offset + hump.start(), offset + hump.end()) for hump in _HUMP.finditer(part)]
            pieces += [(hump, start, end, False) for hump, start, end in humps if len(hump) > 1]
    if (parts > 1 or chunk[-1:] in ("+", "#")) and len(chunk) <= _WHOLE_MAX:
        pieces.append((_whole(chunk), 0, len(chunk), False))
        name = chunk.rfind("/") + 1
        if name and not chunk[name:].isalnum():
            pieces.append((_whole(chunk[name:]), name, len(chunk), False))
    return pieces


def _whole(chunk: str) -> str:
    return fold(chunk.translate(_ALIKE_JOINS))


def _alphabets(part: str) -> list[tuple[int, int]]:
    """Where a part is cut because its alphabet changes; digits and marks stay with what they follow."""
    cuts, last = [0], None
    for position, letter in enumerate(part):
        if letter.isalpha():
            now = alphabet(letter)
            if last is not None and now != last:
                cuts.append(position)
            last = now
    return list(zip(cuts, [*cuts[1:], len(part)], strict=True))


def _run_spans(run: str, offset: int, singles: bool) -> list[tuple[str, int, int]]:
    units = [(compose(unit[0]), offset + unit.start(), offset + unit.end()) for unit in _UNIT.finditer(run)]
    pairs = [(one[0] + two[0], one[1], two[2]) for one, two in zip(units, units[1:], strict=False)]
    return units + pairs if singles or not pairs else pairs


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
