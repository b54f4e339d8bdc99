"""What the sandbox gives the program, as bytes through device files. No object crosses."""

from __future__ import annotations

import os
import time
from typing import Any, Final

from . import jsontext
from .errors import WikiError
from .limits import EOF_READ

WRITE_MAX_BYTES: Final = 1024 * 1024  # a device takes no more at once
ANSWER_MAX_BYTES: Final = 16 * 1024 * 1024
PROGRESS_EVERY_SECONDS: Final = 0.05
_PROGRESS_MAX_CHARS: Final = 200


class SandboxSurroundings:
    """What the host gives through device files, for one request."""

    def __init__(self) -> None:
        self._ends = time.monotonic() + 30.0
        self._listing: bytes | None = None
        self._told = (0.0, "")  # when progress was last told, and of what

    def allow(self, seconds: float) -> None:
        self._ends = time.monotonic() + seconds

    def remaining(self) -> float:
        return self._ends - time.monotonic()

    def listing(self) -> bytes:
        if self._listing is None:  # the device hands it out once
            self._listing = received("/dev/wiki_listing")
        return self._listing

    def yaml(self, text: str) -> str:
        data = text.encode("utf-8", "replace")
        if len(data) > WRITE_MAX_BYTES:
            raise ValueError("the frontmatter is too long")
        try:
            reply = jsontext.loads(_exchanged("/dev/wiki_yaml", data), max_bytes=ANSWER_MAX_BYTES)
        except OSError:
            raise ValueError("the frontmatter could not be given to its reader") from None
        if reply.get("ok") is True:
            return reply["value"]
        raise ValueError(str(reply.get("error")))

    def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        data = jsontext.dumps(question).encode("utf-8")
        if len(data) > WRITE_MAX_BYTES:
            return {"error": f"The question to the host is larger than {WRITE_MAX_BYTES:,} bytes."}
        try:
            reply = jsontext.loads(_exchanged("/dev/wiki_ask", data), max_bytes=ANSWER_MAX_BYTES)
        except OSError:
            return {"error": "The host did not answer."}
        except ValueError as error:
            return {"error": f"The host's answer cannot be read. {error}"}
        return reply if isinstance(reply, dict) else {"error": "The host's answer is not a JSON object."}

    def progress(self, what: str, done: int, total: int) -> None:
        now = time.monotonic()
        last, of_what = self._told
        if of_what == what and now - last < PROGRESS_EVERY_SECONDS and done < total:
            return
        self._told = (now, what)
        line = f"{done:d} {total:d} {what[:_PROGRESS_MAX_CHARS]}".replace("\n", " ")
        try:
            sent("/dev/wiki_progress", line.encode("utf-8", "replace"))
        except OSError:
            pass  # nobody watches

    def emit(self, name: str, data: bytes) -> None:
        """A frame to the host: a header ``{"name","bytes"}`` in one write, then the bytes in further ones."""
        header = jsontext.dumps({"name": name, "bytes": len(data)}).encode("utf-8")
        try:
            handle = os.open("/dev/wiki_out", os.O_WRONLY)
            try:
                _write_all(handle, header)
                _write_all(handle, data)
            finally:
                os.close(handle)
        except OSError as error:
            raise WikiError(
                "sandbox-failed", f"The host took no bytes of {name}: {error.strerror}."
            ) from None


def received(device: str) -> bytes:
    handle = os.open(device, os.O_RDONLY)
    try:
        return _read_all(handle)
    finally:
        os.close(handle)


def sent(device: str, data: bytes) -> None:
    handle = os.open(device, os.O_WRONLY)
    try:
        _write_all(handle, data)
    finally:
        os.close(handle)


def _exchanged(device: str, question: bytes) -> bytes:
    handle = os.open(device, os.O_RDWR)
    try:
        os.write(handle, question)
        return _read_all(handle)
    finally:
        os.close(handle)


def _read_all(handle: int) -> bytes:
    pieces = []
    while piece := os.read(handle, EOF_READ):
        pieces.append(piece)
    return b"".join(pieces)


def _write_all(handle: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        written = os.write(handle, view[:WRITE_MAX_BYTES])
        if written <= 0:
            raise OSError(5, "nothing was taken")
        view = view[written:]
