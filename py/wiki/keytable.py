"""A sorted table of keys on disk: some thousand first keys in memory, the rest read a block at a time.

Two sections of a container. ``<name>``: blocks of BLOCK keys, each block ``u32 n``, ``u32 numbers[n]``,
``u16 forms[n]``, then the keys in UTF-8, ascending by their bytes (which is code point order), a line feed between
them. ``<name>.blocks``: ``u32 n``, ``u64 offset[n]`` of each block in its section, ``u64 place[n]`` of what the
block's first key stands for, then the first keys, a line feed between them.

A key stands for a place in a third section, which the table's user knows: places follow one another in the order of
the keys, and a key's number and form give the length.
"""

from __future__ import annotations

import struct
from array import array
from bisect import bisect_right
from typing import Callable, Final, Iterator, NamedTuple

from .container import Container, ContainerWriter, from_little, little
from .index import Damaged

BLOCK: Final = 64
_COUNT: Final = struct.Struct("<I")


class Found(NamedTuple):
    number: int
    form: int
    place: int


class KeyTableWriter:
    """Takes keys in ascending order; kept in memory, about 15 bytes a key, until it is written."""

    def __init__(self) -> None:
        self.keys = 0
        self._blocks = bytearray()
        self._first_keys: list[bytes] = []
        self._offsets = array("Q")
        self._places = array("Q")
        self._keys: list[bytes] = []
        self._numbers = array("I")
        self._forms = array("H")
        self._place = 0

    def add(self, key: str, number: int, form: int, length: int) -> None:
        data = key.encode("utf-8", "replace")
        if b"\n" in data or not data:
            raise ValueError("a key is at least one character and no line feed")
        if not self._keys:
            self._first_keys.append(data)
            self._offsets.append(len(self._blocks))
            self._places.append(self._place)
        self._keys.append(data)
        self._numbers.append(number)
        self._forms.append(form)
        self._place += length
        self.keys += 1
        if len(self._keys) == BLOCK:
            self._close_block()

    def write(self, writer: ContainerWriter, name: str) -> None:
        if self._keys:
            self._close_block()
        writer.section(name)
        writer.write(self._blocks)
        writer.section(f"{name}.blocks")
        writer.write(_COUNT.pack(len(self._offsets)) + little(self._offsets) + little(self._places))
        writer.write(b"\n".join(self._first_keys))

    def _close_block(self) -> None:
        self._blocks += _COUNT.pack(len(self._keys)) + little(self._numbers) + little(self._forms)
        self._blocks += b"\n".join(self._keys)
        self._keys, self._numbers, self._forms = [], array("I"), array("H")


class KeyTable:
    """``length_of(number, form)`` is the length of what a key stands for."""

    def __init__(self, container: Container, name: str, length_of: Callable[[int, int], int]) -> None:
        self._container = container
        self._name = name
        self._length_of = length_of
        data = container.read(f"{name}.blocks")
        count = _COUNT.unpack_from(data)[0] if len(data) >= _COUNT.size else -1
        keys_at = _COUNT.size + 16 * count
        self._first_keys = data[keys_at:].split(b"\n") if count > 0 else []
        if count < 0 or len(self._first_keys) != count:
            raise Damaged(f'Its section "{name}.blocks" does not hold what it says.')
        self._offsets = from_little("Q", data[_COUNT.size : _COUNT.size + 8 * count])
        self._offsets.append(container.length(name))
        self._places = from_little("Q", data[_COUNT.size + 8 * count : keys_at])

    def find(self, key: str) -> Found | None:
        data = key.encode("utf-8", "replace")
        block = bisect_right(self._first_keys, data) - 1
        if block < 0:
            return None
        keys, numbers, forms = self._block(block)
        if data not in keys:
            return None
        at = keys.index(data)
        place = self._places[block] + sum(map(self._length_of, numbers[:at], forms[:at]))
        return Found(numbers[at], forms[at], place)

    def beginning(self, prefix: str) -> Iterator[str]:
        """Keys that begin so, in order."""
        data = prefix.encode("utf-8", "replace")
        for block in range(max(0, bisect_right(self._first_keys, data) - 1), len(self._first_keys)):
            for key in self._block(block)[0]:
                if key.startswith(data):
                    yield key.decode("utf-8", "replace")
                elif key > data:
                    return

    def _block(self, block: int) -> tuple[list[bytes], array[int], array[int]]:
        start = self._offsets[block]
        data = self._container.read(self._name, start, self._offsets[block + 1] - start)
        count = _COUNT.unpack_from(data)[0] if len(data) >= _COUNT.size else 0
        forms_at = _COUNT.size + 4 * count
        keys = data[forms_at + 2 * count :].split(b"\n")
        if len(keys) != count:
            raise Damaged(f'A block of its section "{self._name}" does not hold what it says.')
        numbers = from_little("I", data[_COUNT.size : forms_at])
        return keys, numbers, from_little("H", data[forms_at : forms_at + 2 * count])
