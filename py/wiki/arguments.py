"""Checks of what an operation was asked with: each gives the value, or a sentence on what would be right.

``None`` counts as absent. A boolean is never an integer, a float never a whole number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from .display import shown_name
from .errors import WikiError

REQUIRED: Final = object()  # default of an argument that has none
_SURROGATE = re.compile("[\ud800-\udfff]")


def reject_unknown(args: Mapping[str, Any], allowed: Iterable[str]) -> None:
    """An argument nobody knows is a misspelling: answering without it would look like an answer with it."""
    known = sorted(allowed)
    unknown = [name for name in args if name not in known]
    if unknown:
        names = ", ".join(f'"{shown_name(str(name), most=40)}"' for name in unknown[:5])
        raise _invalid(f"Unknown argument {names}. Known here: {', '.join(known)}.")


def text(args: Mapping[str, Any], name: str, *, min: int = 1, max: int, default: Any = REQUIRED) -> Any:
    """A text of ``min`` to ``max`` code points, whole characters only."""
    value = _given(args, name, default)
    if value is _ABSENT:
        return default
    if not isinstance(value, str):
        raise _invalid(f'"{name}" must be a text, not {_kind(value)}.')
    return _sized(value, f'"{name}"', min, max)


def integer(args: Mapping[str, Any], name: str, *, min: int, max: int | None, default: Any = REQUIRED) -> Any:
    value = _given(args, name, default)
    if value is _ABSENT:
        return default
    span = f"of {min:,} or more" if max is None else f"from {min:,} to {max:,}"
    if isinstance(value, bool) or not isinstance(value, int):
        raise _invalid(f'"{name}" must be a whole number {span}, not {_kind(value)}.')
    if value < min or (max is not None and value > max):
        raise _invalid(f'"{name}" must be a whole number {span}.')
    return value


def boolean(args: Mapping[str, Any], name: str, *, default: Any = False) -> Any:
    value = _given(args, name, default)
    if value is _ABSENT:
        return default
    if not isinstance(value, bool):
        raise _invalid(f'"{name}" must be true or false, not {_kind(value)}.')
    return value


def choice(args: Mapping[str, Any], name: str, choices: Sequence[str], *, default: Any = REQUIRED) -> Any:
    value = _given(args, name, default)
    if value is _ABSENT:
        return default
    if not isinstance(value, str) or value not in choices:
        raise _invalid(f'"{name}" must be one of: {", ".join(choices)}.')
    return value


def strings(args: Mapping[str, Any], name: str, *, max: int = 200, most: int = 100, default: Any = ()) -> Any:
    """A list of at most ``most`` texts, each of 1 to ``max`` code points, as a tuple."""
    value = _given(args, name, default)
    if value is _ABSENT:
        return default
    if not isinstance(value, (list, tuple)):
        raise _invalid(f'"{name}" must be a list of texts, not {_kind(value)}.')
    if len(value) > most:
        raise _invalid(f'"{name}" may hold at most {most} texts, not {len(value):,}.')
    for item in value:
        if not isinstance(item, str):
            raise _invalid(f'"{name}" must hold texts only, not {_kind(item)}.')
        _sized(item, f'A text in "{name}"', 1, max)
    return tuple(value)


_ABSENT: Final = object()


def _given(args: Mapping[str, Any], name: str, default: Any) -> Any:
    value = args.get(name)
    if value is not None:
        return value
    if default is REQUIRED:
        raise _invalid(f'"{name}" is missing.')
    return _ABSENT


def _sized(value: str, subject: str, min: int, max: int) -> str:
    if not min <= len(value) <= max:
        raise _invalid(f"{subject} must have {min:,} to {max:,} characters, not {len(value):,}.")
    if _SURROGATE.search(value):
        raise _invalid(f"{subject} holds half a character (a lone surrogate). Send it as whole Unicode text.")
    return value


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, int):
        return "a number"
    if isinstance(value, float):
        return "a number with a decimal point"
    if isinstance(value, str):
        return "a text"
    return "a list" if isinstance(value, (list, tuple)) else "an object"


def _invalid(message: str) -> WikiError:
    return WikiError("invalid-input", message)
