"""Publishing index files into a vault, for the ``index`` command only: all at once, through no link."""

from __future__ import annotations

import errno
import os
import re
import stat
from typing import Final

from .context import Vault
from .errors import WikiError
from .scan import is_link

FOLDER: Final = ".vault-meta/retrieval"
_NAME = re.compile(r"[a-z0-9][a-z0-9.-]{0,60}")


class Publication:
    """Files that are written beside their final names and put in place together, or not at all."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._folder: str | None = None
        self._files: dict[str, int] = {}  # name -> handle of the file that is being written

    def append(self, name: str, data: bytes) -> None:
        name = name.removeprefix(f"{FOLDER}/")
        if not _NAME.fullmatch(name):
            raise ValueError(f"not a name for an index file: {name!r}")
        if self._folder is None:
            self._folder = self._made_folder()
        if name not in self._files:
            flags = (
                os.O_WRONLY
                | os.O_CREAT
                | os.O_EXCL
                | getattr(os, "O_NOFOLLOW", 0)
                | getattr(os, "O_BINARY", 0)
            )
            self._files[name] = os.open(self._part(name), flags, 0o644)
        view = memoryview(data)
        while view:
            view = view[os.write(self._files[name], view) :]

    def finish(self) -> list[str]:
        """Put every file in its place; their vault-relative paths."""
        for name, handle in self._files.items():
            self._refuse_link(f"{self._folder}/{name}")
            os.fsync(handle)
        published = []
        while self._files:
            name, handle = self._files.popitem()
            os.close(handle)
            try:
                os.replace(self._part(name), f"{self._folder}/{name}")
            except OSError:
                os.unlink(self._part(name))
                raise
            published.append(f"{FOLDER}/{name}")
        return sorted(published)

    def discard(self) -> None:
        """Leave nothing half-written."""
        for name, handle in self._files.items():
            os.close(handle)
            os.unlink(self._part(name))
        self._files = {}

    def _part(self, name: str) -> str:
        return f"{self._folder}/.{name}.{os.getpid()}.part"

    def _made_folder(self) -> str:
        here = self._vault.root
        for part in FOLDER.split("/"):
            here = f"{here}/{part}"
            try:
                os.mkdir(here)
            except FileExistsError:
                pass
            self._refuse_link(here)
            if not os.path.isdir(here):
                raise OSError(errno.ENOTDIR, f"{FOLDER} is not a folder")
        return here

    def _refuse_link(self, path: str) -> None:
        try:
            status = os.lstat(path)
        except FileNotFoundError:
            return
        if is_link(status) or not (stat.S_ISDIR(status.st_mode) or stat.S_ISREG(status.st_mode)):
            relative = path.removeprefix(f"{self._vault.root}/")
            raise WikiError(
                "invalid-input",
                f'"{relative}" is a link or no file, and nothing is written through it. Remove it.',
            )
