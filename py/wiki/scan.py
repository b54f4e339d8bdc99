"""The native walk over the wiki folder, which makes the listing that the host makes for the sandbox."""

from __future__ import annotations

import os
import stat
from typing import Final

from .context import Vault
from .limits import FOLDER_MAX_DEPTH
from .listing import PATH_MAX_BYTES

# Windows says so in the attributes: OFFLINE, RECALL_ON_OPEN, RECALL_ON_DATA_ACCESS.
_RECALL: Final = 0x1000 | 0x40000 | 0x400000

_LINK_TAGS: Final = (0xA0000003, 0xA000000C)  # Windows: junction, symbolic link


def is_link(status: os.stat_result) -> bool:
    return stat.S_ISLNK(status.st_mode) or getattr(status, "st_reparse_tag", 0) in _LINK_TAGS


def is_local(status: os.stat_result) -> bool:
    """Whether a file's content is here: a size without blocks is how a cloud placeholder looks."""
    if getattr(status, "st_file_attributes", 0) & _RECALL:
        return False
    return status.st_size == 0 or getattr(status, "st_blocks", 1) != 0


def scan(vault: Vault) -> bytes:
    """The listing of the wiki folder (``listing.py``). One bad entry never hides its neighbours."""
    records: list[bytes] = []
    # A stack of what is left to do, so that no depth of folders is too deep for Python's own stack: a folder
    # to list, or a record already made that waits for its turn in the order.
    todo: list[str | bytes] = [_top(vault)]
    while todo:
        next_up = todo.pop()
        if isinstance(next_up, bytes):
            records.append(next_up)
        else:
            todo.extend(reversed(_folder(vault.root, next_up)))
    return b"".join(records)


def _top(vault: Vault) -> str | bytes:
    """The wiki folder, or the record that says it is a link."""
    if vault.wiki == ".":
        return ""
    parts = vault.wiki.split("/")
    for depth in range(1, len(parts) + 1):
        try:
            if is_link(os.lstat("/".join([vault.root, *parts[:depth]]))):
                return _record("l", vault.wiki)
        except OSError:
            break  # listing it says why
    return vault.wiki


def _folder(root: str, folder: str) -> list[str | bytes]:
    """The records of a folder's own entries, with each subfolder as its path, in order."""
    try:
        with os.scandir(f"{root}/{folder}" if folder else root) as found:
            entries = sorted(((os.fsencode(entry.name), entry) for entry in found), key=lambda pair: pair[0])
    except FileNotFoundError:
        return [_record("v", folder)]
    except OSError:
        return [_record("d", folder)]
    return [item for name, entry in entries if (item := _entry(folder, name, entry)) is not None]


def _entry(folder: str, name: bytes, entry: os.DirEntry[str]) -> str | bytes | None:
    prefix = f"{folder}/" if folder else ""
    try:
        path = prefix + name.decode("utf-8")
    except UnicodeDecodeError:
        return _record("n", prefix + name.decode("utf-8", "replace"))
    if name.startswith(b"."):
        return _record("h", path)
    fits = len(path.encode("utf-8")) <= PATH_MAX_BYTES
    try:
        if entry.is_symlink():
            return _record("l" if fits else "t", path)
        if entry.is_dir(follow_symlinks=False):
            if not fits or path.count("/") >= FOLDER_MAX_DEPTH:
                return _record("t", path)
            # What Windows calls a junction looks like a folder at first.
            return _record("l", path) if is_link(entry.stat(follow_symlinks=False)) else path
        if not name.lower().endswith(b".md"):
            return None
        if not fits:
            return _record("t", path)
        status = os.lstat(entry.path)  # scandir's own answer has no link count on Windows
    except FileNotFoundError:
        return _record("v", path)
    except OSError:
        return _record("d", path)
    if not stat.S_ISREG(status.st_mode):
        return _record("l" if is_link(status) else "o", path)  # it became a link just now
    local = 1 if is_local(status) else 0
    return f"f {status.st_size} {status.st_mtime_ns} {status.st_nlink} {local} {path}\0".encode()


def _record(kind: str, path: str) -> bytes:
    return f"{kind} 0 0 0 0 {path}\0".encode()
