"""Opening a page safely: nothing but a regular file under the wiki folder, by its own name."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import sys
from typing import Final

from .aliases import not_found, same_name
from .context import Vault
from .display import shown_name
from .errors import WikiError
from .limits import EOF_READ, PAGE_MAX_BYTES
from .listing import PATH_MAX_BYTES, RESERVED_NAMES, Entry, Listing
from .refusals import refuse
from .scan import is_link, is_local, scan

__all__ = ["Entry", "Listing", "Page", "Unreadable", "open_page", "read_entry", "scan"]

_FLAGS: Final = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)  # opening a pipe must not wait for a writer
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)
# Where the system takes one name for another, only the folder's list tells how a page is really called.
_NAMES_FOLD: Final = sys.platform in ("darwin", "win32")

_CHANGING: Final = "It changes while it is read: ask again in a moment."


class Unreadable(Exception):
    """A file that cannot be read now; ``reason`` is a word of the contract's refusals, or ``vanished``."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.detail = detail  # a sentence more, or nothing


class Page:
    """One page as it was at one moment: text and hash come from the same bytes, made when asked for."""

    __slots__ = ("path", "data", "size", "mtime_ns", "_text", "_hash")

    def __init__(self, path: str, data: bytes, mtime_ns: int) -> None:
        self.path = path
        self.data = data
        self.size = len(data)
        self.mtime_ns = mtime_ns
        self._text: str | None = None
        self._hash: str | None = None

    @property
    def text(self) -> str:
        """UTF-8 with U+FFFD for what is not; a byte order mark stays, line ends stay."""
        if self._text is None:
            self._text = self.data.decode("utf-8", "replace")
        return self._text

    @property
    def hash(self) -> str:
        """Lower-case hex SHA-256 of the bytes."""
        if self._hash is None:
            self._hash = hashlib.sha256(self.data).hexdigest()
        return self._hash


def open_page(vault: Vault, path: str) -> Page:
    """The page named ``path``, as a user or an agent wrote it.

    Raises ``WikiError``: ``invalid-input`` for what is no path, ``page-not-found`` (with what is near), or
    ``page-refused`` with payload ``{"refusal", "page"}`` and, for ``alias``, ``listed``: how it is really
    called.
    """
    check_path(vault, path)
    trouble = Unreadable("unreadable")
    for _ in range(2):  # once more when it changes under our eyes: editors replace files all the time
        looked = _look(vault, path)
        try:
            return _read(f"{vault.root}/{path}", path, looked)
        except Unreadable as unreadable:
            trouble = unreadable
    if trouble.reason == "vanished":
        not_found(vault, path)
    refuse(trouble.reason, path, note=trouble.detail)


def read_entry(vault: Vault, entry: Entry) -> Page:
    """A page that the listing gave, for search: no second look at its folders. Raises ``Unreadable``."""
    return _read(f"{vault.root}/{entry.path}", entry.path, None)


def check_path(vault: Vault, path: str) -> None:
    """Refuse a path by its text alone, before anything is looked at."""
    if not path or "\0" in path or not encodes(path) or len(path.encode("utf-8")) > PATH_MAX_BYTES:
        raise WikiError(
            "invalid-input", 'Name a page by its vault-relative path, as in "wiki/topic/coffee.md".'
        )
    parts = path.split("/")
    if path.startswith("/") or ".." in parts:
        refuse("outside", path, note=_relative_note(vault, path))
    plain = [part for part in parts if part not in ("", ".")]
    if plain != parts:
        refuse("alias", path, listed=["/".join(plain)])
    folder = [] if vault.wiki == "." else vault.wiki.split("/")
    if parts[: len(folder)] != folder:
        if same_name("/".join(parts[: len(folder)]), vault.wiki):
            refuse("alias", path, listed=["/".join(folder + parts[len(folder) :])])
        refuse("outside", path, note=f'Pages lie under "{shown_name(vault.wiki, most=100)}/".')
    if any(part.startswith(".") for part in parts):
        refuse("hidden", path)
    if not path.lower().endswith(".md"):
        refuse("not-markdown", path)
    if parts[-1].lower() in RESERVED_NAMES:
        refuse("reserved", path)


def _relative_note(vault: Vault, path: str) -> str:
    """How to name a page instead: an absolute path into the vault has a plain name."""
    inside = path.removeprefix(vault.shown.replace("\\", "/").rstrip("/") + "/")
    if vault.shown and inside != path and ".." not in inside.split("/"):
        return f'Name it "{shown_name(inside, most=100)}".'
    return 'Name a page relative to the vault, without a leading slash and without "..".'


def _look(vault: Vault, path: str) -> os.stat_result:
    """Walk to the page part by part without following anything; its own status at the end."""
    parts = path.split("/")
    here = vault.root
    for depth, part in enumerate(parts, start=1):
        try:
            if _NAMES_FOLD and part not in os.listdir(here):
                not_found(vault, path)
            here = f"{here}/{part}"
            status = os.lstat(here)
        except OSError as error:
            if _reason(error) == "vanished":
                not_found(vault, path)
            refuse("unreadable", path, note=_says(error))
        if is_link(status):
            refuse("symlink", path)
        if depth < len(parts) and not stat.S_ISDIR(status.st_mode):
            refuse("not-regular", path, note=f'"{shown_name(part, most=100)}" is not a folder.')
    reason = _unfit(status)
    if reason:
        refuse(reason, path)
    return status


def _unfit(status: os.stat_result) -> str | None:
    """Why a file of this status is not read; the same rules, in the same order, for every way to a page."""
    if not stat.S_ISREG(status.st_mode):
        return "not-regular"
    if status.st_nlink > 1:
        return "hardlink"
    if status.st_size > PAGE_MAX_BYTES:
        return "too-large"
    return None if is_local(status) else "not-local"


def _read(file: str, path: str, looked: os.stat_result | None) -> Page:
    try:
        handle = os.open(file, _FLAGS)
    except OSError as error:
        raise Unreadable(_reason(error), _says(error)) from None
    try:
        before = os.fstat(handle)
        reason = _unfit(before)
        if reason:
            raise Unreadable(reason)
        if looked is not None and not _same(looked, before):
            raise Unreadable("unreadable", _CHANGING)
        pieces = []
        left = before.st_size + 1  # one more tells whether it grew; much more costs time on every page
        while left > 0 and (piece := os.read(handle, min(EOF_READ, left))):
            pieces.append(piece)
            left -= len(piece)
        after = os.fstat(handle)
    except OSError as error:
        raise Unreadable(_reason(error), _says(error)) from None
    finally:
        os.close(handle)
    data = pieces[0] if len(pieces) == 1 else b"".join(pieces)
    stayed = before.st_size == after.st_size == len(data) and before.st_mtime_ns == after.st_mtime_ns
    if not stayed:
        raise Unreadable("unreadable", _CHANGING)  # written to while it was read: half old, half new
    return Page(path, data, after.st_mtime_ns)


def _same(one: os.stat_result, other: os.stat_result) -> bool:
    """Device numbers are compared by their low 32 bits, all that some systems give back through a handle."""
    return (
        one.st_ino == other.st_ino
        and one.st_dev & 0xFFFFFFFF == other.st_dev & 0xFFFFFFFF
        and stat.S_IFMT(one.st_mode) == stat.S_IFMT(other.st_mode)
        and one.st_size == other.st_size
        and one.st_nlink == other.st_nlink
    )


def _reason(error: OSError) -> str:
    if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ESTALE):
        return "vanished"
    return "symlink" if error.errno in (errno.ELOOP, errno.EMLINK) else "unreadable"


def _says(error: OSError) -> str:
    return f"The system says: {(error.strerror or 'unknown error').lower()}."


def encodes(path: str) -> bool:
    """False for a text with half a surrogate pair, which names no file."""
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
