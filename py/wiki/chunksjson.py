"""``chunks.json``, version 1: the semantic index as the Python package shares it. Read part by part, kept in
memory.

The file holds vectors as decimal text and easily reaches hundreds of megabytes, so it is never held whole.
What is no JSON, or no version 1, is not used at all; a chunk that can never count (``unfit``) takes nothing
from its neighbours.
"""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Callable, Iterator, Sequence
from math import fsum, isfinite
from operator import mul
from typing import Any, Final

from .chunks import ALGORITHM, CHUNKS_FILE, DIMENSION_MAX, SETTINGS_MIN_CHARS, Identity, unit_vector
from .context import Vault
from .heldfile import HeldFile, look_at
from .heldfile import Identity as HeldIdentity
from .index import Damaged
from .limits import JSON_MAX_DEPTH
from .piecewise import STRING, PiecewiseText

VERSION: Final = 1
POSITION_MAX: Final = (1 << 32) - 1
_HASH: Final = re.compile(r"[0-9a-f]{64}")
_STRING: Final = re.compile(STRING)
_SCALAR: Final = re.compile(r"[A-Za-z0-9.+-]++")
_NUMBERS: Final = re.compile(r"[^\[\]{}\"]*+(?=\])")


class ChunksFile:
    """The chunks of one file that could count, with their vectors."""

    def __init__(self) -> None:
        self.file = CHUNKS_FILE
        self.paths: list[str] = []
        self.first = array("I", [0])
        self.starts = array("I")
        self.ends = array("I")
        self.unfit = 0
        self._facts: list[tuple[Identity, tuple[int, int], str]] = []  # of each page, with its content hash
        self._source_hashes: list[str] = []
        self._vectors: list[array[float]] = []

    def add(self, path: str, entry: Any) -> None:
        """Take a page as the file has it. What is not of the form is counted and left out."""
        chunks = entry.get("chunks") if isinstance(entry, dict) else None
        if not isinstance(chunks, list):
            self.unfit += 1
            return
        facts = _facts(entry)
        for chunk in chunks:
            vector = _fit(chunk, facts[1][0]) if facts else None
            if vector is None:
                self.unfit += 1
                continue
            self.starts.append(chunk["start"])
            self.ends.append(chunk["end"])
            self._source_hashes.append(chunk["sourceHash"])
            self._vectors.append(vector)
        if facts and len(self.starts) > self.first[-1]:
            self.paths.append(path)
            self.first.append(len(self.starts))
            self._facts.append(facts)

    def identity(self, page: int) -> Identity:
        return self._facts[page][0]

    def settings(self, page: int) -> tuple[int, int]:
        return self._facts[page][1]

    def content_hash(self, page: int) -> str:
        return self._facts[page][2]

    def source_hash(self, row: int) -> str:
        return self._source_hashes[row]

    def dimension(self, row: int) -> int:
        return len(self._vectors[row])

    def vector(self, row: int) -> array[float]:
        return self._vectors[row]

    def bounds(self, query: Sequence[float]) -> tuple[list[float], list[float]]:
        exact = [fsum(map(mul, query, v)) if len(v) == len(query) else -2.0 for v in self._vectors]
        return exact, exact

    def close(self) -> None:
        """Nothing is held open."""


_kept: tuple[str, HeldIdentity, ChunksFile] | None = None


def forget() -> None:
    """Drop what is kept, as a new process would."""
    global _kept
    _kept = None


def open_chunks(vault: Vault, pause: Callable[[], None]) -> ChunksFile | None:
    """The vault's ``chunks.json``; ``None`` when there is none. Kept until the file changes: reading takes
    seconds.

    Raises ``Damaged``; ``pause`` is called now and then while reading, and may raise to give up.
    """
    global _kept
    identity = look_at(vault, CHUNKS_FILE)
    if identity is None:
        return None
    if _kept is None or _kept[:2] != (vault.root, identity):
        _kept = None  # room for the new one
        file = HeldFile(vault, CHUNKS_FILE, identity)
        try:
            _kept = (vault.root, identity, _read(PiecewiseText(file, pause)))
        finally:
            file.let_go()
    return _kept[2]


def _read(text: PiecewiseText) -> ChunksFile:
    store = ChunksFile()
    version: Any = None
    seen: set[str] = set()
    for key in _members(text):
        if key in seen:
            raise Damaged("It is malformed: a key stands in it twice.")
        seen.add(key)
        if key == "pages":
            for path in _members(text):
                store.add(path, _value(text, 2))
        else:
            value = _value(text, 1)
            version = value if key == "version" else version
    if text.peek():
        raise Damaged("It is malformed: something follows its end.")
    if type(version) is not int or version != VERSION or "pages" not in seen:
        raise Damaged("It is not of version 1.")
    return store


def _members(text: PiecewiseText) -> Iterator[str]:
    """The keys of the object that comes next, each to be followed by a value read by the caller."""
    text.expect("{", "where an object begins")
    if text.skip("}"):
        return
    while True:
        key = _parsed(text.take(_STRING, "a key"))
        text.expect(":", "after a key")
        yield key
        if text.skip("}"):
            return
        text.expect(",", "after a value")


def _value(text: PiecewiseText, depth: int) -> Any:
    """The value that comes next, whatever it is. A list of numbers is taken at once, everything else part by
    part.
    """
    if depth > JSON_MAX_DEPTH:
        raise Damaged("It is nested too deep.")
    opening = text.peek()
    if opening == "{":
        return {key: _value(text, depth + 1) for key in _members(text)}
    if opening == '"':
        return _parsed(text.take(_STRING, "a text"))
    if opening != "[":
        return _parsed(text.take(_SCALAR, "a value"))
    text.expect("[", "where a list begins")
    if text.peek() not in ("{", "[", '"'):
        numbers = _parsed(f"[{text.take(_NUMBERS, 'a list')}]")
        text.expect("]", "where a list ends")
        return numbers
    items = [_value(text, depth + 1)]
    while text.skip(","):
        items.append(_value(text, depth + 1))
    text.expect("]", "where a list ends")
    return items


def _facts(entry: dict[str, Any]) -> tuple[Identity, tuple[int, int], str] | None:
    """What holds for all chunks of a page; ``None`` when it is not of the form."""
    model, digest, settings = entry.get("model"), entry.get("modelDigest"), entry.get("settings")
    if not (
        isinstance(model, str) and model and isinstance(digest, str) and digest and isinstance(settings, dict)
    ):
        return None
    most, target = settings.get("maxChars"), settings.get("targetChars")
    if settings.get("algorithm") != ALGORITHM or type(most) is not int or type(target) is not int:
        return None
    if most < SETTINGS_MIN_CHARS or not 1 <= target <= most or not _is_hash(entry.get("contentHash")):
        return None
    return Identity(model, digest), (most, target), entry["contentHash"]


def _fit(chunk: Any, max_chars: int) -> array[float] | None:
    """The vector of a chunk that could count; ``None`` when it never can."""
    if (
        not isinstance(chunk, dict)
        or not isinstance(chunk.get("text"), str)
        or not _is_hash(chunk.get("sourceHash"))
    ):
        return None
    start, end, vector = chunk.get("start"), chunk.get("end"), chunk.get("vector")
    if (
        type(start) is not int
        or type(end) is not int
        or not 0 <= start < end <= min(start + max_chars, POSITION_MAX)
    ):
        return None
    if (
        not isinstance(vector, list)
        or not 0 < len(vector) <= DIMENSION_MAX
        or not {*map(type, vector)} <= {int, float}
    ):
        return None
    try:
        return unit_vector(vector) if all(map(isfinite, vector)) else None
    except OverflowError:  # a whole number no float can hold
        return None


def _is_hash(value: Any) -> bool:
    return isinstance(value, str) and _HASH.fullmatch(value) is not None


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        raise Damaged("It is malformed: something in it is not JSON.") from None
