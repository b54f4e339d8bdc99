"""From a query and an index to pages in order, before any that is to be shown is opened."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Callable, Final, Iterable, Iterator, Mapping

from .context import Context
from .dates import Dated, dated, dated_section, named, titled
from .errors import WikiError
from .exact import Exact, facts_of, read_facts
from .excluded import Excluded
from .filters import Filters
from .forms import Forms
from .fusion import BESIDE_PAGES, fuse, meaning_counts
from .index import PLAIN, Facts, Index
from .listing import Listing, parse_record
from .markdown import parse
from .pages import open_page
from .queries import Asked, asked
from .ranking import idf, rank_all
from .rescue import Rescue, rescue
from .results import Hit
from .sections import sections
from .semantic import semantic_ranking
from .synonyms import Synonyms

_DISAGREE: Final = (
    "The model finds the best pages by words far from what was asked, so it does not know this subject and was left out. "
    "Ask in other words to search by meaning."
)
_FUSED_PAGES: Final = 100  # best pages by words that are fused with those by meaning
_SPARE: Final = 20  # pages ranked beyond the limit, for those that turn out to be unreadable
_TITLED_MAX: Final = 50  # pages looked into for a dated section
_RESERVE_SECONDS: Final = 1.0  # kept for showing what was found


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which of the matching pages may be shown."""

    filters: Filters
    excluded: Excluded

    def __bool__(self) -> bool:
        """Whether any page may be unwanted."""
        return bool(self.filters) or bool(self.excluded)


@dataclass(slots=True)
class Candidates:
    """Pages in order, and what the answer has to say about how they came by it."""

    ordered: Iterable[Hit] = ()
    total: int | None = 0  # pages that match and are wanted; none where finding out would take reading them all
    matching: int = 0  # pages that match, wanted or not
    fallback: str = "bm25"
    reason: str | None = None
    semantic_error: str | None = None
    tokenizer: str = PLAIN
    worth: dict[str, float] = field(default_factory=dict)  # token -> what it says: its weight times its rarity
    lexical: Mapping[str, float] = field(default_factory=dict)  # path -> score by words
    titled: frozenset[str] = frozenset()  # pages titled exactly as asked
    rescued: dict[str, list[str]] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    subject: tuple[str, ...] = ()
    _asked: list[tuple[float, frozenset[str]]] = field(default_factory=list)  # rarity, and tokens any of which will do

    def share(self, tokens: set[str], score: float) -> tuple[float, float]:
        """How much of what was asked ``tokens`` are, and ``score`` by that of an average page with every token once."""
        whole = sum(worth for worth, _ in self._asked)
        if not whole:
            return 0.0, 0.0
        return sum(worth for worth, any_of in self._asked if not any_of.isdisjoint(tokens)) / whole, score / whole


def candidates(
    ctx: Context, query: str, index: Index | None, keep: Wanted, *, hybrid: bool, least: int
) -> Candidates:
    """At least ``least`` pages where so many match, best first. Without an index, none."""
    if index is None:
        return Candidates(total=None, fallback="navigation")
    forms = Forms(index)
    wanted = asked(query, forms.tokenizer)
    tried = rescue(
        wanted, query, forms, Synonyms(ctx.host.get("synonyms")), lambda: ctx.surroundings.remaining() > _RESERVE_SECONDS
    )
    date = dated(query)
    exact = Exact(ctx, query, forms, wanted)
    docs = exact.known()
    everything = date is not None or bool(keep)
    limit = max(forms.count, 1) if everything else max(least + _SPARE, _FUSED_PAGES if hybrid else 0)
    terms = [*wanted.weighted, *tried.weighted]
    ranked = rank_all(forms, terms, limit=limit, boosted=docs)
    paths = {forms.path(doc): score for doc, score in ranked.best}
    docs_of = dict(zip(paths, (doc for doc, _ in ranked.best), strict=True))
    more = exact.among(paths)
    if more:
        best = next((scored.score for scored in rank_all(forms, terms, limit=1).best), 0.0)
        paths |= {path: paths[path] + best for path in more}
        paths = dict(sorted(paths.items(), key=lambda item: (-item[1], item[0])))
    found = Candidates(
        ordered=[Hit(path, score, "bm25") for path, score in paths.items()],
        total=ranked.matching,
        reason=None if wanted.weighted else "The query has no words.",
        tokenizer=forms.tokenizer,
        lexical=paths,
        titled=frozenset(forms.path(doc) for doc in exact.titled),
        rescued=tried.tried,
        left_out=wanted.left_out,
        subject=wanted.subject,
    )
    _weigh(found, wanted, tried, forms)
    if date:
        first = _dated(ctx, date, forms, paths)
        known = {hit.path for hit in first}
        found.ordered = first + [hit for hit in found.ordered if hit.path not in known]
        found.total = max(ranked.matching, len(found.ordered))
        found.reason = "A query with a date is ranked by words alone." if hybrid else found.reason
    elif hybrid and not query.isspace():  # white space alone means nothing that could be asked for
        _fuse(ctx, query, forms, found)
    found.matching = found.total or 0
    if keep:
        _keep(ctx, keep, forms, docs_of, found)
    return found


def _weigh(found: Candidates, wanted: Asked, tried: Rescue, index: Forms) -> None:
    """What each token says, for excerpts and evidence. A form's words all say what the form says."""
    for token, weight in [*wanted.weighted, *tried.weighted]:
        worth = weight * idf(index.count, index.frequency(token))
        words = index.words(token)
        for word in words:
            found.worth[word] = found.worth.get(word, 0.0) + worth
        found._asked.append((worth, frozenset(words)))


def _dated(ctx: Context, date: Dated, index: Forms, scores: Mapping[str, float]) -> list[Hit]:
    """Pages named by the date, then pages with a section headed with it."""
    hits = [
        Hit(path, scores.get(path, 0.0), "exact-date") for path in named(date, _listed(ctx, date)) if index.doc_of(path) is not None
    ]
    known = {hit.path for hit in hits}
    for _, (doc, remaining) in zip(range(_TITLED_MAX), titled(date, index), strict=False):
        path = index.path(doc)
        if path in known:
            continue
        try:
            text = open_page(ctx.vault, path).text
        except WikiError:
            continue  # the search itself says which pages could not be read
        section = dated_section(date, text, sections(text, parse(text)), remaining)
        if section:
            span = (section.start, section.end)
            hits.append(Hit(path, scores.get(path, 0.0), "canonical-date-section", within=span))
    return hits


def _listed(ctx: Context, date: Dated) -> Iterator[str]:
    """Paths of pages that are named by one of the dates; the other records are not even decoded."""
    ends = tuple(f"{one}.md".encode() for one in date.dates)
    for record in ctx.surroundings.listing().split(b"\0"):
        if record.lower().endswith(ends):
            entry, reason = parse_record(record)
            if reason is None:
                yield entry.path


def _fuse(ctx: Context, query: str, index: Forms, found: Candidates) -> None:
    """Rank by meaning as well, where that can be done; else say why not."""
    paths = [entry.path for entry in Listing.parse(ctx.surroundings.listing()).entries]
    words = list(found.lexical)
    level = found.share(set(), next(iter(found.lexical.values()), 0.0))[1]
    meant = semantic_ranking(
        ctx, query, [path for path in paths if index.doc_of(path) is not None], beside=words[:BESIDE_PAGES]
    )
    found.semantic_error = meant.error
    if not meant.pages:
        return
    if not meaning_counts(level, meant.middle, len(paths)):
        found.semantic_error = _DISAGREE
        return
    near = {hit.path: hit for hit in meant.pages}
    fused = []
    for path, score in fuse(words[:_FUSED_PAGES], list(near)):
        hit = near.get(path)
        span = (hit.char_start, hit.char_end) if hit else None
        match = ("hybrid" if path in found.lexical else "semantic") if hit else "bm25"
        semantic = (*span, hit.score) if hit and span else None
        fused.append(Hit(path, score, match, within=span if match == "semantic" else None, semantic=semantic))
    known = {hit.path for hit in fused}
    found.total = (found.total or 0) + len(near.keys() - found.lexical.keys())
    found.ordered = fused + [Hit(path, 0.0, "bm25") for path in words if path not in known]
    found.fallback = "hybrid"


def _keep(ctx: Context, keep: Wanted, index: Forms, docs_of: Mapping[str, int], found: Candidates) -> None:
    """Keep the pages that are wanted. Where the index knows nothing of them, they are read as they are asked for."""

    def facts(path: str) -> Facts | None:
        doc = docs_of.get(path)
        return facts_of(index, path) if doc is None else index.facts(doc)

    ordered = [hit for hit in found.ordered if not keep.excluded.matches(hit.path)]
    if not keep.filters or all(facts(hit.path) for hit in ordered[:1]):
        ordered = [hit for hit in ordered if _wanted(ctx, keep.filters, facts, hit.path)]
        found.ordered, found.total = ordered, len(ordered)
    else:
        found.ordered, found.total = (hit for hit in ordered if _wanted(ctx, keep.filters, facts, hit.path)), None


def _wanted(ctx: Context, filters: Filters, facts_of: Callable[[str], Facts | None], path: str) -> bool:
    if not filters:
        return True
    facts = facts_of(path)
    if facts is None and ctx.surroundings.remaining() < _RESERVE_SECONDS:
        return False
    facts = facts or read_facts(ctx, path)
    return facts is None or filters.want(facts)  # opening it again will tell why it cannot be shown
