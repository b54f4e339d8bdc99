"""Two rankings made one: pages that both words and meaning find come first. Knows ranks only, never
scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

RANK_CONSTANT: Final = 60  # how much the first ranks are worth over later ones


class Fused(NamedTuple):
    path: str
    score: float


def fuse(bm25: Sequence[str], semantic: Sequence[str]) -> list[Fused]:
    """Pages of both rankings, best first, by the sum of ``1 / (60 + rank)``; the first rank is 1.

    Ties go by semantic rank, then by BM25 rank (a page without one comes last), then by path. Source:
    Cormack, Clarke and Buettcher, "Reciprocal rank fusion outperforms Condorcet and individual rank learning
    methods" (2009).
    """
    by_words = {path: rank for rank, path in enumerate(bm25, 1)}
    by_meaning = {path: rank for rank, path in enumerate(semantic, 1)}
    last = max(len(bm25), len(semantic)) + 1

    def score(path: str) -> float:
        ranks = (by_words.get(path), by_meaning.get(path))
        return sum(1 / (RANK_CONSTANT + rank) for rank in ranks if rank is not None)

    fused = [Fused(path, score(path)) for path in by_words.keys() | by_meaning.keys()]
    return sorted(
        fused, key=lambda f: (-f.score, by_meaning.get(f.path, last), by_words.get(f.path, last), f.path)
    )
