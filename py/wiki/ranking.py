"""BM25 over postings: which pages say most about a query. Knows counts and lengths; nothing about files or Markdown."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, Iterable, NamedTuple, Sequence

if TYPE_CHECKING:
    from .index import Index

K1: Final = 1.5  # how soon repeating a term stops helping
B: Final = 0.75  # how strongly a long page is marked down


class Scored(NamedTuple):
    doc: int
    score: float


def idf(count: int, frequency: int) -> float:
    """Inverse document frequency in Lucene's form, which never goes below zero: ``ln(1 + (N - df + 0.5)/(df + 0.5))``."""
    return math.log(1 + (count - frequency + 0.5) / (frequency + 0.5))


def norm(length: int, average: float) -> float:
    """What a page's length adds to the divisor: ``k1 * (1 - b + b * length / average)``."""
    return K1 * (1 - B + B * length / average)


def rank(
    index: Index, weighted: Sequence[tuple[str, float]], *, limit: int, boosted: Iterable[int] = ()
) -> list[Scored]:
    """The ``limit`` best pages, best first, ties by path.

    ``weighted`` are the query's tokens as often as they stand there, each with its weight (1, or less for a
    rescued one). ``boosted`` pages gain the best score once more.
    """
    boosted = set(boosted)
    weights: dict[str, float] = {}
    for token, weight in weighted:
        weights[token] = weights.get(token, 0.0) + weight
    scores: dict[int, float] = dict.fromkeys(boosted, 0.0)
    if not index.count:
        return []
    for token, weight in weights.items():
        found = index.postings(token)
        if found is None:
            continue
        docs, tfs = found
        factor = weight * idf(index.count, len(docs)) * (K1 + 1)
        for doc, tf in zip(docs, tfs):
            scores[doc] = scores.get(doc, 0.0) + factor * tf / (tf + norm(index.length(doc), index.average))
    best = max(scores.values(), default=0.0)
    for doc in boosted:
        scores[doc] += best
    order = sorted(scores, key=lambda doc: (-scores[doc], index.path(doc)))
    return [Scored(doc, scores[doc]) for doc in order[:limit]]
