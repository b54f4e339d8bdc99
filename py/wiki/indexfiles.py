"""The index files of a vault as they are now: opened once, looked at with every call, and left out with a reason."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable, Final

from . import bm25file, packedfile, tokens
from .bm25file import read_version1
from .context import Vault
from .heldfile import Identity, look_at
from .index import PLAIN, Damaged
from .listing import Listing
from .overlay import LiveIndex
from .packedfile import PackedFile

RUN: Final = "Run `pi-wiki index`"


class OutOfTime(Exception):
    """A file could not be read in the time there was."""


@dataclass(slots=True)
class _Opened:
    """One file as it was found: opened, or not usable and why. Neither when there is none."""

    identity: Identity | None = None
    index: Any = None
    trouble: str | None = None


@dataclass(slots=True)
class IndexFiles:
    """The files of one vault. A file that was replaced is opened anew; one that is damaged stays out until then."""

    vault: Vault
    _packed: _Opened = field(default_factory=_Opened)
    _version1: _Opened = field(default_factory=_Opened)
    _judged: tuple[bytes, bool] | None = None  # a listing, and whether version 1 holds for it

    @property
    def trouble(self) -> str | None:
        """Why a file that is there is not used."""
        return self._packed.trouble or self._version1.trouble

    @property
    def exists(self) -> bool:
        """Whether there is any index file, usable or not, among those looked at."""
        return any(opened.identity or opened.trouble for opened in (self._packed, self._version1))

    def let_go(self) -> None:
        if self._packed.index is not None:
            self._packed.index.file.let_go()

    def packed(self) -> PackedFile | None:
        opened = self._packed
        self.let_go()  # the sandbox has closed what the last request had open
        if not self._is_known(packedfile.PATH, opened):
            try:
                packed = PackedFile(self.vault, opened.identity)
                if packed.tokenizer != tokens.TOKENIZER:
                    raise Damaged("It was made by another version.")
                opened.index = packed
            except Damaged as damage:
                opened.trouble = f"index.bin is not used. {damage} {RUN} to make it anew."
        return opened.index

    def distrust(self, damage: Damaged) -> bool:
        """The packed file turned out damaged while it was read; false when it is not in use."""
        if self._packed.index is None:
            return False
        self.let_go()
        self._packed.index = None
        self._packed.trouble = f"index.bin is not used. {damage} {RUN} to make it anew."
        return True

    def version1(self, has_time: Callable[[], bool]) -> LiveIndex | None:
        """The version-1 file, read whole. Raises ``OutOfTime``."""
        opened = self._version1
        if self._is_known(bm25file.PATH, opened):
            return opened.index
        self._judged = None

        def pause() -> None:
            if not has_time():
                raise OutOfTime

        try:
            index = read_version1(self.vault, opened.identity, pause)
            if index.tokenizer not in (PLAIN, tokens.TOKENIZER):
                raise Damaged("It was made by another version.")
            opened.index = index
        except Damaged as damage:
            opened.trouble = f"bm25.json is not used. {damage} {RUN} to make an index file."
        except OutOfTime:
            opened.identity = None
            raise
        return opened.index

    def version1_holds(self, raw: bytes) -> bool:
        """Whether version 1 has just the pages that are listed, none of them changed after the file was written."""
        if self._judged is None or self._judged[0] != raw:
            entries = Listing.parse(raw).entries
            newest = self._version1.identity.mtime_ns
            same = {entry.path for entry in entries} == set(self._version1.index.paths())
            self._judged = (raw, same and all(entry.mtime_ns <= newest for entry in entries))
        return self._judged[1]

    def _is_known(self, path: str, opened: _Opened) -> bool:
        """Whether ``opened`` says what there is now. Where not, it is emptied, with the identity of what there is."""
        try:
            identity, trouble = look_at(self.vault, path), None
        except Damaged as damage:
            identity, trouble = None, f"{path.rpartition('/')[2]} is not used. {damage}"
        if identity is not None and identity == opened.identity:
            return True
        opened.identity, opened.index, opened.trouble = identity, None, trouble
        return identity is None
