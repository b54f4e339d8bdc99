"""What the program gets from where it runs: natively from ``native.py``, in the sandbox from ``bridge.py``.

Everything the operations need beyond the files of the vault goes through here, so that the same plain code
runs in both places and no operation knows which it is in.
"""

from __future__ import annotations

from typing import Any, Protocol


class Surroundings(Protocol):
    """The few things an operation may ask of the place it runs in."""

    def listing(self) -> bytes:
        """What the wiki folder holds now, in the format of ``pages.py``."""

    def yaml(self, text: str) -> str:
        """A YAML mapping as JSON text, every scalar as the text it was written as.

        Raises ``ValueError`` with a sentence (and the line, where known) when the text is not a mapping, too
        large, too deep, or uses what only a program would write.
        """

    def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        """Ask the host for embeddings or a model's digest: ``{"ask": "embed", ...}``. Failures come as ``{"error": …}``."""

    def progress(self, what: str, done: int, total: int) -> None:
        """Say how far long work has come. Cheap enough to call for each page."""

    def remaining(self) -> float:
        """Seconds left for this call."""

    def emit(self, name: str, data: bytes) -> None:
        """Append bytes to the file ``name`` that the host publishes; only the ``index`` operation may."""
