"""One result of a search: the page as it is now, the place in it that shows why it was found, and how to read on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping, Sequence

from .context import Context
from .errors import WikiError
from .evidence import sources_named
from .excerpts import Shown, excerpt
from .frontmatter import Frontmatter, read_frontmatter
from .limits import EXCERPT_MAX_CHARS, READ_MAX_CHARS
from .lines import Lines
from .markdown import Structure, parse
from .pages import Page, open_page
from .places import Finder
from .sections import Section, section_at, sections, shortened
from .untyped import searchable, untyped
from .words import Piece


@dataclass(frozen=True, slots=True)
class Hit:
    """A page that was ranked, and what is known of why."""

    path: str
    score: float
    match: str  # one of the contract's words
    within: tuple[int, int] | None = None  # the section or passage that matched, where that is known
    semantic: tuple[int, int, float] | None = None  # start and end of the nearest passage, and its cosine


class Found:
    """A hit's page, opened. Everything about it comes from the same bytes."""

    def __init__(self, hit: Hit, page: Page, ctx: Context, finder: Finder) -> None:
        self.hit = hit
        self.page = page
        self.text = page.text
        self.structure: Structure = parse(self.text)
        self.places: Sequence[Piece] = finder.places(searchable(self.text, self.structure))
        self.lines = Lines(self.text)
        self._ctx = ctx
        self._sections: list[Section] | None = None
        self._head: Frontmatter | None = None

    @property
    def sections(self) -> list[Section]:
        if self._sections is None:
            self._sections = sections(self.text, self.structure)
        return self._sections

    @property
    def head(self) -> Frontmatter:
        if self._head is None:
            self._head = read_frontmatter(self.structure, self._ctx.surroundings)
        return self._head

    @property
    def title(self) -> str:
        first = next((heading.title for heading in self.structure.headings if heading.level == 1), None)
        return shortened(self.head.title or first or self.page.path.rpartition("/")[2][: -len(".md")])

    @property
    def says_nothing(self) -> bool:
        """Whether there is nothing in it but headings, as in a page that somebody linked to and never wrote."""
        if self.structure.frontmatter_text.strip():
            return False
        position = self.structure.body
        for heading in self.structure.headings:
            if self.text[position : heading.start].strip():
                return False
            position = heading.end
        return not self.text[position:].strip()

    @property
    def sources(self) -> int:
        return sources_named(read_frontmatter(self.structure, self._ctx.surroundings, every_key=True).fields)

    def reference(self, start: int, end: int) -> dict[str, Any]:
        """What goes into ``wiki_read`` as it is."""
        return {"page": self.page.path, "expectedHash": self.page.hash, "start": start, "end": end}

    def result(self, worth: Mapping[str, float], *, most: int = EXCERPT_MAX_CHARS) -> dict[str, Any]:
        """The result as the payload has it, with an excerpt of at most ``most`` characters."""
        hit = self.hit
        shown = Shown(self.text, self.structure.body, untyped(self.text, self.structure))
        start, end, anchor = excerpt(shown, self.places, worth, most=most, within=hit.within)
        line_start, line_end = self.lines.of(start, end)
        section = self._told_in(start, end, worth) or section_at(self.sections, anchor)
        result: dict[str, Any] = {
            "path": self.page.path,
            "score": hit.score,
            "match": hit.match,
            "title": self.title,
            "section": section.selector if section else None,
            "breadcrumb": section.breadcrumb if section else None,
            "lineStart": line_start,
            "lineEnd": line_end,
            "excerpt": self.text[start:end],
        }
        if hit.semantic:
            result["charStart"], result["charEnd"], result["semanticScore"] = hit.semantic
        result["read"] = self.reference(*self.readable(section))
        return result

    def _told_in(self, start: int, end: int, worth: Mapping[str, float]) -> Section | None:
        """Of the sections that an excerpt shows, the one that says most of what was asked there, each token once."""
        told: dict[str, tuple[Section, set[str]]] = {}
        for piece in self.places:
            if start <= piece.start < end and (section := section_at(self.sections, piece.start)):
                told.setdefault(section.selector, (section, set()))[1].add(piece.token)
        best = max(told.values(), key=lambda one: sum(sorted(map(worth.__getitem__, one[1]))), default=None)
        return best and best[0]

    def readable(self, section: Section | None) -> tuple[int, int]:
        """The span to read around a match: its section, with those inside it where one reading holds them all."""
        if section is None:
            return 0, len(self.text)
        end = section.end
        if section.level == 0 and not self.text[self.structure.body : section.end].strip():
            end = len(self.text)  # nothing but the frontmatter stands before the first heading
        if end - section.start <= READ_MAX_CHARS:
            return section.start, end
        return section.start, section.own_end


def open_hit(ctx: Context, hit: Hit, finder: Finder) -> Found | str:
    """The hit with its page, or why there is none: one bad page must not end a search."""
    try:
        return Found(hit, open_page(ctx.vault, hit.path), ctx, finder)
    except WikiError as error:
        return (error.payload or {}).get("refusal") or ("vanished" if error.code == "page-not-found" else error.code)
