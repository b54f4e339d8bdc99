"""What the semantic index knows of a page's pieces, whichever of its two files says it, and which file
counts.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from operator import mul
from typing import Final, Protocol

VECTORS_NAME: Final = "vectors.bin"
CHUNKS_NAME: Final = "chunks.json"
VECTORS_FILE: Final = f".vault-meta/retrieval/{VECTORS_NAME}"
CHUNKS_FILE: Final = f".vault-meta/retrieval/{CHUNKS_NAME}"

ALGORITHM: Final = "semantic-adjacent-cosine-v1"
MAX_CHARS: Final = 1_800  # of a page's own text in one chunk
TARGET_CHARS: Final = 1_000
SETTINGS_MIN_CHARS: Final = 64  # other settings than ours are read within the bounds of the Python package
DIMENSION_MAX: Final = 16_384


@dataclass(frozen=True, slots=True)
class Identity:
    """One installation of one model. Vectors of different installations cannot be compared."""

    model: str
    digest: str

    def is_same(self, other: Identity) -> bool:
        """Ollama takes a name without a tag for ``:latest``; a digest may say its own kind."""
        return canonical_model(self.model) == canonical_model(other.model) and _bare(self.digest) == _bare(
            other.digest
        )


def canonical_model(name: str) -> str:
    return (name if ":" in name[name.rfind("/") + 1 :] else f"{name}:latest").lower()


def _bare(digest: str) -> str:
    return digest.lower().removeprefix("sha256:")


class Store(Protocol):
    """A file of the semantic index, open. Rows are chunks, in the order of their pages.

    All vectors given out have length 1. Methods may raise ``Damaged``.
    """

    file: str  # vault-relative
    unfit: int  # chunks that the file holds in a form that can never count

    @property
    def paths(self) -> Sequence[str]: ...

    @property
    def first(self) -> Sequence[int]:
        """The rows of page ``p`` are ``first[p]`` to ``first[p + 1]``, the last one not included."""

    @property
    def starts(self) -> Sequence[int]:
        """Where each row begins, in code points of its page."""

    @property
    def ends(self) -> Sequence[int]: ...

    def identity(self, page: int) -> Identity: ...

    def settings(self, page: int) -> tuple[int, int]:
        """``maxChars`` and ``targetChars``."""

    def content_hash(self, page: int) -> str:
        """What the page's bytes hashed to, in lower-case hex."""

    def source_hash(self, row: int) -> str:
        """What the chunk's own text hashed to, in lower-case hex."""

    def dimension(self, row: int) -> int: ...

    def vector(self, row: int) -> Sequence[float]: ...

    def bounds(self, query: Sequence[float]) -> tuple[list[float], list[float]]:
        """For each row a number that the cosine with ``query`` is not below, and one that it is not above.

        Both are -2 for rows of another dimension.
        """

    def close(self) -> None: ...


def unit_vector(numbers: Sequence[float]) -> array[float] | None:
    """Finite ``numbers`` brought to length 1, in 32 bits; ``None`` when they point nowhere."""
    most = max(map(abs, numbers))
    if most == 0:
        return None
    scaled = [number / most for number in numbers]  # so that no square is too large or too small
    length = sqrt(fsum(map(mul, scaled, scaled)))
    return array("f", [number / length for number in scaled])


def hash_of(text: str) -> str:
    """Lower-case hex SHA-256 of a text in UTF-8."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def span_holds(text: str, start: int, end: int, source_hash: str) -> bool:
    """Whether a chunk's text still stands in its page where the index says."""
    return end <= len(text) and hash_of(text[start:end]) == source_hash
