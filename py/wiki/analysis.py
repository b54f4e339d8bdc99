"""How one page becomes index data: the one place for it, so that every kind of index is made alike."""

from __future__ import annotations

from typing import Final

from . import tokens
from .frontmatter import read_frontmatter
from .index import Analysed, Facts
from .inlinetags import inline_tags
from .markdown import parse
from .pages import Page
from .surroundings import Surroundings

TITLE_MAX_CHARS: Final = 1_000  # a longer heading is text that nobody asks for by its whole
TAG_MAX_CHARS: Final = 200
TAGS_MAX: Final = 1_000


def analyse(page: Page, surroundings: Surroundings) -> Analysed:
    structure = parse(page.text)
    head = read_frontmatter(structure, surroundings)
    counts, length = tokens.counts(tokens.searchable(page.text, structure))
    h1 = next((heading.title for heading in structure.headings if heading.level == 1), None)
    title = head.title or h1 or page.path.rpartition("/")[2][:-3]
    names = (h1, title, *head.aliases)
    titles = dict.fromkeys(tuple(tokens.tokenize(name)) for name in names if name and len(name) <= TITLE_MAX_CHARS)
    titles.pop((), None)
    tags = dict.fromkeys(tag for tag in (*head.tags, *inline_tags(page.text, structure)) if len(tag) <= TAG_MAX_CHARS)
    facts = Facts(title[:TITLE_MAX_CHARS], head.type and head.type[:TAG_MAX_CHARS], tuple(tags)[:TAGS_MAX])
    return Analysed(counts, length, tuple(titles), facts)
