"""BM25 over postings: which pages say most about a query. Knows counts and lengths; nothing about files or Markdown.

Exact scores are worked out only for pages that may be among the best. First every page gets an upper bound, the sum
of what each term can be worth in it, for all pages at once by sums over bytes. The best bounds are scored; the
lowest score among the best so far is then what a bound must reach for its page to be looked at at all, as in
MaxScore (Turtle and Flood, "Query evaluation: strategies and optimizations", Information Processing & Management 31,
1995). A common term adds little to a bound, so it is looked up only in pages that rarer ones have brought near the
top. What comes out is what scoring every page would give, ties included.
"""

from __future__ import annotations

import math
from itertools import compress
from typing import TYPE_CHECKING, Final, Iterable, NamedTuple, Sequence

from .postings import K1, LEVELS, Postings, norm

if TYPE_CHECKING:
    from .index import Index

_ONE_BYTE_TERMS: Final = 8  # with more, rounding up in steps of 1/255 of the whole would blur the bounds
_SLACK: Final = 1 + 1e-9  # bounds are floating-point sums in another order than scores
_FEW: Final = 32  # below one page in so many, going from find to find is faster than through all


class Scored(NamedTuple):
    doc: int
    score: float


class Ranked(NamedTuple):
    best: list[Scored]
    matching: int  # pages with at least one of the terms, and those boosted without any


class _Term(NamedTuple):
    factor: float  # weight * idf * (k1 + 1)
    postings: Postings


class _Bounds(NamedTuple):
    """No page's score is higher than ``(steps[doc] + rest) * unit``; 0 for pages without any term."""

    steps: bytes | bytearray
    unit: float
    rest: int


def idf(count: int, frequency: int) -> float:
    """Inverse document frequency in Lucene's form, which never goes below zero."""
    return math.log(1 + (count - frequency + 0.5) / (frequency + 0.5))


def rank(
    index: Index, weighted: Sequence[tuple[str, float]], *, limit: int, boosted: Iterable[int] = ()
) -> list[Scored]:
    """The ``limit`` best pages, best first, ties by path.

    ``weighted`` are the query's tokens as often as they stand there, each with its weight (1, or less for a
    rescued one). ``boosted`` pages gain the best score once more.
    """
    return rank_all(index, weighted, limit=limit, boosted=boosted).best


def rank_all(
    index: Index, weighted: Sequence[tuple[str, float]], *, limit: int, boosted: Iterable[int] = ()
) -> Ranked:
    """``rank``, and how many pages match at all."""
    terms = _terms(index, weighted)
    boosted = set(boosted)
    if not terms:
        return Ranked(_first(index, dict.fromkeys(boosted, 0.0), limit), len(boosted))
    bounds = _bounds(terms, index.span, max(1.0, index.average / index.reference))
    scores = {doc: _score(index, terms, doc) for doc in boosted}
    cut = _cut(bounds.steps, limit)
    for doc in _at_least(bounds.steps, cut):
        scores[doc] = _score(index, terms, doc)
    lowest = sorted(scores.values(), reverse=True)[limit - 1] if len(scores) >= limit else 0.0
    needed = max(1, math.ceil(lowest / (bounds.unit * _SLACK)) - bounds.rest)
    if needed < cut:
        for doc in _at_least(bounds.steps, needed):
            if doc not in scores:
                scores[doc] = _score(index, terms, doc)
    best = max(scores.values())
    for doc in boosted:
        scores[doc] += best
    matching = len(bounds.steps) - bounds.steps.count(0) + sum(not bounds.steps[doc] for doc in boosted)
    return Ranked(_first(index, scores, limit), matching)


def _terms(index: Index, weighted: Sequence[tuple[str, float]]) -> list[_Term]:
    weights: dict[str, float] = {}
    for token, weight in weighted:
        weights[token] = weights.get(token, 0.0) + weight
    terms = []
    for token, weight in weights.items():
        postings = index.postings(token)
        if postings:
            terms.append(_Term(weight * idf(index.count, postings.frequency) * (K1 + 1), postings))
    return terms


def _score(index: Index, terms: list[_Term], doc: int) -> float:
    """The contract's formula, terms in the order of the query: the same sum to the last digit in every index."""
    added = norm(index.length(doc), index.average)
    score = 0.0
    for factor, postings in terms:
        tf = postings.times(doc)
        if tf:
            score += factor * tf / (tf + added)
    return score


def _bounds(terms: list[_Term], span: int, drift: float) -> _Bounds:
    units = [factor * drift / LEVELS for factor, _ in terms]
    if len(terms) == 1:
        return _Bounds(terms[0].postings.spread(span), units[0], 0)
    # A page's bounds are added as one byte (or two) of one large whole number that holds all pages.
    wide = len(terms) > _ONE_BYTE_TERMS
    tops = [unit * postings.top for unit, (_, postings) in zip(units, terms)]
    scale = ((65_535 if wide else 255) - len(terms)) / sum(tops)
    if wide:
        scale = min(scale, (255 - 1) / max(tops))
    lanes = matched = 0
    for unit, (_, postings) in zip(units, terms):
        step = unit * scale
        table = bytes([0, *(min(255, int(step * level) + 1) for level in range(1, 256))])
        steps = postings.spread(span).translate(table)
        if wide:
            matched |= int.from_bytes(steps, "little")
            steps = _widened(steps)
        lanes += int.from_bytes(steps, "little")
    if not wide:
        return _Bounds(lanes.to_bytes(span, "little"), 1 / scale, 0)
    most = int(sum(tops) * scale) + len(terms)
    shift = max(0, most.bit_length() - 8)
    lanes = (lanes >> shift) & int.from_bytes(b"\xff\0" * span, "little")
    some = matched.to_bytes(span, "little").translate(b"\0" + b"\1" * 255)
    lanes |= int.from_bytes(_widened(some), "little")  # however little a page has, it has something
    return _Bounds(lanes.to_bytes(2 * span, "little")[::2], (1 << shift) / scale, 1)


def _widened(steps: bytes | bytearray) -> bytearray:
    wide = bytearray(2 * len(steps))
    wide[::2] = steps
    return wide


def _cut(steps: bytes | bytearray, wanted: int) -> int:
    """The highest step that ``wanted`` pages reach; 1 when there are not so many."""
    low, high = 1, 256
    while high - low > 1:
        middle = (low + high) // 2
        above = steps.translate(None, bytes(range(middle)))
        if len(above) >= wanted:
            steps, low = above, middle
        else:
            high = middle
    return low


def _at_least(steps: bytes | bytearray, cut: int) -> Iterable[int]:
    """Pages whose step is ``cut`` or more, ascending."""
    reach = steps.translate(bytes(cut) + b"\1" * (256 - cut))
    if reach.count(1) * _FEW > len(reach):
        return compress(range(len(reach)), reach)
    found = []
    at = reach.find(1)
    while at >= 0:
        found.append(at)
        at = reach.find(1, at + 1)
    return found


def _first(index: Index, scores: dict[int, float], limit: int) -> list[Scored]:
    """The best of what was scored; paths are asked for only where they may decide."""
    order = sorted(scores, key=scores.__getitem__, reverse=True)
    if len(order) > limit:
        lowest = scores[order[limit - 1]]
        end = limit
        while end < len(order) and scores[order[end]] == lowest:
            end += 1
        del order[end:]
    order.sort(key=lambda doc: (-scores[doc], index.path(doc)))
    return [Scored(doc, scores[doc]) for doc in order[:limit]]
