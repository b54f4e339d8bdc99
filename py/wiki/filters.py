"""Which of the ranked pages are wanted: by frontmatter ``type`` and by tags, whatever their case."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Sequence

from .display import shown_name
from .errors import WikiError
from .index import Facts


@dataclass(frozen=True, slots=True)
class Filters:
    """What a page must be. Empty filters want every page."""

    type: str | None = None
    tags: tuple[str, ...] = ()

    @staticmethod
    def of(type: str | None, tags: Sequence[str]) -> Filters:
        """Raises ``invalid-input`` for a tag that names none: without it, every page would be wanted."""
        wanted = tuple(map(_tag, tags))
        if "" in wanted:
            raise WikiError("invalid-input", f'"tags" holds "{shown_name(tags[wanted.index("")])}", which names no tag.')
        return Filters(_folded(type) if type else None, wanted)

    def __bool__(self) -> bool:
        return self.type is not None or bool(self.tags)

    def want(self, facts: Facts) -> bool:
        """Whether the page is of the type and has one of the tags, or a tag nested in one of them."""
        if self.type is not None and (facts.type is None or _folded(facts.type) != self.type):
            return False
        if not self.tags:
            return True
        have = [_tag(tag) for tag in facts.tags]
        return any(tag == wanted or tag.startswith(f"{wanted}/") for tag in have for wanted in self.tags)


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", text).strip().casefold()


def _tag(text: str) -> str:
    """A tag as it is compared: without ``#``, empty levels and case."""
    return "/".join(level for level in _folded(text).lstrip("#").split("/") if level)
