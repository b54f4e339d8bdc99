"""JSON text that nobody vouches for, read within bounds, and JSON text that always fits a UTF-8 stream."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from .limits import JSON_MAX_DEPTH

_OTHER: Final = bytes(sorted(set(range(256)) - set(b'[]{}"')))
_SQUARE: Final = bytes.maketrans(b"{}", b"[]")
_MARK: Final = b"\xef\xbb\xbf"  # a byte order mark, which Windows editors put before JSON too
_SURROGATE = re.compile("[\ud800-\udfff]")


def loads(text: str | bytes, *, max_bytes: int, max_depth: int = JSON_MAX_DEPTH) -> Any:
    """The value of a JSON text of at most ``max_bytes`` of UTF-8, nested at most ``max_depth`` levels.

    Size and depth are checked before parsing, because deep nesting ends the interpreter of the sandbox
    instead of raising. Numbers that JSON does not know (``NaN``) are refused. Raises ``ValueError`` with a
    sentence.
    """
    if len(text) > max_bytes:  # code points never outnumber bytes
        raise ValueError(f"The JSON text is larger than {max_bytes:,} bytes.")
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    if len(data) > max_bytes:
        raise ValueError(f"The JSON text is larger than {max_bytes:,} bytes.")
    if _deeper_than(data, max_depth):
        raise ValueError(f"The JSON text is nested deeper than {max_depth} levels or never closed.")
    try:
        whole = (
            text.removeprefix("\ufeff") if isinstance(text, str) else data.removeprefix(_MARK).decode("utf-8")
        )
        return json.loads(whole, parse_constant=_refuse)
    except UnicodeDecodeError:
        raise ValueError("The JSON text is not UTF-8.") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"Not JSON: {error.msg} (line {error.lineno}, column {error.colno}).") from None


def dumps(value: Any) -> str:
    """``value`` as compact JSON text. Half characters become U+FFFD, so that it always encodes to UTF-8."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text)
    return text


def _refuse(constant: str) -> Any:
    raise ValueError(f"Not JSON: {constant} is not a JSON number.")


def _deeper_than(data: bytes, most: int) -> bool:
    """Whether any prefix of ``data`` opens more than ``most`` brackets outside strings.

    Only brackets and quotes are kept, then what stands between quotes is dropped, then the innermost pairs
    are taken away level by level: a few passes at the speed of ``memchr``, where a scan in Python would take
    longer than parsing a large index.
    """
    if data.count(b"[") + data.count(b"{") <= most:
        return False
    if b"\\" in data:  # left to right, as escapes pair up
        data = data.replace(b"\\\\", b"").replace(b'\\"', b"")
    brackets = data.translate(_SQUARE, _OTHER)
    outside = brackets.replace(b'""', b"")
    if b'"' in outside:  # some string holds a bracket
        outside = b"".join(brackets.split(b'"')[::2])
    for level in range(most):
        inner = outside.replace(b"[]", b"")
        if len(inner) == len(outside):
            return level + len(outside) > most
        outside = inner
    return bool(outside)
