"""Where the tokens of a query stand in the pages that are shown."""

from __future__ import annotations

from typing import Iterable

from .index import PLAIN
from .tokens import plain_pieces
from .words import RUN, WORD, Piece, beyond_words, chunk_tokens, chunks, is_marked, one_word


class Finder:
    """Finds where some tokens stand in pages. Keeps what it learned about words, so that the next page is quicker."""

    def __init__(self, wanted: Iterable[str], tokenizer: str) -> None:
        self._plain = tokenizer == PLAIN
        self._wanted = frozenset(wanted)
        self._chunks: dict[str, list[tuple[str, int, int, str]]] = {}
        self._in_runs = [token for token in self._wanted if RUN.match(token)]

    def places(self, text: str) -> list[Piece]:
        """The wanted ones of all tokens of a text, by start, the longer first."""
        if self._plain:
            return [piece for piece in plain_pieces(text) if piece.token in self._wanted]
        found: list[Piece] = []
        known = self._chunks
        for match in chunks(text).finditer(text):
            chunk = match[0]
            cut = known.get(chunk)
            if cut is None:
                cut = known[chunk] = self._wanted_of(chunk)
            if cut:
                offset = match.start()
                found += [Piece(token, offset + start, offset + end, kind) for token, start, end, kind in cut]
        found += [piece for piece in beyond_words(text, self._may_hold) if piece.token in self._wanted]
        found.sort(key=lambda piece: (piece.start, -piece.end))
        return found

    def _wanted_of(self, chunk: str) -> list[tuple[str, int, int, str]]:
        word = one_word(chunk)
        if word is not None:
            return [(word, 0, len(chunk), WORD)] if word in self._wanted else []
        return [one for one in chunk_tokens(chunk) if one[0] in self._wanted]

    def _may_hold(self, run: str) -> bool:
        if not self._in_runs:
            return False
        return any(token in run for token in self._in_runs) or is_marked(run)
