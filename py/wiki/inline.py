"""Page text put into an answer, so that an agent need not ask again: as much as fits, the rest named by reference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Sequence

from . import jsontext
from .limits import MODEL_JSON_MAX_BYTES
from .results import Found
from .sections import Section, folded_heading, section_at, shortened

CONTENT_LINES: Final = 200  # of a page whose match stands under no heading
_RESERVE_BYTES: Final = 1_024  # of the limit, for what the faces add and for another way to write numbers
_NEXT_RESULTS: Final = 3  # results after the pages read that are named as next
_TOC_MAX: Final = 100
_EXCEEDED: Final = ',"budget_exceeded":true'
_KEY_BYTES: Final = 120  # names, numbers and punctuation around one text


@dataclass(frozen=True, slots=True)
class Wishes:
    """What of pages is to be put into the answer."""

    include_content: bool = False
    inline_budget: int | None = None
    read_top_n: int = 0
    section: str | None = None
    per_page_limit: int = 200
    include_toc: bool = False


class Room:
    """What is left of the JSON that a model may be shown, in bytes of UTF-8."""

    def __init__(self, payload: dict[str, Any]) -> None:
        envelope = {"operation": "search", "ok": True, "payload": payload}
        self.left = MODEL_JSON_MAX_BYTES - _RESERVE_BYTES - size(envelope)

    def take(self, value: Any) -> bool:
        """Whether ``value`` fits; if so, it is taken."""
        needed = size(value) + _KEY_BYTES
        if needed > self.left:
            return False
        self.left -= needed
        return True


def size(value: Any) -> int:
    return len(jsontext.dumps(value).encode("utf-8"))


def add_content(found: Sequence[Found], results: Sequence[dict[str, Any]], wishes: Wishes, room: Room) -> None:
    """Put the matched sections into their results, the best first; what does not fit says ``budget_exceeded``."""
    budget = wishes.inline_budget
    spent = 0
    room.left -= len(results) * len(_EXCEEDED)
    for one, result in zip(found, results, strict=True):
        start, end = _content(one, result)
        text = one.text[start:end]
        fits = budget is None or spent + len(text) <= budget
        if fits and room.take(text):
            spent += len(text)
            result["content"] = text
            result["contentStart"], result["contentEnd"] = start, end
        else:
            result["budget_exceeded"] = True


def _content(one: Found, result: dict[str, Any]) -> tuple[int, int]:
    section = next((s for s in one.sections if s.selector == result["section"]), None)
    if section and section.level:
        return one.readable(section)
    return 0, _line_end(one, 1, CONTENT_LINES)


def add_pages(payload: dict[str, Any], found: Sequence[Found], wishes: Wishes, room: Room) -> None:
    """Add ``pages``, the best read from their beginning or at the section wished for, and ``nextReads``."""
    pages: list[dict[str, Any]] = []
    next_reads: list[dict[str, Any]] = []
    for one in found[: wishes.read_top_n]:
        sections = _sections(one, wishes.section)
        if wishes.section and not sections:
            page = _named(one) | {"section": None, "sectionFound": False}
            for instead in (page | {"toc": _headings(one)}, page):
                if room.take(instead):
                    pages.append(instead)
                    break
            continue
        start, end = (sections[0].start, sections[0].end) if sections else (0, len(one.text))
        page, cut = _page(one, start, end, wishes)
        if sections:
            page["section"] = sections[0].selector
            page["otherSections"] = [section.selector for section in sections[1:6]]
        if not room.take(page):
            named = _named(one) | {"budget_exceeded": True, "read": one.reference(start, end)}
            if room.take(named):
                pages.append(named)
            next_reads.append(_next("The page did not fit into this answer.", one.reference(start, end)))
            continue
        pages.append(page)
        if cut < end:
            next_reads.append(_next("The page goes on.", one.reference(cut, end)))
    for result in payload["results"][wishes.read_top_n : wishes.read_top_n + _NEXT_RESULTS]:
        next_reads.append(_next("The next result.", result["read"]))
    payload["pages"] = pages
    payload["nextReads"] = [read for read in next_reads if room.take(read)]


def _named(one: Found) -> dict[str, Any]:
    return {"page": one.page.path, "title": one.title, "expectedHash": one.page.hash, "lines": one.lines.count}


def _page(one: Found, start: int, end: int, wishes: Wishes) -> tuple[dict[str, Any], int]:
    """The page as the payload has it, and where it was cut."""
    first = one.lines.at(start)
    cut = min(end, _line_end(one, first, wishes.per_page_limit))
    line_start, line_end = one.lines.of(start, cut)
    page = _named(one) | {
        "start": start,
        "end": cut,
        "lineStart": line_start,
        "lineEnd": line_end,
        "text": one.text[start:cut],
        "truncated": cut < end,
    }
    if wishes.include_toc and cut < end:
        page["toc"] = _headings(one)
    return page, cut


def _line_end(one: Found, first: int, most: int) -> int:
    """Where ``most`` lines from line ``first`` on end."""
    after = first + most
    return one.lines.start(after) if after <= one.lines.count else len(one.text)


def _sections(one: Found, wanted: str | None) -> list[Section]:
    """The sections whose heading holds ``wanted``, whatever its case, the one with the match first; or the one with
    that selector, which is how a result names its section."""
    named = [section for section in one.sections if section.level and section.selector == wanted]
    if named:
        return named
    folded = folded_heading((wanted or "").lstrip("#"))
    if not folded:
        return []
    fitting = [section for section in one.sections if section.level and folded in folded_heading(section.title)]
    at = section_at(one.sections, one.places[0].start) if one.places else None
    return sorted(fitting, key=lambda section: (section != at, folded_heading(section.title) != folded, section.start))


def _headings(one: Found) -> list[dict[str, Any]]:
    return [
        {"section": section.selector, "level": section.level, "title": shortened(section.title), "line": section.line_start}
        for section in one.sections[:_TOC_MAX]
        if section.level
    ]


def _next(why: str, reference: dict[str, Any]) -> dict[str, Any]:
    return {"why": why, "read": reference}
