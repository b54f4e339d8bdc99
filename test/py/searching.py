"""A vault in a temporary folder that can be searched."""

from __future__ import annotations

from typing import Any

from indexed import Indexed
from wiki.context import Context
from wiki.search import search


class Searching(Indexed):
    def searched(self, query: str, *, host: dict[str, Any] | None = None, pages_in_time: float = float("inf"), **args: Any) -> dict[str, Any]:
        """The payload of one search."""
        context = self.context(pages_in_time=pages_in_time)
        return search(Context(context.vault, context.surroundings, host or {}), {"query": query, **args})

    def paths(self, query: str, **args: Any) -> list[str]:
        """The pages found, best first, by their names without folder and ending."""
        return [name(result["path"]) for result in self.searched(query, **args)["results"]]


def name(path: str) -> str:
    return path.removeprefix("wiki/").removesuffix(".md")
