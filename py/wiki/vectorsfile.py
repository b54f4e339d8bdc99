"""The compact file of the semantic index, ``.vault-meta/retrieval/vectors.bin``: opened without reading text
or vectors.

A container (``container.py``) with these sections, numbers little-endian, for ``P`` pages, ``N`` chunks and
``d`` numbers in a vector; pages stand in the order of their paths, chunks in the order of their places:

    pages      P texts, each ended by NUL: the paths
    hashes     P x 32 bytes: SHA-256 of the page
    first      (P + 1) x u32: the page's first chunk
    starts     N x u32: where the chunk begins, in code points of the page
    ends       N x u32: where it ends
    sources    N x 32 bytes: SHA-256 of the chunk's own text in UTF-8
    scales     N x f32: what a code is multiplied by
    errors     N x f32: the length of what the codes leave out of the vector
    codes      d x N bytes: the vectors in short, ``number ~ (code - 128) * scale``, column by column (all
               first numbers, then all second numbers, ...)
    vectors    N x d x f32: each of length 1, one after the other

The header adds ``vectors`` (1, the version), ``model``, ``modelDigest``, ``maxChars``, ``targetChars``,
``algorithm`` and ``dimension``. By codes all chunks are compared at once and roughly, by vectors the few that
may be best, exactly.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from math import fsum, sqrt
from operator import add, sub
from typing import Any, Final

from .chunks import ALGORITHM, DIMENSION_MAX, SETTINGS_MIN_CHARS, VECTORS_FILE, Identity
from .columns import weighted_sums, weights
from .container import Container, from_little
from .context import Vault
from .heldfile import HeldFile, look_at
from .index import Damaged

VERSION: Final = 1
ZERO_CODE: Final = 128
POSITION_MAX: Final = (1 << 32) - 1
_BLOCK_BYTES: Final = 1 << 20  # of codes read at once
_SLACK: Final = 1e-6  # for the rounding of lengths to 32 bits


def open_vectors(vault: Vault) -> VectorsFile | None:
    """The vault's file of vectors; ``None`` when there is none. Raises ``Damaged``."""
    identity = look_at(vault, VECTORS_FILE)
    return identity and VectorsFile(HeldFile(vault, VECTORS_FILE, identity))


class VectorsFile:
    """A ``Store`` over an open file."""

    def __init__(self, file: HeldFile) -> None:
        self.file = VECTORS_FILE
        self.unfit = 0
        self._held = file
        self._container = Container(file)
        header = self._container.header
        if header.get("vectors") != VERSION or header.get("algorithm") != ALGORITHM:
            raise Damaged("It has a format that this version does not know.")
        self._identity = Identity(_text(header, "model"), _text(header, "modelDigest"))
        self._settings = (
            _whole(header, "maxChars", SETTINGS_MIN_CHARS, POSITION_MAX),
            _whole(header, "targetChars", 1, POSITION_MAX),
        )
        self._dimension = _whole(header, "dimension", 1, DIMENSION_MAX)
        self._read_pages()
        self._read_chunks()

    def identity(self, page: int) -> Identity:
        return self._identity

    def settings(self, page: int) -> tuple[int, int]:
        return self._settings

    def content_hash(self, page: int) -> str:
        return self._hashes[32 * page : 32 * page + 32].hex()

    def source_hash(self, row: int) -> str:
        return self._sources[32 * row : 32 * row + 32].hex()

    def dimension(self, row: int) -> int:
        return self._dimension

    def vector(self, row: int) -> array[float]:
        return from_little("f", self.vector_bytes(row))

    def vector_bytes(self, row: int) -> bytes:
        """A vector as it lies in the file."""
        width = 4 * self._dimension
        return self._container.read("vectors", row * width, width)

    def coded(self) -> tuple[bytes, array[float], array[float]]:
        """All codes column by column, the scales and the errors, for whoever writes the next file."""
        return self._container.read("codes"), self._scales, self._errors

    def bounds(self, query: Sequence[float]) -> tuple[list[float], list[float]]:
        rows = len(self.starts)
        if len(query) != self._dimension:
            return [-2.0] * rows, [-2.0] * rows
        given, unit = weights(query)
        sums = weighted_sums(self._columns(), given, rows)
        shift = ZERO_CODE * sum(given)
        # What rounding the query leaves out counts as far as the short vector is long.
        lost = sqrt(fsum((number - weight * unit) ** 2 for number, weight in zip(query, given)))
        near = [unit * scale * (total - shift) for scale, total in zip(self._scales, sums)]
        wide = [error * (1 + lost) + lost + _SLACK for error in self._errors]
        return list(map(sub, near, wide)), list(map(add, near, wide))

    def close(self) -> None:
        self._held.let_go()

    def _columns(self) -> Iterator[bytes]:
        rows = len(self.starts)
        together = max(1, _BLOCK_BYTES // max(1, rows))
        for first in range(0, self._dimension, together):
            count = min(together, self._dimension - first)
            block = self._container.read("codes", first * rows, count * rows)
            yield from (block[at * rows : (at + 1) * rows] for at in range(count))

    def _read_pages(self) -> None:
        try:
            self.paths: list[str] = self._container.read("pages").decode("utf-8").split("\0")
        except UnicodeDecodeError:
            raise Damaged("It names pages in a way that cannot be read.") from None
        self._hashes = self._container.read("hashes")
        self.first = self._container.array("I", "first")
        if (
            self.paths.pop()
            or len(self._hashes) != 32 * len(self.paths)
            or len(self.first) != len(self.paths) + 1
        ):
            raise Damaged("Its list of pages makes no sense.")
        if self.first[0] or any(one > other for one, other in zip(self.first, self.first[1:])):
            raise Damaged("Its list of pages makes no sense.")

    def _read_chunks(self) -> None:
        self.starts = self._container.array("I", "starts")
        self.ends = self._container.array("I", "ends")
        self._sources = self._container.read("sources")
        self._scales = self._container.array("f", "scales")
        self._errors = self._container.array("f", "errors")
        rows, numbers = len(self.starts), len(self.starts) * self._dimension
        counts = (
            len(self.ends),
            len(self._sources) // 32,
            len(self._scales),
            len(self._errors),
            self.first[-1],
        )
        if set(counts) - {rows} or self._container.length("codes") != numbers:
            raise Damaged("Its list of chunks makes no sense.")
        if self._container.length("vectors") != 4 * numbers or any(map(_is_empty, self.starts, self.ends)):
            raise Damaged("Its list of chunks makes no sense.")
        # What is not a number compares as false.
        if not all(0 < scale <= 1 and 0 <= error <= 1 for scale, error in zip(self._scales, self._errors)):
            raise Damaged("Its vectors make no sense.")


def _is_empty(start: int, end: int) -> bool:
    return start >= end


def _text(header: dict[str, Any], key: str) -> str:
    value = header.get(key)
    if not isinstance(value, str) or not value:
        raise Damaged("Its header cannot be understood.")
    return value


def _whole(header: dict[str, Any], key: str, least: int, most: int) -> int:
    value = header.get(key)
    if type(value) is not int or not least <= value <= most:
        raise Damaged("Its header cannot be understood.")
    return value
