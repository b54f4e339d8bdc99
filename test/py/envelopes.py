"""Requests put to the bridge, and their envelopes, checked for what every envelope must be."""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Callable
from typing import Any

import wiki.bridge
from folders import Folder
from swapping import swapped
from wiki.bridge import handle
from wiki.limits import RESPONSE_MAX_BYTES

CODES = frozenset(
    "invalid-input config-invalid no-vault vault-missing wiki-missing page-not-found page-refused"
    " hash-mismatch section-not-found section-ambiguous span-out-of-range cursor-invalid deadline cancelled"
    " output-limit sandbox-failed".split()
)


class Quiet:
    """Surroundings where nothing is to be had but the time."""

    def listing(self) -> bytes:
        return b""

    def yaml(self, text: str) -> str:
        return "{}"

    def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        return {"error": "nobody is there"}

    def progress(self, what: str, done: int, total: int) -> None:
        pass

    def remaining(self) -> float:
        return 30.0

    def emit(self, name: str, data: bytes) -> None:
        raise AssertionError("no operation here makes files")


class Requests(Folder):
    def setUp(self) -> None:
        super().setUp()
        self.write("wiki/a.md", "# A\ntext\n")

    def envelope(self, request: Any, answering: Callable[..., Any] | None = None) -> dict[str, Any]:
        """The envelope for a request, checked for what every envelope must be."""
        text = request if isinstance(request, str) else json.dumps(request)
        stderr = io.StringIO()
        with contextlib.redirect_stderr(stderr):
            if answering is None:
                response = handle(text, Quiet(), root=self.root)
            else:
                with swapped(wiki.bridge, "answer", answering):
                    response = handle(text, Quiet(), root=self.root)
        self.stderr = stderr.getvalue()
        self.assertLessEqual(len(response.encode("utf-8")), RESPONSE_MAX_BYTES)
        envelope = json.loads(response)
        self.assertIsInstance(envelope["operation"], str)
        if envelope["ok"] is True:
            self.assertEqual(sorted(envelope), ["ok", "operation", "payload"])
        else:
            self.assertIs(envelope["ok"], False)
            self.assertIn(envelope["code"], CODES)
            self.assertLessEqual(len(envelope["message"]), 500)
            self.assertLessEqual(set(envelope), {"ok", "operation", "code", "message", "payload"})
        return envelope

    def request(self, operation: str, arguments: Any = None, **more: Any) -> dict[str, Any]:
        vault = {"shown": "/my/vault", "wiki": "wiki"}
        return {
            "operation": operation,
            "arguments": arguments,
            "vault": vault,
            "remainingMs": 9_000,
            "host": {},
        } | more
