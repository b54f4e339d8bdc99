"""The few files that are no pages, settings and derived state: read whole, bounded, through no link."""

from __future__ import annotations

import os
import stat

from .context import Vault
from .limits import EOF_READ
from .scan import is_link, is_local


def read_side_file(vault: Vault, path: str, max_bytes: int) -> bytes | None:
    """The bytes of ``path`` (vault-relative, ours); ``None`` when there is none.

    Raises ``ValueError`` with a sentence for a file that is not read, ``OSError`` for one that cannot be
    read.
    """
    here = vault.root
    for part in path.split("/"):
        here = f"{here}/{part}"
        try:
            status = os.lstat(here)
        except (FileNotFoundError, NotADirectoryError):
            return None
        if is_link(status):
            raise ValueError("It lies behind a symbolic link, and links are not followed.")
    if not stat.S_ISREG(status.st_mode) or not is_local(status):
        raise ValueError("It is not a regular file on this computer.")
    if status.st_size > max_bytes:
        raise ValueError(f"It is larger than {max_bytes:,} bytes.")
    handle = os.open(here, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0))
    try:
        pieces = []
        left = max_bytes + 1
        while left > 0 and (piece := os.read(handle, min(EOF_READ, left))):
            pieces.append(piece)
            left -= len(piece)
    finally:
        os.close(handle)
    if left <= 0:
        raise ValueError(f"It is larger than {max_bytes:,} bytes.")
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)
