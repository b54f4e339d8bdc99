"""What to say of a page that is not there under its name: how it is really called, or what is near."""

from __future__ import annotations

import difflib
import os
import stat
import unicodedata
from typing import Final, NoReturn

from .context import Vault
from .display import shown_name
from .errors import WikiError
from .listing import RESERVED_NAMES
from .refusals import refuse

_SPELLINGS_MAX: Final = 5
_NEAR_MAX: Final = 5
_NAMES_COMPARED_MAX: Final = 2_000  # likeness is costly; a larger folder is searched, not guessed in

_FORM_NOTE: Final = "The two look alike and differ in how their accents are composed, so copy it."


def same_name(one: str, other: str) -> bool:
    """Whether two names differ at most in case and in Unicode form, which some systems take for the same."""
    return _folded(one) == _folded(other)


def not_found(vault: Vault, path: str) -> NoReturn:
    """Raise ``page-refused`` (``alias``) where the page has another spelling, else ``page-not-found``."""
    listed = _spellings(vault, path)
    if listed:
        looks_alike = any(
            unicodedata.normalize("NFC", path) == unicodedata.normalize("NFC", name) for name in listed
        )
        refuse("alias", path, listed=listed, note=_FORM_NOTE if looks_alike else "")
    near = _nearby(vault, path)
    folder = path.rpartition("/")[0]
    if near:
        names = ", ".join(f'"{shown_name(name, most=80)}"' for name in near[:3])
        note = f"Near it: {names}."
    else:
        note = "Nothing there is called alike. Use wiki_search to find the page."
    message = f'There is no page "{shown_name(path, most=150)}". {note}'
    raise WikiError("page-not-found", message, {"page": path, "folder": folder, "near": near})


def _spellings(vault: Vault, path: str) -> list[str]:
    """Every listed path that is ``path`` but for case and Unicode form, part by part, through no link."""
    found = [""]
    for part in path.split("/"):
        wanted = _folded(part)
        found = [
            f"{folder}/{name}" if folder else name
            for folder in found
            for name in _names(vault, folder)
            if _folded(name) == wanted
        ][:_SPELLINGS_MAX]
    return [spelling for spelling in found if spelling != path]


def _nearby(vault: Vault, path: str) -> list[str]:
    """Pages of the same folder whose names are most alike, best first, as vault-relative paths."""
    folder, _, name = path.rpartition("/")
    names = [
        other
        for other in _names(vault, folder)
        if other.lower().endswith(".md") and not other.startswith(".") and other.lower() not in RESERVED_NAMES
    ]
    stem = _folded(name).removesuffix(".md")
    by_fold = {_folded(other).removesuffix(".md"): other for other in names}
    holding = sorted(fold for fold in by_fold if stem in fold or fold in stem)
    alike = difflib.get_close_matches(stem, list(by_fold)[:_NAMES_COMPARED_MAX], n=_NEAR_MAX, cutoff=0.6)
    best = list(dict.fromkeys(alike + holding))[:_NEAR_MAX]
    return [f"{folder}/{by_fold[fold]}" if folder else by_fold[fold] for fold in best]


def _names(vault: Vault, folder: str) -> list[str]:
    """The names in a folder; none when it is missing, unreadable, or reached through a link."""
    here = vault.root
    try:
        for part in folder.split("/") if folder else ():
            here = f"{here}/{part}"
            if not stat.S_ISDIR(os.lstat(here).st_mode):
                return []
        return sorted(name for name in os.listdir(here) if _whole(name))
    except (OSError, ValueError):
        return []


def _whole(name: str) -> bool:
    """False for a name that is not UTF-8, which no path text can name."""
    return not any("\ud800" <= character <= "\udfff" for character in name)


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold())
