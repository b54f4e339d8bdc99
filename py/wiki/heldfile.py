"""A file beside the pages that is read in pieces over several requests, reached through no link."""

from __future__ import annotations

import os
import stat
from typing import NamedTuple

from .context import Vault
from .index import Damaged
from .scan import is_link, is_local


class Identity(NamedTuple):
    """What tells one state of a file from another."""

    inode: int
    size: int
    mtime_ns: int


def look_at(vault: Vault, path: str) -> Identity | None:
    """What ``path`` (vault-relative, ours) is now; ``None`` when there is nothing. Raises ``Damaged`` for what is
    there and is not to be opened."""
    here = vault.root
    try:
        for part in path.split("/"):
            here = f"{here}/{part}"
            status = os.lstat(here)
            if is_link(status):
                raise Damaged("It lies behind a symbolic link, and links are not followed.")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise Damaged(_says(error)) from None
    if not stat.S_ISREG(status.st_mode) or not is_local(status):
        raise Damaged("It is not a regular file on this computer.")
    return _identity(status)


class HeldFile:
    """Reads from any place of the file that was there when this was made, and from no later one.

    The sandbox closes what a request has open. So the file is opened when it is read, once a request, and
    ``let_go`` is called before the next.
    """

    def __init__(self, vault: Vault, path: str, identity: Identity) -> None:
        self.identity = identity
        self._vault = vault
        self._path = path
        self._handle = -1

    @property
    def size(self) -> int:
        return self.identity.size

    def read(self, start: int, length: int) -> bytes:
        """Exactly ``length`` bytes. Raises ``Damaged`` with a sentence."""
        pieces = []
        try:
            if self._handle < 0:
                self._open()
            os.lseek(self._handle, start, os.SEEK_SET)
            while length > 0 and (piece := os.read(self._handle, length)):
                pieces.append(piece)
                length -= len(piece)
        except OSError as error:
            raise Damaged(_says(error)) from None
        if length:
            raise Damaged("It became shorter while it was read.")
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def let_go(self) -> None:
        """Close the file; reading opens it again."""
        handle, self._handle = self._handle, -1
        if handle >= 0:
            try:
                os.close(handle)
            except OSError:
                pass  # the sandbox has already closed it

    def __del__(self) -> None:
        self.let_go()  # whoever finds a file damaged drops it, from wherever that was found

    def _open(self) -> None:
        if look_at(self._vault, self._path) != self.identity:
            raise Damaged("It was replaced while it was read. Ask again.")
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
        self._handle = os.open(f"{self._vault.root}/{self._path}", flags)
        if _identity(os.fstat(self._handle)) != self.identity:
            self.let_go()
            raise Damaged("It was replaced while it was read. Ask again.")


def _identity(status: os.stat_result) -> Identity:
    return Identity(status.st_ino, status.st_size, status.st_mtime_ns)


def _says(error: OSError) -> str:
    return f"It cannot be read: {(error.strerror or 'unknown error').lower()}."
