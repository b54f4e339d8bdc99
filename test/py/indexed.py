"""A vault in a temporary folder that can be indexed, and surroundings that list it, keep what is emitted, count time."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from folders import Folder
from wiki import live
from wiki.build import build
from wiki.context import Context, Vault
from wiki.index import Index
from wiki.ranking import rank
from wiki.scan import scan

FILES = ".vault-meta/retrieval"


class Around:
    """Surroundings of one call. ``pages_in_time`` is how often time is asked for before it is up."""

    def __init__(self, vault: Vault, pages_in_time: float = float("inf")) -> None:
        self._vault = vault
        self._listing: bytes | None = None
        self._left = pages_in_time
        self.emitted: dict[str, bytes] = {}
        self.told: list[tuple[str, int, int]] = []

    def listing(self) -> bytes:
        if self._listing is None:
            self._listing = scan(self._vault)
        return self._listing

    def yaml(self, text: str) -> str:
        """Flat mappings of texts and of lists in brackets: as much YAML as these tests write."""
        fields: dict[str, Any] = {}
        for line in text.splitlines():
            key, _, value = line.partition(": ")
            listed = value.startswith("[")
            fields[key] = [item.strip() for item in value[1:-1].split(",")] if listed else value
        return json.dumps(fields)

    def remaining(self) -> float:
        self._left -= 1
        return 30.0 if self._left >= 0 else 0.0

    def progress(self, what: str, done: int, total: int) -> None:
        self.told.append((what, done, total))

    def emit(self, name: str, data: bytes) -> None:
        self.emitted[name] = self.emitted.get(name, b"") + data


class Indexed(Folder):
    def setUp(self) -> None:
        super().setUp()
        live.forget()
        self.addCleanup(live.forget)
        self._time = 1_700_000_000_000_000_000
        self.around = Around(self.vault)

    def context(self, *, pages_in_time: float = float("inf")) -> Context:
        self.around = Around(self.vault, pages_in_time)
        return Context(self.vault, self.around)  # type: ignore[arg-type]

    @contextmanager
    def another_process(self) -> Iterator[None]:
        """Within, nothing is remembered of what was chosen before; afterwards it is again."""
        remembered = {name: getattr(live._MEMORY, name) for name in live._Memory.__slots__}
        live.forget()
        yield
        live.forget()
        for name, value in remembered.items():
            setattr(live._MEMORY, name, value)

    def choose(self, **options: Any) -> live.Chosen:
        return live.current(self.context(**options))

    def write(self, path: str, text: str = "x") -> None:
        """Each writing is a second later than the one before, whatever the clock says."""
        super().write(path, text)
        self._time += 1_000_000_000
        os.utime(Path(self.root, path), ns=(self._time, self._time))

    def remove(self, path: str) -> None:
        os.remove(Path(self.root, path))

    def build(self, *, only: str | None = None, **args: Any) -> dict[str, Any]:
        """Build index files and put them in their place (``only`` one of them); the payload."""
        payload = build(self.context(), args)
        for name, data in self.around.emitted.items():
            if only in (None, name):
                self.put(name, data)
        return payload

    def put(self, name: str, data: bytes) -> None:
        file = Path(self.root, FILES, name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        self._time += 1_000_000_000
        os.utime(file, ns=(self._time, self._time))


def ranking(index: Index, tokens: list[str], *, limit: int = 10, boosted: Any = ()) -> list[tuple[str, float]]:
    """Paths and exact scores."""
    found = rank(index, [(token, 1.0) for token in tokens], limit=limit, boosted=boosted)
    return [(index.path(scored.doc), scored.score) for scored in found]
