"""Writing ``vectors.bin`` (``vectorsfile.py``), from chunks kept out of an older file and chunks that are
new.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from operator import mul
from typing import Final

from .chunks import ALGORITHM, MAX_CHARS, TARGET_CHARS, Identity
from .container import ContainerWriter, little
from .vectorsfile import VERSION, ZERO_CODE

_CODE_MAX: Final = 127


@dataclass(frozen=True, slots=True)
class Coded:
    """A vector of length 1 as the file keeps it."""

    numbers: bytes  # d x f32
    codes: bytes  # d bytes
    scale: float
    error: float

    @staticmethod
    def of(unit: array[float]) -> Coded:
        """``unit`` is a vector of length 1 in 32 bits."""
        scale = _as_32_bits(max(map(abs, unit)) / _CODE_MAX)
        codes = bytes(round(number / scale) + ZERO_CODE for number in unit)
        left = [number - (code - ZERO_CODE) * scale for number, code in zip(unit, codes)]
        error = sqrt(fsum(map(mul, left, left)))
        return Coded(little(unit), codes, scale, _as_32_bits(error * 1.000001))


@dataclass(frozen=True, slots=True)
class Piece:
    """A chunk to be written; its vector lies wherever ``numbers`` finds it."""

    start: int
    end: int
    source_hash: str
    codes: bytes
    scale: float
    error: float
    numbers: Callable[[], bytes]

    @staticmethod
    def of(start: int, end: int, source_hash: str, coded: Coded) -> Piece:
        return Piece(start, end, source_hash, coded.codes, coded.scale, coded.error, lambda: coded.numbers)


@dataclass(frozen=True, slots=True)
class PagePieces:
    path: str
    content_hash: str
    pieces: Sequence[Piece]


def write_vectors(
    emit: Callable[[bytes], None], pages: Sequence[PagePieces], identity: Identity, dimension: int
) -> None:
    """Give the whole file to ``emit``, piece by piece. ``pages`` stand in the order of their paths."""
    pieces = [piece for page in pages for piece in page.pieces]
    first = array("I", [0])
    for page in pages:
        first.append(first[-1] + len(page.pieces))
    rows = b"".join(piece.codes for piece in pieces)
    writer = ContainerWriter(emit)
    for name, data in (
        ("pages", b"".join(page.path.encode("utf-8") + b"\0" for page in pages)),
        ("hashes", bytes.fromhex("".join(page.content_hash for page in pages))),
        ("first", little(first)),
        ("starts", little(array("I", [piece.start for piece in pieces]))),
        ("ends", little(array("I", [piece.end for piece in pieces]))),
        ("sources", bytes.fromhex("".join(piece.source_hash for piece in pieces))),
        ("scales", little(array("f", [piece.scale for piece in pieces]))),
        ("errors", little(array("f", [piece.error for piece in pieces]))),
    ):
        writer.section(name)
        writer.write(data)
    writer.section("codes")
    for column in range(dimension):
        writer.write(rows[column::dimension])
    writer.section("vectors")
    for piece in pieces:
        writer.write(piece.numbers())
    writer.finish(
        {
            "vectors": VERSION,
            "model": identity.model,
            "modelDigest": identity.digest,
            "algorithm": ALGORITHM,
            "maxChars": MAX_CHARS,
            "targetChars": TARGET_CHARS,
            "dimension": dimension,
        }
    )


def _as_32_bits(number: float) -> float:
    return array("f", [number])[0]
