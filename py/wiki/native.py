"""What the program gets when it runs natively: the files, a terminal, a clock. No network at all."""

from __future__ import annotations

import sys
import time
from typing import Any, Final, Protocol, TextIO

from .context import Vault
from .display import shown_name
from .scan import scan
from .yamltext import mapping_as_json

_EVERY_SECONDS: Final = 0.1
_BAR_CHARS: Final = 24


class Taker(Protocol):
    """Whoever takes the files that the ``index`` operation makes."""

    def append(self, name: str, data: bytes) -> None: ...


class NativeSurroundings:
    """The surroundings of one call, which has ``seconds`` to answer."""

    def __init__(
        self, vault: Vault, *, seconds: float = 30.0, taker: Taker | None = None, stderr: TextIO | None = None
    ) -> None:
        self._vault = vault
        self._taker = taker
        self._stderr = sys.stderr if stderr is None else stderr
        self._bar = self._stderr is not None and self._stderr.isatty()
        self._drawn_at = 0.0
        self._drawn = False
        self._ends = time.monotonic() + seconds
        self._listing: bytes | None = None

    def listing(self) -> bytes:
        if self._listing is None:  # one call sees one moment
            self._listing = scan(self._vault)
        return self._listing

    def yaml(self, text: str) -> str:
        return mapping_as_json(text)

    def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        return {"error": "python3 -m wiki contacts nothing, not even Ollama. Use pi-wiki for hybrid search."}

    def progress(self, what: str, done: int, total: int) -> None:
        """A bar on a terminal; nothing where nobody looks."""
        if not self._bar:
            return
        now = time.monotonic()
        if now - self._drawn_at < _EVERY_SECONDS and done < total:
            return
        self._drawn_at = now
        filled = _BAR_CHARS * done // max(total, 1)
        bar = "█" * filled + "░" * (_BAR_CHARS - filled)
        self._write(f"\r\x1b[K{bar} {shown_name(what)} {done:,} of {total:,}")
        self._drawn = True

    def clear_progress(self) -> None:
        """Take the bar away, before anything else is written."""
        if self._drawn:
            self._write("\r\x1b[K")
            self._drawn = False

    def remaining(self) -> float:
        return self._ends - time.monotonic()

    def emit(self, name: str, data: bytes) -> None:
        if self._taker is None:
            raise RuntimeError("only the index command takes files")
        self._taker.append(name, data)

    def _write(self, text: str) -> None:
        try:
            self._stderr.write(text)
            self._stderr.flush()
        except (OSError, UnicodeError):
            self._bar = False
