"""Why a name is not opened as a page, each reason with its sentence."""

from __future__ import annotations

from typing import Final, NoReturn

from .display import shown_name
from .errors import WikiError
from .limits import PAGE_MAX_BYTES

_SENTENCES: Final = {
    "hidden": "{page} is hidden: a part of its path begins with a dot. Hidden files are never pages.",
    "symlink": "{page} lies behind a symbolic link, and no link is followed. Name the page where it lies.",
    "hardlink": "{page} has more than one name on disk (a hard link) and may belong to something else.",
    "alias": "{page} is not how the page is called here. Use the listed spelling: {listed}.",
    "not-regular": "{page} is not a regular file.",
    "reserved": "{page} is kept for the wiki's own bookkeeping and is no page. Search for what you need.",
    "outside": "{page} is not inside the wiki.",
    "not-markdown": "{page} is no Markdown page: its name does not end in .md.",
    "too-large": f"{{page}} is larger than {PAGE_MAX_BYTES // (1024 * 1024)} MiB, too large for a page.",
    "not-local": "{page} is kept in the cloud. Open it once in Finder or Explorer, then ask again.",
    "unreadable": "{page} is there but cannot be read now.",
}


def refuse(refusal: str, page: str, *, note: str = "", listed: list[str] | None = None) -> NoReturn:
    """Raise ``page-refused`` with payload ``{"refusal", "page"}`` and, for an alias, ``listed``."""
    spellings = ", ".join(f'"{shown_name(name, most=100)}"' for name in (listed or [])[:2])
    sentence = _SENTENCES[refusal].format(page=f'"{shown_name(page, most=150)}"', listed=spellings)
    payload: dict[str, object] = {"refusal": refusal, "page": page}
    if listed is not None:
        payload["listed"] = listed
    raise WikiError("page-refused", f"{sentence} {note}".rstrip(), payload)
