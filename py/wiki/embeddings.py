"""Asking the host for embeddings, and taking nothing it says for granted but the sentence that explains
trouble.
"""

from __future__ import annotations

import base64
import binascii
import sys
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, Final

from .chunks import DIMENSION_MAX, Identity
from .context import Context

TEXTS_MAX: Final = 64  # in one question
RESERVE_SECONDS: Final = 2.0  # of a call, kept for going on without the answer


class Trouble(Exception):
    """No embeddings; the message says why and what to do, as a sentence. ``kind`` is the host's word for
    it.
    """

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Embedded:
    """What a model makes of some texts, in their order."""

    identity: Identity
    vectors: list[array[float]]  # finite, of one dimension, none all zeros


def installed(ctx: Context) -> Identity:
    """The model that the host would ask. Raises ``Trouble``, as when it takes all but ``RESERVE_SECONDS``."""
    return _identity(_asked(ctx, {"ask": "digest"}))


def embedded(ctx: Context, texts: Sequence[str], *, reserve: float = RESERVE_SECONDS) -> Embedded:
    """Raises ``Trouble``, as when it takes all but ``reserve`` seconds of the call."""
    reply = _asked(ctx, {"ask": "embed", "input": list(texts)}, reserve)
    given = reply.get("vectors")
    if not isinstance(given, list) or len(given) != len(texts):
        raise _unusable()
    vectors = [_vector(value) for value in given]
    if len({len(vector) for vector in vectors}) != 1:
        raise _unusable()
    return Embedded(_identity(reply), vectors)


def _asked(ctx: Context, question: dict[str, Any], reserve: float = RESERVE_SECONDS) -> dict[str, Any]:
    seconds = ctx.surroundings.remaining() - reserve
    if seconds <= 0:
        raise Trouble(
            "deadline", "No time was left to ask for the meaning. Try again, or with a longer --timeout."
        )
    reply = ctx.surroundings.ask(question | {"withinMs": int(1000 * seconds) + 1})
    error = reply.get("error")
    if error is None:
        return reply
    if isinstance(error, dict):
        raise Trouble(str(error.get("kind")), str(error.get("message")))
    raise Trouble("unanswered", str(error))


def _identity(reply: dict[str, Any]) -> Identity:
    model, digest = reply.get("model"), reply.get("digest")
    if not (isinstance(model, str) and model and isinstance(digest, str) and digest):
        raise _unusable()
    return Identity(model, digest)


def _vector(value: Any) -> array[float]:
    """The base64 of 32-bit floats, low byte first."""
    try:
        data = base64.b64decode(value, validate=True)
    except (binascii.Error, TypeError, ValueError):
        raise _unusable() from None
    if not data or len(data) % 4 or len(data) > 4 * DIMENSION_MAX:
        raise _unusable()
    numbers = array("f", data)
    if sys.byteorder == "big":
        numbers.byteswap()
    if not all(map(isfinite, numbers)) or not any(numbers):
        raise _unusable()
    return numbers


def _unusable() -> Trouble:
    return Trouble(
        "wrong-answer",
        "The host's embeddings cannot be used. Ask again; if that does not help, restart Ollama.",
    )
