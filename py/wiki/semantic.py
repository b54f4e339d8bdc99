"""Ranking by meaning: the pages whose chunks are nearest to the query, as far as they hold now. Trouble is an
answer.

Whether a chunk holds is asked of the page itself, and only for chunks that are about to be given out: the
page's bytes and the chunk's text must hash to what they did when the vector was made.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from math import fsum, sqrt
from operator import mul
from typing import Final

from .chunks import Identity, Store, span_holds
from .context import Context, Vault
from .embeddings import Trouble, embedded
from .errors import WikiError
from .excluded import Excluded
from .index import Damaged
from .nearest import middle_rank, nearest
from .pages import open_page
from .semanticstate import BUILD_AGAIN, made_otherwise
from .stores import open_store

PAGES_MAX: Final = 100
PAGES_LEAST: Final = 10
PAGES_SHARE: Final = 0.1  # of all pages: in a small wiki every page is among the nearest hundred
RESERVE_SECONDS: Final = 1.0  # kept for making and sending the answer
_BUILD: Final = "Make one with: pi-wiki index --semantic"


@dataclass(frozen=True, slots=True)
class SemanticHit:
    """A page and the chunk of it that is nearest to the query."""

    path: str
    score: float  # cosine, rounded to six digits
    char_start: int
    char_end: int
    chunk_text: str  # the page's own text there


@dataclass(frozen=True, slots=True)
class SemanticRanking:
    """``error`` says what was missing and what to do, as a sentence; there may be pages all the same."""

    pages: list[SemanticHit] = field(default_factory=list)  # best first
    error: str | None = None
    middle: int | None = None  # the median rank by meaning of the pages given as ``beside``


_failures = 0  # searches in a row that meaning could not help


def forget() -> None:
    """Start counting searches anew, as a new process would."""
    global _failures
    _failures = 0


def semantic_ranking(
    ctx: Context,
    query: str,
    listing_paths: Collection[str],
    *,
    limit: int = PAGES_MAX,
    beside: Collection[str] = (),
) -> SemanticRanking:
    """Pages among ``listing_paths`` by the cosine of their best chunk; never raises for what is outside.

    At most ``limit``, and at most a tenth of the wiki where that is more than ``PAGES_LEAST``. ``beside`` are
    pages found otherwise: where they rank is told.
    """
    global _failures
    excluded = Excluded.load(ctx.vault)
    listed = frozenset(path for path in listing_paths if not (excluded and excluded.matches(path)))
    ranking = _ranking(ctx, _Wanted(query, listed, limit, frozenset(beside)))
    _failures = 0 if ranking.pages else _failures + 1
    if ranking.error and _failures > 1:
        return SemanticRanking(
            error=f"{ranking.error} Meaning was left out of {_failures} searches in a row now."
        )
    return ranking


@dataclass(frozen=True, slots=True)
class _Wanted:
    query: str
    listed: frozenset[str]
    limit: int
    beside: frozenset[str]


def _ranking(ctx: Context, wanted: _Wanted) -> SemanticRanking:
    store, problems = open_store(ctx)
    if store is None:
        return SemanticRanking(
            error=" ".join([*problems, "There is no semantic index to search by meaning.", _BUILD])
        )
    try:
        asked = embedded(ctx, [wanted.query])
        identity, vector = asked.identity, asked.vectors[0]
        fitting = [page for page, path in enumerate(store.paths) if path in wanted.listed]
        same = [page for page in fitting if store.identity(page).is_same(identity)]
        same = [page for page in same if _is_as_long(store, page, len(vector))]
        if not same:
            return SemanticRanking(error=_unlike(store, fitting, identity, len(vector)))
        return _checked_ranking(ctx, store, same, _unit(vector), wanted)
    except Trouble as trouble:
        return SemanticRanking(error=str(trouble))
    except Damaged as error:
        return SemanticRanking(error=f"{store.file} cannot be used. {error} {BUILD_AGAIN}")
    finally:
        store.close()


def _checked_ranking(
    ctx: Context, store: Store, pages: list[int], vector: list[float], wanted: _Wanted
) -> SemanticRanking:
    """The nearest of ``pages`` whose chunks hold, and what was left out."""
    checks = _Checks(ctx, store)
    bounds = store.bounds(vector)
    limit = min(wanted.limit, max(PAGES_LEAST, int(PAGES_SHARE * len(pages))))
    hits: list[SemanticHit] = []
    late = False
    for near in nearest(store, vector, bounds, pages, checks.holds):
        start, end = store.starts[near.row], store.ends[near.row]
        text = checks.text[start:end]
        hits.append(SemanticHit(store.paths[near.page], round(near.score, 6), start, end, text))
        late = ctx.surroundings.remaining() < RESERVE_SECONDS
        if len(hits) >= limit or late:
            break
    left_out = len(wanted.listed) - len(pages) + len(checks.stale)
    said = []
    if left_out:
        said.append(
            f"{left_out:,} of {len(wanted.listed):,} pages are ranked by words only: they are new or have "
            f"changed since the semantic index was made. {BUILD_AGAIN}"
        )
    if late:
        said.append(f"Time allowed for only {len(hits):,} pages by meaning.")
    return SemanticRanking(hits, " ".join(said) or None, middle_rank(store, bounds, pages, wanted.beside))


class _Checks:
    """Whether chunks hold now. Remembers the last page, whose chunks are asked about one after the other."""

    def __init__(self, ctx: Context, store: Store) -> None:
        self.text = ""
        self.stale: set[int] = set()
        self._vault = ctx.vault
        self._store = store
        self._page = -1

    def holds(self, page: int, row: int) -> bool:
        if page in self.stale:
            return False
        if page != self._page:
            text = _text_if_same(self._vault, self._store.paths[page], self._store.content_hash(page))
            if text is None:
                self.stale.add(page)
                return False
            self._page, self.text = page, text
        return span_holds(
            self.text, self._store.starts[row], self._store.ends[row], self._store.source_hash(row)
        )


def _text_if_same(vault: Vault, path: str, content_hash: str) -> str | None:
    try:
        page = open_page(vault, path)
    except WikiError:
        return None
    return page.text if page.hash == content_hash else None


def _is_as_long(store: Store, page: int, dimension: int) -> bool:
    """Whether any chunk of the page can be compared; true for a page without text, which has none."""
    rows = range(store.first[page], store.first[page + 1])
    return not rows or any(store.dimension(row) == dimension for row in rows)


def _unlike(store: Store, fitting: list[int], identity: Identity, dimension: int) -> str:
    """Why no page of the index can be compared with a query."""
    if not fitting:
        return f"The semantic index knows none of the pages that are there now. {BUILD_AGAIN}"
    made = store.identity(fitting[0])
    before = store.dimension(store.first[fitting[0]])
    why = made_otherwise(made, before, identity, dimension)
    return why or f"The semantic index has no page to compare with. {BUILD_AGAIN}"


def _unit(vector: Sequence[float]) -> list[float]:
    """A vector the host found finite and not zero, brought to length 1 in full precision."""
    most = max(map(abs, vector))
    scaled = [number / most for number in vector]
    length = sqrt(fsum(map(mul, scaled, scaled)))
    return [number / length for number in scaled]
