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
same text, not more of it. What is longer than ``words.LONGEST`` is data and no token.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import filterfalse
from operator import add
from typing import Final, Iterator

from .untyped import searchable
from .words import LONGEST, RUN, WHOLE_MAX, WORD, Piece, beyond_words, chunk_tokens, chunks, one_word, units

__all__ = ["TOKENIZER", "counts", "pieces", "plain", "plain_pieces", "searchable", "tokenize"]

TOKENIZER: Final = "pi-wiki-2"

_REMEMBERED_MAX: Final = 150_000  # pieces of text whose tokens are kept, about 15 MB
_WORD: Final = re.compile(r"\w+")

# Pieces of text met before: most are one word, by its token; others by all their tokens and what they add to the length.
_words_met: dict[str, str] = {}
_others_met: dict[str, tuple[tuple[str, ...], int]] = {}


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
    found = [piece for piece in _cut(text) if len(piece.token) <= LONGEST]
    found.sort(key=lambda piece: (piece.start, -piece.end))
    return found


def _cut(text: str) -> Iterator[Piece]:
    for match in chunks(text).finditer(text):
        offset = match.start()
        for token, start, end, kind in chunk_tokens(match[0]):
            yield Piece(token, offset + start, offset + end, kind)
    yield from beyond_words(text, lambda run: True)


def counts(text: str) -> tuple[Counter[str], int]:
    """How often each token of ``tokenize(text)`` occurs, and the text's length in tokens. The fast way, for pages.

    Words repeat, so a page is split at white space and each distinct piece is cut once for many pages. What was met
    before and is one word is counted without a step of Python's for each.
    """
    result: Counter[str | None] = Counter()
    length = 0
    if not text.isascii() and RUN.search(text):
        words_and_runs = RUN.split(text)
        length = _count_runs(words_and_runs[1::2], result)
        text = " ".join(words_and_runs[0::2])
    pieces = text.split()
    result.update(map(_words_met.get, pieces))
    length += len(pieces) - result.pop(None, 0)
    count = result.get
    for piece, times in Counter(filterfalse(_words_met.__contains__, pieces)).items():
        tokens, words = _others_met.get(piece) or _cut_and_remembered(piece)
        length += words * times
        for token in tokens:
            result[token] = count(token, 0) + times
    return result, length


def _cut_and_remembered(text: str) -> tuple[tuple[str, ...], int]:
    """The tokens of a piece of text without white space or runs, and how much they add to a text's length."""
    word = one_word(text)
    tokens: list[str] = [] if word is None else [word]
    words = len(tokens)
    if word is None:
        for chunk in chunks(text).findall(text):
            for token, _, _, kind in chunk_tokens(chunk):
                if len(token) <= LONGEST:
                    tokens.append(token)
                    words += kind == WORD
        if "--" in text or not text.isascii():
            tokens += [piece.token for piece in beyond_words(text, lambda run: True) if len(piece.token) <= LONGEST]
    if len(_words_met) + len(_others_met) >= _REMEMBERED_MAX:
        _words_met.clear()
        _others_met.clear()
    if len(text) <= WHOLE_MAX:
        if len(tokens) == words == 1:
            _words_met[text] = tokens[0]
        else:
            _others_met[text] = tuple(tokens), words
    return tuple(tokens), words


def _count_runs(runs: list[str], result: Counter[str | None]) -> int:
    """Count the characters and pairs of all runs into the empty ``result``; how many characters there are."""
    characters = units("\n".join(runs))
    result.update(map(add, characters, characters[1:]))
    for pair in [pair for pair in result if "\n" in pair]:
        del result[pair]
    result.update(characters)
    return len(characters) - result.pop("\n", 0)
