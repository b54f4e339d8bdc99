"""The one error of the package: a code for programs, a sentence for people, structure for both."""

from __future__ import annotations

from typing import Any


class WikiError(Exception):
    """A request that cannot be answered.

    ``code`` is one of the contract's codes; ``message`` says what happened, where, and what to do next;
    ``payload`` keeps what a caller can act on (the hash of now, the sections that fit).
    """

    def __init__(self, code: str, message: str, payload: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.payload = payload
