"""A query into tokens with weights: what is looked for, and how much each part of it counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from .forms import form
from .index import PLAIN
from .questions import FUNCTION_WORDS, is_sentence, without_asking
from .tokens import pieces, plain_pieces, tokenize
from .words import BESIDE, SINGLE, WORD, Piece

# Tuned on every other query of the Chinese and Japanese collections; see BENCH.md.
_SINGLE_WEIGHT: Final = 0.5  # a character that also stands in a pair

# Tuned on every other query of the English ones.
_EXACT_WEIGHT: Final = 0.1  # in a sentence, for the very form of a word beside all its forms
_JOINED_WEIGHT: Final = 0.1  # in a sentence, for what prose joins: well-known, don't, e.g.
_PROSE_JOINS: Final = frozenset("-'.")


@dataclass(frozen=True, slots=True)
class Asked:
    """A query, taken apart."""

    weighted: tuple[tuple[str, float], ...]  # token and weight, repeats included, in the order of the query
    words: tuple[Piece, ...]  # its words in order: what can be missing, rescued or named
    title: tuple[str, ...]  # the tokens a page's title must have to be exactly this query
    sentence: bool  # an English sentence: forms of words count as the word
    left_out: tuple[str, ...]  # words that ask or join and were not looked for
    subject: tuple[str, ...]  # what it is about, as written: words, and runs of scripts without spaces
    beside: tuple[Piece, ...]  # what is kept whole beside its parts, such as e-mail

    @property
    def tokens(self) -> list[str]:
        return [token for token, _ in self.weighted]


def asked(query: str, tokenizer: str) -> Asked:
    """What ``query`` looks for in an index cut by ``tokenizer``.

    An index of plain tokens is asked for them and nothing else. Otherwise a query is taken as written, except that
    words which only ask are left out where others remain, and that the words of an English sentence stand for all
    their forms, since grammar chose the form and not the user.
    """
    if tokenizer == PLAIN:
        found = plain_pieces(query)
        tokens = tuple(piece.token for piece in found)
        return Asked(tuple((token, 1.0) for token in tokens), tuple(found), tokens, False, (), tokens, ())
    rest, asking = without_asking(query)
    found = pieces(rest)
    words = [piece for piece in found if piece.kind == WORD]
    sentence = is_sentence([piece.token for piece in words])
    if sentence:
        asking += [query[piece.start : piece.end] for piece in words if piece.token in FUNCTION_WORDS]
        words = [piece for piece in words if piece.token not in FUNCTION_WORDS]
    weighted: list[tuple[str, float]] = []
    for piece in found:
        weighted += _of_sentence(piece) if sentence else [(piece.token, _weight(piece))]
    return Asked(
        tuple(weighted),
        tuple(words),
        tuple(tokenize(query)),
        sentence,
        tuple(dict.fromkeys(asking)),
        tuple(_subject(query, found, words)),
        tuple(piece for piece in found if piece.kind == BESIDE),
    )


def _subject(query: str, found: list[Piece], words: list[Piece]) -> list[str]:
    spans = [[piece.start, piece.end] for piece in words]
    run: list[int] = []
    for piece in found:
        if piece.kind != SINGLE:
            continue
        if run and run[1] == piece.start:
            run[1] = piece.end
        else:
            run = [piece.start, piece.end]
            spans.append(run)
    return [query[start:end] for start, end in sorted(spans)]


def _weight(piece: Piece) -> float:
    return _SINGLE_WEIGHT if piece.kind == SINGLE else 1.0


def _of_sentence(piece: Piece) -> list[tuple[str, float]]:
    token = piece.token
    if token in FUNCTION_WORDS:
        return []
    if piece.kind == WORD and token.isascii() and token.isalpha():
        return [(form(token), 1.0), (token, _EXACT_WEIGHT)]
    if piece.kind == BESIDE and token[0] != "-" and all(c.isalpha() or c in _PROSE_JOINS for c in token):
        return [(token, _JOINED_WEIGHT)]
    return [(token, _weight(piece))]
