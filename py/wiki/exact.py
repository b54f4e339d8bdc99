"""Pages that gain the best score once more, because they are exactly what is looked for: titled as asked, named as
asked where they have no title of their own, or with a long query standing in them word for word."""

from __future__ import annotations

from typing import Final, Iterable, Mapping

from .analysis import analyse
from .context import Context
from .errors import WikiError
from .forms import Forms
from .index import Facts
from .pages import open_page
from .queries import Asked
from .tokens import pieces, tokenize
from .verbatim import Quote

_QUOTED_IN: Final = 10  # pages looked through for a long query, of those with all its words and of the best ones


class Exact:
    """What one query asks for exactly."""

    def __init__(self, ctx: Context, query: str, index: Forms, wanted: Asked) -> None:
        self._ctx = ctx
        self._index = index
        self._title = wanted.title
        self._quote = Quote(query, pieces(query))
        self._words = {token for token, _ in wanted.weighted}
        self._looked_into: set[str] = set()
        self.titled = index.titled(wanted.title) if wanted.title else []

    def known(self) -> list[int]:
        """Pages that gain it wherever they would rank, ascending."""
        having = _having_all(self._index, self._words) if self._quote.is_long else []
        quoting = set(self._quoting(map(self._index.path, having if len(having) <= _QUOTED_IN else ())))
        return sorted({*self.titled, *(doc for doc in having if self._index.path(doc) in quoting)})

    def among(self, ranked: Mapping[str, float]) -> list[str]:
        """Further ones of the pages that were ranked, which are given best first."""
        named = [path for doc in self.titled if (path := self._index.path(doc)) in ranked and self._is_named(path)]
        best = list(ranked)[: _QUOTED_IN if self._quote.is_long else 0]
        return list(dict.fromkeys(named + self._quoting(best)))

    def _quoting(self, paths: Iterable[str]) -> list[str]:
        found = []
        for path in paths:
            if path in self._looked_into:
                continue
            self._looked_into.add(path)
            try:
                if self._quote.stands_in(open_page(self._ctx.vault, path).text):
                    found.append(path)
            except WikiError:
                continue  # opening it again will tell why it cannot be shown
        return found

    def _is_named(self, path: str) -> bool:
        """Whether the page's title is its file's name, which stands nowhere in the text that is ranked."""
        name = path[path.rfind("/") + 1 : -len(".md")]
        if tuple(tokenize(name)) != self._title:
            return False
        facts = facts_of(self._index, path) or read_facts(self._ctx, path)
        return facts is not None and facts.title == name


def _having_all(index: Forms, words: Iterable[str]) -> list[int]:
    """Pages that have every one of ``words``, ascending. The rarest word's pages are few, so few are looked up."""
    postings = [index.postings(word) for word in words]
    found = sorted((one for one in postings if one), key=lambda one: one.frequency)
    if not found or len(found) < len(postings):
        return []
    docs = list(found[0].pairs()[0])
    for other in found[1:]:
        docs = [doc for doc in docs if other.times(doc)]
    return docs


def facts_of(index: Forms, path: str) -> Facts | None:
    doc = index.doc_of(path)
    return None if doc is None else index.facts(doc)


def read_facts(ctx: Context, path: str) -> Facts | None:
    """What the page itself says, for an index that does not know."""
    try:
        return analyse(open_page(ctx.vault, path), ctx.surroundings).facts
    except WikiError:
        return None
