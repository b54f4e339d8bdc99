"""Host paths as text, by POSIX or Windows rules wherever the program runs: absolute, normal, or refused.

No file is looked at. The standard ``ntpath`` is not used: what it takes for absolute changed between
versions.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

Platform = Literal["posix", "nt"]

_SHARE = re.compile(r"\\\\[^\\]+\\+[^\\]+")  # \\server\share, and \\?\C: as a "share" of its own
_DRIVE = re.compile(r"[A-Za-z]:")
_UNTYPABLE = re.compile(r"[\x00-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a caller stands: what relative paths and ``~`` are taken from."""

    platform: Platform
    cwd: str
    home: str


def is_absolute(path: str, platform: Platform) -> bool:
    return _split(path, platform)[0] not in ("", "\\") and not _drive_relative(path, platform)


def absolute(path: str, place: Place) -> str:
    """``path`` from ``place``, ``~`` expanded, in its one normal form: no trailing slash, no dots.

    Raises ``ValueError`` with the end of a sentence for what no folder can be called.
    """
    if _UNTYPABLE.search(path):
        raise ValueError("holds a control character")
    path = expanded(path, place)
    if _drive_relative(path, place.platform):
        raise ValueError(f"has a drive but no root: write {path[:2]}\\{path[2:]}")
    root, parts = _split(path, place.platform)
    if root in ("", "\\"):
        base, below = _split(place.cwd, place.platform)
        if root == "":
            parts = below + parts
        root = base
    return _joined(root, parts, place.platform)


def expanded(path: str, place: Place) -> str:
    """``~`` and ``~/…`` from the home folder. ``~name`` stays: other people's homes are not guessed."""
    separators = "/\\" if place.platform == "nt" else "/"
    if path == "~" or (path[:1] == "~" and path[1] in separators):
        return place.home + path[1:]
    return path


def is_too_wide(path: str, place: Place) -> bool:
    """Whether a normal path is a whole disk or the home folder, which as a wiki would be everything."""
    root, parts = _split(path, place.platform)
    if not parts and not root.startswith("\\\\"):
        return True
    home = absolute(place.home, place) if place.home else ""
    return path.lower() == home.lower() if place.platform == "nt" else path == home


def missing_hint(path: str) -> str:
    """A sentence on why a folder may be missing, where its spelling comes from a shell; or nothing."""
    if re.search(r"\\[ ()'&]", path):
        return "A backslash before a space is how a shell writes it; here write the space alone."
    if re.search(r"\$\w|\$\{|%\w+%|~", path):
        return "Only a shell fills in names like $HOME; here write the whole path."
    if path.endswith(('"', "'")):
        return "Leave out the quotation marks."
    return ""


def _split(path: str, platform: Platform) -> tuple[str, list[str]]:
    """Root (``/``, ``C:\\``, ``\\\\server\\share``, ``\\`` without a drive, or nothing) and parts."""
    if platform == "posix":
        return ("/" if path.startswith("/") else ""), _parts(path, "/")
    path = path.replace("/", "\\")
    share = _SHARE.match(path)
    if share:
        return "\\\\" + "\\".join(filter(None, share[0].split("\\"))), _parts(path[share.end() :], "\\")
    if _DRIVE.match(path):
        return path[0].upper() + ":\\", _parts(path[2:], "\\")
    return ("\\" if path.startswith("\\") else ""), _parts(path, "\\")


def _joined(root: str, parts: list[str], platform: Platform) -> str:
    kept: list[str] = []
    for part in parts:
        if part == "..":
            del kept[-1:]
        else:
            kept.append(part)
    separator: Final = "\\" if platform == "nt" else "/"
    if not kept:
        return root
    return root + ("" if root.endswith(separator) else separator) + separator.join(kept)


def _parts(path: str, separator: str) -> list[str]:
    return [part for part in path.split(separator) if part not in ("", ".")]


def _drive_relative(path: str, platform: Platform) -> bool:
    return platform == "nt" and bool(_DRIVE.match(path)) and path[2:3] not in ("/", "\\")
