"""The cursor of a read: an opaque text that keeps what was selected, of which version, in which view, and how
far it came.

It is not secret and gives no rights, so it is not signed. The check only tells a cursor that was copied badly
or made up from one that this program gave.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from dataclasses import dataclass
from typing import Any, Final

from . import jsontext
from .errors import WikiError

MAX_CHARS: Final = 40_000  # the longest path, each of its bytes escaped
_VERSION: Final = 1
_CHECK_CHARS: Final = 12


@dataclass(frozen=True, slots=True)
class Cursor:
    """Where a read goes on. ``section`` is the selector that was read, if it was one."""

    page: str
    hash: str
    view: str
    section: str | None
    start: int
    end: int
    position: int  # inside ``[start, end)``


def encode(cursor: Cursor) -> str:
    """The same cursor gives the same text."""
    span = [cursor.start, cursor.end, cursor.position]
    body = jsontext.dumps([_VERSION, cursor.page, cursor.hash, cursor.view, cursor.section, *span])
    return base64.urlsafe_b64encode(f"{_check(body)}{body}".encode()).decode().rstrip("=")


def decode(text: str) -> Cursor:
    """The cursor that ``encode`` made into this text. Raises ``cursor-invalid`` for any other text."""
    try:
        padded = text.encode("ascii") + b"=" * (-len(text) % 4)
        data = base64.b64decode(padded, altchars=b"-_", validate=True).decode()
        check, body = data[:_CHECK_CHARS], data[_CHECK_CHARS:]
        if check != _check(body):
            raise ValueError
        value = jsontext.loads(body, max_bytes=MAX_CHARS)
        cursor = Cursor(*value[1:])
    except (ValueError, TypeError, binascii.Error):
        raise invalid("It is not one that a read gave, or not all of it") from None
    if value[0] != _VERSION or not _possible(cursor) or encode(cursor) != text:
        raise invalid("It is not one that a read gave")
    return cursor


def invalid(reason: str) -> WikiError:
    return WikiError(
        "cursor-invalid",
        f"The cursor cannot be used. {reason}. Pass the last answer's cursor unchanged, or begin anew.",
    )


def _check(body: str) -> str:
    return hashlib.sha256(body.encode()).hexdigest()[:_CHECK_CHARS]


def _possible(cursor: Cursor) -> bool:
    texts: tuple[Any, ...] = (cursor.page, cursor.hash, cursor.view)
    numbers: tuple[Any, ...] = (cursor.start, cursor.end, cursor.position)
    return (
        all(isinstance(text, str) for text in texts)
        and (cursor.section is None or isinstance(cursor.section, str))
        and all(isinstance(number, int) and not isinstance(number, bool) for number in numbers)
        and 0 <= cursor.start <= cursor.position < cursor.end
    )
