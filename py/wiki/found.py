"""What reading the blocks of a text finds."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class RawHeading:
    """A heading of the document. Those in quotes and list items are left out, as Obsidian's outline does."""

    level: int
    start: int  # where its first line begins
    end: int  # where its last line ends, line end not included
    content: tuple[tuple[int, int], ...]  # the spans of its text, one a line


@dataclass(slots=True)
class Blocks:
    """What was found. All spans are of the page; ``quotes`` hold the quotes inside them too."""

    headings: list[RawHeading] = field(default_factory=list)
    hidden: list[tuple[int, int, str]] = field(default_factory=list)  # "fence", "code", "html" or "comment"
    texts: list[tuple[int, int]] = field(default_factory=list)  # paragraphs and headings: inline marks count
    quotes: list[tuple[int, int]] = field(default_factory=list)
