"""The operation ``search``: which pages say most about a query, where in them, and how far that can be trusted."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, Final

from . import bm25file, packedfile
from .arguments import boolean, integer, reject_unknown, strings, text
from .candidates import Candidates, Wanted, candidates
from .context import Context
from .evidence import Best, Doubts, evidence
from .excluded import Excluded
from .filters import Filters
from .gaps import knowledge_gap
from .inline import Room, Wishes, add_content, add_pages
from .limits import EXCERPT_MAX_CHARS, QUERY_MAX_CHARS, RESULTS_DEFAULT, RESULTS_MAX
from .live import Chosen, answered
from .overlay import LiveIndex
from .places import Finder
from .results import Found, open_hit
from .survey import surveyed

_EXCERPTS: Final = (EXCERPT_MAX_CHARS, 200, 120, 60)  # characters, shorter where many results would not fit otherwise
_NOTES_MAX: Final = 10
_ARGUMENTS: Final = (
    "query", "vault", "limit", "hybrid", "type", "tags", "include_content", "inline_budget", "read_top_n", "section",
    "per_page_limit", "include_toc",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Request:
    """The arguments, checked."""

    query: str
    limit: int
    hybrid: bool
    type: str | None
    tags: tuple[str, ...]
    filters: Filters
    wishes: Wishes


def search(ctx: Context, args: dict[str, Any]) -> dict[str, Any]:
    """The best pages for a query. Raises ``invalid-input``."""
    request = _request(args)
    return answered(ctx, lambda chosen: _answer(ctx, request, chosen))


def _request(args: dict[str, Any]) -> Request:
    reject_unknown(args, _ARGUMENTS)
    section = text(args, "section", max=500, default=None)
    type, tags = text(args, "type", max=200, default=None), strings(args, "tags")
    return Request(
        query=text(args, "query", max=QUERY_MAX_CHARS),
        limit=integer(args, "limit", min=1, max=RESULTS_MAX, default=RESULTS_DEFAULT),
        hybrid=boolean(args, "hybrid"),
        type=type,
        tags=tags,
        filters=Filters.of(type, tags),
        wishes=Wishes(
            include_content=boolean(args, "include_content"),
            inline_budget=integer(args, "inline_budget", min=0, max=None, default=None),
            # Whoever names a section to read wants at least the best page read.
            read_top_n=integer(args, "read_top_n", min=1, max=10, default=1 if section else 0),
            section=section,
            per_page_limit=integer(args, "per_page_limit", min=1, max=500, default=200),
            include_toc=boolean(args, "include_toc"),
        ),
    )


def _answer(ctx: Context, request: Request, chosen: Chosen) -> dict[str, Any]:
    excluded = Excluded.load(ctx.vault)
    survey = surveyed(ctx, excluded, chosen.counted)
    ranked = candidates(
        ctx, request.query, chosen.index, Wanted(request.filters, excluded), hybrid=request.hybrid, least=request.limit
    )
    found, refused = _open(ctx, request, ranked)
    payload: dict[str, Any] = {
        "query": request.query,
        "vault": ctx.vault.shown,
        "index": _index_file(chosen),
        "results": [],
        "fallback": ranked.fallback,
        "freshness": chosen.freshness,
        "source": chosen.source,
        "reason": _reason(ctx, chosen, ranked, found),
    }
    if ranked.semantic_error:
        payload["semanticError"] = ranked.semantic_error
    payload |= {
        "total": ranked.total,
        "checked": survey.checked,
        "excluded": survey.excluded,
        "skipped": {reason: count for reason, count in sorted((survey.skipped + Counter(refused)).items()) if count},
        "incomplete": not chosen.complete or bool(refused),
        "evidence": evidence(_best(ranked, found), _doubts(chosen, ranked, refused)),
    }
    if ranked.left_out:
        payload["leftOut"] = list(ranked.left_out)
    if ranked.rescued:
        payload["rescued"] = ranked.rescued
    payload["notes"] = _notes(chosen, excluded, ranked, found)
    if not found:
        payload["knowledge_gap"] = knowledge_gap(ctx, request.query, ranked, type=request.type, tags=request.tags)
    _fill(payload, found, ranked, request.wishes)
    return payload


def _index_file(chosen: Chosen) -> str | None:
    """The index file there is, whether it was ranked, mended or found too old."""
    if chosen.freshness == "unavailable":
        return None
    index = chosen.index.base if isinstance(chosen.index, LiveIndex) else chosen.index
    return packedfile.PATH if isinstance(index, packedfile.PackedFile) else bm25file.PATH


def _doubts(chosen: Chosen, ranked: Candidates, refused: list[str]) -> Doubts:
    return Doubts(
        missing=tuple(ranked.rescued),
        stale=chosen.source == "index-file" and chosen.freshness == "stale",
        unseen=len(chosen.notes) + len(refused),
        navigation=ranked.fallback == "navigation",
    )


def _open(ctx: Context, request: Request, ranked: Candidates) -> tuple[list[Found], list[str]]:
    """The pages to show, and why some that should have been shown cannot be."""
    finder = Finder(ranked.worth, ranked.tokenizer)
    found: list[Found] = []
    refused: list[str] = []
    for hit in ranked.ordered:
        opened = open_hit(ctx, hit, finder)
        if isinstance(opened, str):
            refused.append(opened)
            continue
        found.append(opened)
        if len(found) == request.limit:
            break
    return found, refused


def _best(ranked: Candidates, found: list[Found]) -> Best | None:
    if not found:
        return None
    first = found[0]
    score = ranked.lexical.get(first.hit.path, 0.0)
    following = ranked.lexical.get(found[1].hit.path, 0.0) if len(found) > 1 else 0.0
    exact = "date" if first.hit.match in ("exact-date", "canonical-date-section") else None
    if first.hit.path in ranked.titled:
        exact = "title"
    share, level = ranked.share({piece.token for piece in first.places}, score)
    return Best(
        share=share,
        level=level,
        margin=score / following if score and following else None,
        exact=exact,
        meaning=first.hit.semantic[2] if first.hit.semantic else None,
        status=first.head.status,
        sources=first.sources,
        empty=first.says_nothing,
    )


def _reason(ctx: Context, chosen: Chosen, ranked: Candidates, found: list[Found]) -> str | None:
    reasons = [chosen.reason, ranked.reason]
    if not found:
        start = "index.md" if ctx.vault.wiki == "." else f"{ctx.vault.wiki}/index.md"
        reasons += ["No page matches." if chosen.index else None, f"Look in {start} for a way in."]
    return " ".join(reason for reason in reasons if reason) or None


def _notes(chosen: Chosen, excluded: Excluded, ranked: Candidates, found: list[Found]) -> list[str]:
    notes = [excluded.error] if excluded.error else []
    notes += chosen.notes[:_NOTES_MAX]
    if len(chosen.notes) > _NOTES_MAX:
        notes.append(f"{len(chosen.notes) - _NOTES_MAX:,} more notes like these: wiki_doctor names them.")
    if ranked.total is not None and ranked.total > len(found) > 0:
        notes.append(f"{ranked.total:,} pages match. For others, raise limit (at most {RESULTS_MAX}) or add words.")
    return notes


def _fill(payload: dict[str, Any], found: list[Found], ranked: Candidates, wishes: Wishes) -> None:
    """Put the results into the payload, with excerpts as long as fit what a model may be shown, and what was wished
    for beside them. Results that do not fit even so are left whole: a face says which smaller request would."""
    for most in _EXCERPTS:
        payload["results"] = [one.result(ranked.worth, most=most) for one in found]
        room = Room(payload)
        if room.left >= 0:
            break
    if wishes.include_content:
        add_content(found, payload["results"], wishes, room)
    if wishes.read_top_n:
        add_pages(payload, found, wishes, room)
