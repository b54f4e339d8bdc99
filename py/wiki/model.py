"""The model as whoever builds an index needs it: many texts in batches that suit the machine, one bad text
put aside.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Sequence
from typing import Final

from .chunks import Identity, unit_vector
from .context import Context
from .embeddings import TEXTS_MAX, Trouble, embedded

BATCH_SECONDS: Final = (
    4.0  # aimed at: long enough to be worth a request, short enough to be stopped between two
)
FIRST_BATCH: Final = 8
RESERVE_SECONDS: Final = 5.0  # of a call, kept for writing what was made
LOADING_TRIES: Final = 1  # more of one text: a large model may take longer to load than the host waits
FAILURES_MAX: Final = 8  # texts refused one after the other: then it is not the texts
_ABOUT_A_TEXT: Final = frozenset({"refused", "server-failed", "wrong-answer", "cut-off"})


class Model:
    """One installation of one model. ``dimension`` is 0 until the first vector tells it; ``together`` texts
    suit it.
    """

    def __init__(self, ctx: Context, identity: Identity, dimension: int = 0) -> None:
        self.identity = identity
        self.dimension = dimension
        self._ctx = ctx
        self.together = FIRST_BATCH
        self._failures = 0
        self._late = 0

    def vectors(self, texts: Sequence[str]) -> list[array[float] | str]:
        """For each text its vector, of length 1, or a sentence on why the model has none for it.

        Raises ``Trouble`` for what would meet every text.
        """
        found: list[array[float] | str] = []
        while len(found) < len(texts):
            found += self._batch(texts[len(found) : len(found) + self.together])
        return found

    def _batch(self, texts: Sequence[str]) -> list[array[float] | str]:
        began = time.monotonic()
        try:
            vectors = self._ask(texts)
        except Trouble as trouble:
            if trouble.kind == "deadline" and self._late < LOADING_TRIES:
                self._late += len(texts) == 1
                self.together = max(1, len(texts) // 4)
                return self.vectors(texts)
            if trouble.kind not in _ABOUT_A_TEXT:
                raise
            return [found for text in texts for found in self._alone(text)]
        seconds = max(time.monotonic() - began, 0.001)
        self.together = max(1, min(TEXTS_MAX, 2 * self.together, int(len(texts) * BATCH_SECONDS / seconds)))
        return list(vectors)

    def _alone(self, text: str) -> list[array[float] | str]:
        try:
            return list(self._ask([text]))
        except Trouble as trouble:
            self._failures += 1
            if trouble.kind not in _ABOUT_A_TEXT or self._failures >= FAILURES_MAX:
                raise
            return [str(trouble)]

    def _ask(self, texts: Sequence[str]) -> list[array[float]]:
        answer = embedded(self._ctx, texts, reserve=RESERVE_SECONDS)
        if not answer.identity.is_same(self.identity):
            raise Trouble(
                "changed", "The model was replaced while pages were embedded. Run the command again."
            )
        vectors = [vector for vector in map(unit_vector, answer.vectors) if vector is not None]
        dimension = len(answer.vectors[0])
        if len(vectors) != len(texts) or dimension != (self.dimension or dimension):
            raise Trouble(
                "changed", f"The model gives vectors of {dimension} numbers now, not {self.dimension}."
            )
        self.dimension = dimension
        self._failures = self._late = 0
        return vectors
