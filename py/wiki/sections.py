"""The sections of a page: a heading and everything up to the next one of the same or a higher level.

A section is named by its selector: ``#`` and the heading's words joined by hyphens, then ``~2``, ``~3``, …
where a page has several that read alike. The text before the first heading is the section ``^lead``, of level
0. Both marks keep selectors apart from headings, so that a bare heading that stands twice is never taken for
the first of the two.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from .display import shown_name
from .errors import WikiError
from .lines import count_line_ends
from .markdown import BYTE_ORDER_MARK, Structure

LEAD: Final = "^lead"
SEPARATOR: Final = " > "
TITLE_MAX_CHARS: Final = 200  # of a title shown among others: a heading may be as long as a page
_SLUG_MAX_CHARS: Final = 60
_LISTED_MAX: Final = 20  # sections that an error lists
_NEAR_MAX: Final = 5
_COMPARED_MAX: Final = 2_000  # headings compared by spelling, which is slow
_BETWEEN_PARTS: Final = re.compile(r"\s*>\s*")
_ENDS: Final = " .,:;!?…。．，、：；！？"
_HEADING_MARK: Final = re.compile(r"#{1,6}\s+")  # a heading may be named by its whole line


@dataclass(frozen=True, slots=True)
class Section:
    """One section. Lines are one-based and inclusive, and those of the whole span."""

    selector: str
    level: int  # 1 to 6, or 0 for the text before the first heading
    title: str  # the heading's text as written; empty for level 0
    breadcrumb: str  # the titles above it and its own, each shortened to what can be shown
    start: int
    end: int  # with all sections inside it
    own_end: int  # where the next heading of any level begins
    line_start: int
    line_end: int


def sections(text: str, structure: Structure) -> list[Section]:
    """All sections in order. Their own spans are the text, each character once. An empty text has none."""
    headings = structure.headings
    if not text:
        return []
    starts = [heading.start for heading in headings]
    if starts and text[: starts[0]] in ("", BYTE_ORDER_MARK):
        starts[0] = 0  # a byte order mark alone is no text before the heading
    first = starts[0] if starts else len(text)
    line_ends = count_line_ends(text, 0, len(text))
    last_line = line_ends if text[-1] in "\r\n" else line_ends + 1
    found = []
    if first:
        line = headings[0].line - 1 if headings else last_line
        found.append(Section(LEAD, 0, "", "", 0, first, first, 1, line))
    ends = _ends([heading.level for heading in headings])
    name = _Namer()
    path: list[tuple[int, str]] = []
    for at, heading in enumerate(headings):
        while path and path[-1][0] >= heading.level:
            path.pop()
        path.append((heading.level, shortened(heading.title)))
        end = starts[ends[at]] if ends[at] < len(headings) else len(text)
        found.append(
            Section(
                selector=name.next(heading.title),
                level=heading.level,
                title=heading.title,
                breadcrumb=SEPARATOR.join(title for _, title in path),
                start=starts[at],
                end=end,
                own_end=starts[at + 1] if at + 1 < len(headings) else len(text),
                line_start=heading.line,
                line_end=headings[ends[at]].line - 1 if ends[at] < len(headings) else last_line,
            )
        )
    return found


def section_at(found: list[Section], position: int) -> Section | None:
    """The innermost section that holds ``position``."""
    at = bisect_right(found, position, key=lambda section: section.start)
    return found[at - 1] if at else None


def find_section(found: list[Section], wanted: str) -> Section:
    """The one section that ``wanted`` names: a selector, else a heading's text or breadcrumb, told apart by
    words only.

    The end of a breadcrumb (``B > C``) does where no whole one fits. Raises ``section-ambiguous`` with those
    that fit, ``section-not-found`` with the nearest few.
    """
    for section in found:
        if section.selector == wanted:
            return section
    key = _folded_path(wanted)
    headed = [section for section in found if section.level]
    fitting = [s for s in headed if key in (_folded_path(s.title), _folded_path(s.breadcrumb))] if key else []
    if not fitting and key:
        fitting = [s for s in headed if _folded_path(s.breadcrumb).endswith(SEPARATOR + key)]
    if len(fitting) == 1:
        return fitting[0]
    shown = shown_name(wanted, most=100)
    if fitting:
        raise WikiError(
            "section-ambiguous",
            f'{len(fitting)} sections fit "{shown}". Take the selector of one, such as '
            f'"{fitting[0].selector}", or its breadcrumb.',
            {"sections": _listed(fitting[:_LISTED_MAX])},
        )
    raise WikiError(
        "section-not-found",
        f'No section fits "{shown}". Take one from the nearest listed here, or from the outline of the page.',
        {"sections": _listed(_nearest(found, key))},
    )


def shortened(title: str) -> str:
    return title if len(title) <= TITLE_MAX_CHARS else title[: TITLE_MAX_CHARS - 1] + "…"


def _ends(levels: list[int]) -> list[int]:
    """For each heading the index of the one that ends its section; the number of headings for none."""
    ends = [len(levels)] * len(levels)
    open_at: list[int] = []
    for at, level in enumerate(levels):
        while open_at and levels[open_at[-1]] >= level:
            ends[open_at.pop()] = at
        open_at.append(at)
    return ends


class _Namer:
    """Gives every heading of a page a selector of its own, in the order of the page."""

    def __init__(self) -> None:
        self._used: dict[str, int] = {}

    def next(self, title: str) -> str:
        slug = _slug(title)
        count = self._used[slug] = self._used.get(slug, 0) + 1
        return f"#{slug}" if count == 1 else f"#{slug}~{count}"


def _slug(title: str) -> str:
    """Words of a title in lower case, joined by hyphens: letters with their marks, and digits."""
    lower = unicodedata.normalize("NFC", title[: 4 * _SLUG_MAX_CHARS]).lower()
    kept = (c if c.isalnum() or unicodedata.category(c)[0] == "M" else " " for c in lower)
    return "-".join("".join(kept).split())[:_SLUG_MAX_CHARS].rstrip("-") or "section"


def _folded_path(text: str) -> str:
    return SEPARATOR.join(_folded(part) for part in _BETWEEN_PARTS.split(_without_mark(text)))


def folded_heading(text: str) -> str:
    """A heading, or what somebody wrote for one, as it is compared."""
    return _folded(_without_mark(text))


def _without_mark(text: str) -> str:
    mark = _HEADING_MARK.match(text)
    return text[mark.end() :] if mark else text


def _folded(text: str) -> str:
    """A heading as it is compared: composed, in one case, single spaces, without punctuation at its end."""
    return " ".join(unicodedata.normalize("NFC", text).casefold().split()).rstrip(_ENDS)


def _nearest(found: list[Section], key: str) -> list[Section]:
    """Sections whose heading holds the wanted words, else those spelled most alike."""
    titles: dict[str, Section] = {}
    for section in found[:_COMPARED_MAX]:
        titles.setdefault(_folded(shortened(section.title)), section)
    titles.pop("", None)
    last = key.rpartition(SEPARATOR)[2][:TITLE_MAX_CHARS]
    holding = [title for title in titles if last and last in title][:_NEAR_MAX]
    near = holding or difflib.get_close_matches(last, titles, n=_NEAR_MAX, cutoff=0.5)
    return [titles[title] for title in near]


def _listed(found: Iterable[Section]) -> list[dict[str, Any]]:
    return [{"section": s.selector, "breadcrumb": s.breadcrumb, "line": s.line_start} for s in found]
