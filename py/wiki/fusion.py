"""Two rankings made one: pages that both words and meaning find come first. Knows ranks only, never
scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

RANK_CONSTANT: Final = 60  # how much the first ranks are worth over later ones

# Found on judged collections with a small model that does not know their subjects; see BENCH.md.
WORDS_SAY_MUCH: Final = 1 / 3  # of what an average page with every word once would score
NEAR_SHARE: Final = 0.03  # of all pages by meaning, within which the best pages by words are to be found
NEAR_PAGES: Final = 20  # as many at least: in a small wiki a share is nothing
BESIDE_PAGES: Final = 10  # best pages by words that are looked up


class Fused(NamedTuple):
    path: str
    score: float


def meaning_counts(level: float, middle: int | None, pages: int) -> bool:
    """Whether a ranking by meaning may change what words have found.

    It may where words say little: ``level`` is the best page's score by words, as a share of that of an average
    page with every word once. Where they say much it may if it bears them out: the best pages by words are among
    the nearest in meaning, ``middle`` being their median rank of ``pages`` (``None``: nothing to compare). A model
    that sees them far away does not know what is spoken of, and would only put noise between them.
    """
    return level < WORDS_SAY_MUCH or middle is None or middle <= max(NEAR_PAGES, NEAR_SHARE * pages)


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
