"""A vault in a temporary folder, and surroundings without a YAML parser: the tests say what it would give."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from folders import Folder
from wiki.context import Context
from wiki.errors import WikiError


class StandIn:
    """Surroundings of a test. The frontmatter of every page reads as ``values``; an error there is raised."""

    def __init__(self, values: dict[str, Any] | Exception | None = None) -> None:
        self.values = values if values is not None else {}
        self.asked: list[str] = []

    def yaml(self, text: str) -> str:
        self.asked.append(text)
        if isinstance(self.values, Exception):
            raise self.values
        return json.dumps(self.values)


class Reading(Folder):
    def setUp(self) -> None:
        super().setUp()
        self.surroundings = StandIn()
        self.ctx = Context(self.vault, self.surroundings)  # type: ignore[arg-type]

    def write_bytes(self, path: str, data: bytes) -> None:
        file = Path(self.root, path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)

    def page(self, text: str, path: str = "wiki/a.md") -> str:
        """Write a page exactly as given; its path."""
        self.write_bytes(path, text.encode())
        return path

    def failure(self, code: str, call: Any, *args: Any) -> WikiError:
        with self.assertRaises(WikiError) as caught:
            call(*args)
        self.assertEqual(caught.exception.code, code, caught.exception.message)
        self.assertLessEqual(len(caught.exception.message), 500)
        return caught.exception
