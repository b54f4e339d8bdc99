"""One call, from its arguments to its envelope: every failure is told, none is raised."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Mapping
from typing import Any, Final

from .build import build
from .context import Context
from .display import shown_name
from .doctor import doctor
from .errors import WikiError
from .limits import MESSAGE_MAX_CHARS
from .outline import outline
from .presence import check_vault
from .read import read
from .search import search

Operation = Callable[[Context, dict[str, Any]], dict[str, Any]]
Envelope = dict[str, Any]

OPERATIONS: Final[Mapping[str, Operation]] = {
    "search": search,
    "outline": outline,
    "read": read,
    "doctor": doctor,
    "index": build,
}
_TRACE_STEPS_MAX: Final = 20


def answer(operation: str, arguments: dict[str, Any], context: Context) -> Envelope:
    """The envelope of one call. Only an interrupt is raised: who interrupts must see that it worked."""
    try:
        if operation not in OPERATIONS:
            raise WikiError("invalid-input", f"There is no such operation. Known: {', '.join(OPERATIONS)}.")
        if operation != "doctor":  # it is asked what is wrong with a vault
            check_vault(context.vault)
        return {"operation": operation, "ok": True, "payload": OPERATIONS[operation](context, arguments)}
    except WikiError as error:
        return failure(operation, error)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:
        return unexpected(operation, error)


def failure(operation: str, error: WikiError) -> Envelope:
    message = error.message
    if len(message) > MESSAGE_MAX_CHARS:
        message = message[: MESSAGE_MAX_CHARS - 1] + "…"
    envelope: Envelope = {"operation": operation, "ok": False, "code": error.code, "message": message}
    if error.payload is not None:
        envelope["payload"] = error.payload
    return envelope


def unexpected(operation: str, error: BaseException) -> Envelope:
    """What no rule foresaw: its kind and message to the caller, where it happened to stderr."""
    kind = type(error).__name__
    try:
        # File, line and function only: source lines would need modules that are not there after the start.
        steps = list(traceback.walk_tb(error.__traceback__))[-_TRACE_STEPS_MAX:]
        for frame, line in steps:
            print(f"  {frame.f_code.co_filename}:{line} in {frame.f_code.co_name}", file=sys.stderr)
        reason = f"{kind}: {shown_name(str(error))}" if str(error) else kind
        print(reason.encode("ascii", "backslashreplace").decode(), file=sys.stderr)
    except Exception:  # no memory or stack left to tell more
        reason = kind
    return failure(operation, WikiError("sandbox-failed", f"Something unexpected failed: {reason}."))
