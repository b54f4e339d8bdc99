"""A file of named sections that is written in one go, never read whole, and checked wherever it is read.

Layout, all numbers little-endian::

    body      the sections, one after another, with MAGIC before the first
    header    JSON: {"sections": {name: [offset, length]}, …} and what the writer adds
    sums      one CRC-32 (u32) for each CHUNK bytes of the body; the last chunk may be shorter
    trailer   u64 length of the body, u64 length of the header, u32 number of sums,
              u32 CRC-32 of header, sums and the three numbers before, then MAGIC once more

The reader checks header and sums against the trailer when it opens, and each chunk of the body when a section is
read that touches it: no damaged byte is ever used. A checksum finds accidents and is no signature, so those who know
what a section means still check that it can mean it.
"""

from __future__ import annotations

import struct
import sys
from array import array
from typing import Any, Callable, Final
from zlib import crc32

from . import jsontext
from .heldfile import HeldFile
from .index import Damaged

MAGIC: Final = b"pi-wiki-index 1\n"
CHUNK: Final = 32 * 1024
_NUMBERS: Final = struct.Struct("<QQI")
_SUM: Final = struct.Struct("<I")
_TRAILER_BYTES: Final = _NUMBERS.size + _SUM.size + len(MAGIC)
_HEADER_MAX_BYTES: Final = 1024 * 1024
_EMIT_BYTES: Final = 8 * CHUNK
_KEPT_CHUNKS: Final = 64  # 2 MB, for small pieces that lie together


class ContainerWriter:
    """Writes sections one after another through ``emit``, which takes pieces of bytes in order."""

    def __init__(self, emit: Callable[[bytes], None]) -> None:
        self._emit = emit
        self._waiting = bytearray()
        self._sums = array("I")
        self._sections: dict[str, list[int]] = {}
        self._flushed = 0
        self.write(MAGIC)

    def section(self, name: str) -> None:
        """What is written from here on, up to the next section, is ``name``."""
        self._sections[name] = [self._flushed + len(self._waiting), 0]

    def write(self, data: bytes | bytearray) -> None:
        self._waiting += data
        for section in list(self._sections.values())[-1:]:
            section[1] += len(data)
        while len(self._waiting) >= _EMIT_BYTES:
            self._flush(_EMIT_BYTES)

    def finish(self, facts: dict[str, Any]) -> int:
        """Write what follows the body; the length of the whole file."""
        self._flush(len(self._waiting))
        header = jsontext.dumps(facts | {"sections": self._sections}).encode("utf-8")
        tail = header + little(self._sums)
        numbers = _NUMBERS.pack(self._flushed, len(header), len(self._sums))
        self._emit(tail + numbers + _SUM.pack(crc32(numbers, crc32(tail))) + MAGIC)
        return self._flushed + len(tail) + _TRAILER_BYTES

    def _flush(self, length: int) -> None:
        piece = bytes(self._waiting[:length])
        del self._waiting[:length]
        self._sums.extend(crc32(piece[at : at + CHUNK]) for at in range(0, length, CHUNK))
        self._flushed += length
        if piece:
            self._emit(piece)


class Container:
    """Reads sections. Every method raises ``Damaged`` with a sentence when the file is not as it was written."""

    def __init__(self, file: HeldFile) -> None:
        self._file = file
        self._chunks: dict[int, bytes] = {}
        if file.size < len(MAGIC) + _TRAILER_BYTES:
            raise Damaged("It is too short to be an index file.")
        trailer = file.read(file.size - _TRAILER_BYTES, _TRAILER_BYTES)
        numbers, rest = trailer[: _NUMBERS.size], trailer[_NUMBERS.size :]
        self._body, header_bytes, sums = _NUMBERS.unpack(numbers)
        if rest[_SUM.size :] != MAGIC:
            raise Damaged("It is cut short, or not an index file of this version.")
        tail_bytes = header_bytes + 4 * sums
        if self._body + tail_bytes + _TRAILER_BYTES != file.size or sums != -(-self._body // CHUNK):
            raise Damaged("Its parts do not add up to its size.")
        if header_bytes > _HEADER_MAX_BYTES:
            raise Damaged("Its header is larger than any that is written.")
        tail = file.read(self._body, tail_bytes)
        if _SUM.unpack(rest[: _SUM.size])[0] != crc32(numbers, crc32(tail)):
            raise Damaged("Its header is damaged.")
        self._sums = from_little("I", tail[header_bytes:])
        try:
            self.header: dict[str, Any] = jsontext.loads(tail[:header_bytes], max_bytes=_HEADER_MAX_BYTES)
            self._sections = {name: (int(at), int(length)) for name, (at, length) in self.header["sections"].items()}
        except (ValueError, TypeError, KeyError, AttributeError):
            raise Damaged("Its header cannot be understood.") from None
        if any(at < 0 or length < 0 or at + length > self._body for at, length in self._sections.values()):
            raise Damaged("A section of it lies outside of it.")

    def length(self, section: str) -> int:
        if section not in self._sections:
            raise Damaged(f'It has no section "{section}".')
        return self._sections[section][1]

    def read(self, section: str, start: int = 0, length: int | None = None) -> bytes:
        """``length`` bytes of a section from ``start`` on, or all that follow."""
        whole = self.length(section)
        length = whole - start if length is None else length
        if start < 0 or length < 0 or start + length > whole:
            raise Damaged(f'It points outside its section "{section}".')
        if length == 0:
            return b""
        at = self._sections[section][0] + start
        first, last = at // CHUNK, (at + length - 1) // CHUNK
        data = self._kept(first) if first == last else self._checked(first, last)
        at -= first * CHUNK
        return data[at : at + length]

    def array(self, typecode: str, section: str, start: int = 0, count: int | None = None) -> array[int]:
        """``count`` numbers of a section from byte ``start`` on, or all that follow."""
        length = None if count is None else count * array(typecode).itemsize
        data = self.read(section, start, length)
        if len(data) % array(typecode).itemsize:
            raise Damaged(f'Its section "{section}" holds no whole number of numbers.')
        return from_little(typecode, data)

    def _kept(self, number: int) -> bytes:
        known = self._chunks.get(number)
        if known is None:
            if len(self._chunks) >= _KEPT_CHUNKS:
                self._chunks.clear()
            known = self._chunks[number] = self._checked(number, number)
        return known

    def _checked(self, first: int, last: int) -> bytes:
        start = first * CHUNK
        data = self._file.read(start, min((last + 1) * CHUNK, self._body) - start)
        view = memoryview(data)
        for number in range(first, last + 1):
            at = number * CHUNK - start
            if crc32(view[at : at + CHUNK]) != self._sums[number]:
                raise Damaged(f"It is damaged between byte {number * CHUNK:,} and byte {(number + 1) * CHUNK:,}.")
        return data


def little(numbers: array[int]) -> bytes:
    """The numbers as little-endian bytes, whatever the machine's own order is."""
    if sys.byteorder == "big":
        numbers = numbers[:]
        numbers.byteswap()
    return numbers.tobytes()


def from_little(typecode: str, data: bytes) -> array[int]:
    numbers = array(typecode)
    numbers.frombytes(data)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
