"""Where the tokens of a query stand in the pages that are shown."""

from __future__ import annotations

import re
from typing import Final, Iterable, Iterator

from .index import PLAIN
from .tokens import plain_pieces
from .words import RUN, WORD, Piece, beyond_words, chunk_tokens, chunks, is_marked, one_word

_LINE_BEYOND_ASCII: Final = re.compile(r"[^\n]*[^\x00-\x7f][^\n]*")
_SPACE: Final = re.compile(r"\s")


class Finder:
    """Finds where some tokens stand in pages. Keeps what it learned about words, so that the next page is quicker."""

    def __init__(self, wanted: Iterable[str], tokenizer: str) -> None:
        self._plain = tokenizer == PLAIN
        self._wanted = frozenset(wanted)
        self._chunks: dict[str, list[tuple[str, int, int, str]]] = {}
        self._in_ascii = [token for token in self._wanted if token.isascii()]
        self._in_runs = [token for token in self._wanted if RUN.match(token)]

    def places(self, text: str) -> list[Piece]:
        """The wanted ones of all tokens of a text, by start, the longer first."""
        if self._plain:
            return [piece for piece in plain_pieces(text) if piece.token in self._wanted]
        found: list[Piece] = []
        for start, end in self._where_to_look(text):
            part = text[start:end]
            for match in chunks(part).finditer(part):
                offset = start + match.start()
                for token, first, last, kind in self._of_chunk(match[0]):
                    found.append(Piece(token, offset + first, offset + last, kind))
            for piece in beyond_words(part, self._may_hold):
                if piece.token in self._wanted:
                    found.append(piece._replace(start=start + piece.start, end=start + piece.end))
        found.sort(key=lambda piece: (piece.start, -piece.end))
        return found

    def _where_to_look(self, text: str) -> Iterator[tuple[int, int]]:
        """Spans between white space that may hold a wanted token: lines with more than ASCII, since folding may make
        anything of them, and elsewhere the surroundings of what looks like a token."""
        lowered = text.lower()
        if len(lowered) != len(text):
            yield 0, len(text)
            return
        others = [] if text.isascii() else [line.span() for line in _LINE_BEYOND_ASCII.finditer(text)]
        yield from others
        position = 0
        for start, end in [*others, (len(text), len(text))]:
            yield from self._around_tokens(lowered, position, start)
            position = end

    def _around_tokens(self, lowered: str, first: int, last: int) -> Iterator[tuple[int, int]]:
        """Spans between white space that hold a wanted token's letters in ``[first, last)``, which is ASCII."""
        spans: dict[int, int] = {}
        for token in self._in_ascii:
            end = first
            at = lowered.find(token, first, last)
            while at >= 0:
                # Back to the last span's end and no further, or a long line would be gone over once for each token in it.
                before = lowered[end:at]
                start = at if before[-1:].isspace() or not before else at - len(before.rsplit(None, 1)[-1])
                space = _SPACE.search(lowered, at + len(token), last)
                end = spans[start] = space.start() if space else last
                at = lowered.find(token, end, last)
        yield from spans.items()

    def _of_chunk(self, chunk: str) -> list[tuple[str, int, int, str]]:
        known = self._chunks.get(chunk)
        if known is None:
            word = one_word(chunk)
            cut = chunk_tokens(chunk) if word is None else [(word, 0, len(chunk), WORD)]
            known = self._chunks[chunk] = [one for one in cut if one[0] in self._wanted]
        return known

    def _may_hold(self, run: str) -> bool:
        if not self._in_runs:
            return False
        return any(token in run for token in self._in_runs) or is_marked(run)
