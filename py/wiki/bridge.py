"""The door of the sandbox: one request text in, one response text out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from . import jsontext
from .context import Context, Vault
from .devices import SandboxSurroundings, received, sent
from .envelope import OPERATIONS, Envelope, answer, failure, unexpected
from .errors import WikiError
from .limits import OUTLINE_DEFAULT, READ_MAX_CHARS, REQUEST_MAX_BYTES, RESPONSE_MAX_BYTES, RESULTS_DEFAULT
from .surroundings import Surroundings

VAULT_ROOT: Final = "/vault"


def serve() -> None:
    """Answer the one request that waits. An interrupt goes through to the host; nothing else does."""
    surroundings = SandboxSurroundings()
    text = received("/dev/wiki_req").decode("utf-8", "replace")
    sent("/dev/wiki_res", handle(text, surroundings).encode("utf-8"))


def handle(request_text: str, surroundings: Surroundings, *, root: str = VAULT_ROOT) -> str:
    """One envelope as JSON text of at most 256 KiB of UTF-8, whatever the request text is."""
    operation = "unknown"
    try:
        request = _request(request_text)
        operation = request.operation
        if isinstance(surroundings, SandboxSurroundings):
            surroundings.allow(request.seconds)
        vault = Vault(root, request.shown, request.wiki)
        envelope = answer(operation, request.arguments, Context(vault, surroundings, request.host))
        return _within_limit(envelope, request.arguments)
    except WikiError as error:
        return jsontext.dumps(failure(operation, error))
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:
        return jsontext.dumps(unexpected(operation, error))


@dataclass(frozen=True, slots=True)
class _Request:
    operation: str
    arguments: dict[str, Any]
    shown: str
    wiki: str
    seconds: float
    host: dict[str, Any]


def _request(text: str) -> _Request:
    try:
        value = jsontext.loads(text, max_bytes=REQUEST_MAX_BYTES)
    except ValueError as error:
        raise WikiError("invalid-input", f"The request cannot be read. {error}") from None
    if not isinstance(value, dict):
        raise WikiError("invalid-input", "The request must be a JSON object.")
    operation = value.get("operation")
    if not isinstance(operation, str) or operation not in OPERATIONS:
        raise WikiError("invalid-input", f"There is no such operation. Known: {', '.join(OPERATIONS)}.")
    vault = _member(value, "vault", dict, {})
    remaining = _member(value, "remainingMs", (int, float), 30_000)
    if isinstance(remaining, bool) or not 0 <= remaining < 1e9:
        raise WikiError("invalid-input", 'The request\'s "remainingMs" must be a number of milliseconds.')
    return _Request(
        operation,
        _member(value, "arguments", dict, {}),
        _member(vault, "shown", str, ""),
        _member(vault, "wiki", str, "wiki") or "wiki",
        remaining / 1000,
        _member(value, "host", dict, {}),
    )


def _member(value: dict[str, Any], name: str, kind: Any, default: Any) -> Any:
    member = value.get(name)
    if member is None:
        return default
    if not isinstance(member, kind):
        raise WikiError("invalid-input", f'The request\'s "{name}" is not of the right kind.')
    return member


def _within_limit(envelope: Envelope, arguments: dict[str, Any]) -> str:
    text = jsontext.dumps(envelope)
    size = len(text.encode("utf-8"))
    if size <= RESPONSE_MAX_BYTES:
        return text
    if not envelope["ok"]:  # the sentence says enough
        return jsontext.dumps({key: envelope[key] for key in ("operation", "ok", "code", "message")})
    smaller = smaller_request(envelope["operation"], arguments, RESPONSE_MAX_BYTES / size)
    asked = ", ".join(f"{name}: {value}" for name, value in smaller.items()) or "a part of it"
    error = WikiError(
        "output-limit",
        f"The answer has {size:,} bytes, more than the {RESPONSE_MAX_BYTES:,} that one answer may have. "
        f"Ask again with {asked}.",
        {"bytes": size, "maxBytes": RESPONSE_MAX_BYTES, "smaller": smaller},
    )
    return jsontext.dumps(failure(envelope["operation"], error))


def smaller_request(operation: str, arguments: dict[str, Any], share: float) -> dict[str, int]:
    """Arguments that make an answer fit of which only ``share`` (0 to 1) fits now, some of it as reserve."""

    def scaled(name: str, default: int) -> int:
        return max(1, int((arguments.get(name) or default) * share * 0.8))

    if operation == "outline":
        return {"limit": scaled("limit", OUTLINE_DEFAULT)}
    if operation == "read":
        return {"maxChars": scaled("maxChars", READ_MAX_CHARS)}
    if operation != "search":
        return {}
    smaller = {"limit": scaled("limit", RESULTS_DEFAULT)}
    if arguments.get("include_content"):
        # A character takes at most six bytes of JSON, so this much always fits.
        smaller["inline_budget"] = RESPONSE_MAX_BYTES // 10
    if arguments.get("read_top_n"):
        smaller |= {"read_top_n": scaled("read_top_n", 1), "per_page_limit": scaled("per_page_limit", 200)}
    return smaller
