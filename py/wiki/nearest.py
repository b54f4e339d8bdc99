"""The pages whose best chunk is nearest to a query, best first, exactly, without comparing every chunk
exactly.

Each chunk's cosine is known within bounds. Pages are looked at in the order of the highest that any of their
chunks can reach; a page is given out once its exact cosine is above all that the rest could still have. (This
is the threshold algorithm of Fagin, Lotem and Naor, "Optimal aggregation algorithms for middleware", 2001,
with bounds for lists.)
"""

from __future__ import annotations

import heapq
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from math import fsum
from operator import mul

from .chunks import Store

Bounds = tuple[list[float], list[float]]  # of every chunk's cosine: not below, not above

_NEVER = -1.5  # below any cosine: a chunk that does not count


@dataclass(frozen=True, slots=True)
class Near:
    """A page and its nearest chunk that counts."""

    page: int
    row: int
    score: float  # the cosine, -1 to 1


def nearest(
    store: Store,
    query: Sequence[float],
    bounds: Bounds,
    pages: Sequence[int],
    counts: Callable[[int, int], bool],
) -> Iterator[Near]:
    """Those of ``pages`` that have a chunk that counts, best first; ties by path. ``bounds`` are the store's.

    ``query`` has length 1. ``counts(page, row)`` is asked only for a chunk that is about to be given out.
    Raises what the store raises.
    """
    low, high = bounds
    first = store.first
    hopeful = [(-max(high[first[page] : first[page + 1]], default=_NEVER), page) for page in pages]
    hopeful = sorted((hope, page) for hope, page in hopeful if hope < -_NEVER)
    known: list[tuple[float, str, int, int]] = []
    refused: dict[int, set[int]] = {}
    at = 0
    while at < len(hopeful) or known:
        if at < len(hopeful) and (not known or known[0][0] >= hopeful[at][0]):
            page = hopeful[at][1]
            at += 1
            _look(store, query, page, low, high, (), known)
            continue
        score, _, page, row = heapq.heappop(known)
        if counts(page, row):
            yield Near(page, row, -score)
        else:
            refused.setdefault(page, set()).add(row)
            _look(store, query, page, low, high, refused[page], known)


def middle_rank(store: Store, bounds: Bounds, pages: Sequence[int], some: Collection[str]) -> int | None:
    """The median rank, among ``pages``, of those whose path is in ``some``, as near as bounds tell it.

    ``None`` when there are none.
    """
    near = [low + high for low, high in zip(*bounds, strict=True)]
    first = store.first
    best = {page: max(near[first[page] : first[page + 1]], default=-4.0) for page in pages}
    ordered = sorted(best.values())
    ranks = sorted(
        len(ordered) - bisect_right(ordered, best[page]) + 1 for page in pages if store.paths[page] in some
    )
    return ranks[len(ranks) // 2] if ranks else None


def _look(
    store: Store,
    query: Sequence[float],
    page: int,
    low: list[float],
    high: list[float],
    refused: Sequence[int] | set[int],
    known: list[tuple[float, str, int, int]],
) -> None:
    """Put the page's best chunk with its exact cosine among the known."""
    rows = [
        row
        for row in range(store.first[page], store.first[page + 1])
        if row not in refused and high[row] > _NEVER
    ]
    least = max((low[row] for row in rows), default=0.0)
    exact = [(-fsum(map(mul, query, store.vector(row))), row) for row in rows if high[row] >= least]
    if exact:
        score, row = min(exact)
        heapq.heappush(known, (score, store.paths[page], page, row))
