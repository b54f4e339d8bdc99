"""A model of a few words, and surroundings that ask it: what a text means is which of its words are known."""

from __future__ import annotations

import base64
import json
import sys
from array import array
from pathlib import Path
from typing import Any

from folders import Folder
from wiki import semantic
from wiki.context import Context
from wiki.listing import Listing
from wiki.scan import scan

# Words of one line mean the same.
CONCEPTS = (
    "coffee espresso beans roast",
    "garden soil compost plants",
    "tax invoice accountant deadline",
    "mountain hike summit trail",
)
MODEL = "qwen3-embedding:4b"
DIGEST = "5f1c0a7e2b" * 6


def meaning(text: str) -> list[float]:
    """How often each concept is spoken of, and a little for being a text at all."""
    words = "".join(c if c.isalnum() else " " for c in text.lower()).split()
    return [0.1, *(float(sum(word in concept.split() for word in words)) for concept in CONCEPTS)]


def encoded(vector: list[float]) -> str:
    numbers = array("f", vector)
    if sys.byteorder == "big":
        numbers.byteswap()
    return base64.b64encode(numbers.tobytes()).decode()


class Around:
    """Surroundings with the vault's own files and the model of a few words. ``trouble`` is answered instead,
    when set.
    """

    def __init__(self, root: str) -> None:
        self.root = root
        self.left = 30.0
        self.model, self.digest = MODEL, DIGEST
        self.trouble: Any = None
        self.refuses = ""  # texts with this word get no vector
        self.questions: list[dict[str, Any]] = []
        self.files: dict[str, bytes] = {}
        self.told: list[str] = []

    def listing(self) -> bytes:
        return b""

    def yaml(self, text: str) -> str:
        lines = (line.split(":", 1) for line in text.splitlines() if ":" in line)
        return json.dumps({key.strip(): value.strip() for key, value in lines})

    def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        self.questions.append(question)
        if self.trouble is not None:
            return {"error": self.trouble}
        known = {"model": self.model, "digest": self.digest}
        if question["ask"] == "digest":
            return known
        if self.refuses and any(self.refuses in text for text in question["input"]):
            return {"error": {"kind": "server-failed", "message": "Ollama failed with status 500."}}
        vectors = [encoded(meaning(text)) for text in question["input"]]
        return known | {"dimension": 1 + len(CONCEPTS), "vectors": vectors}

    def progress(self, what: str, done: int, total: int) -> None:
        self.told.append(what)

    def remaining(self) -> float:
        return self.left

    def emit(self, name: str, data: bytes) -> None:
        self.files[name] = self.files.get(name, b"") + data

    def embedded(self) -> list[str]:
        """The texts that were embedded so far."""
        return [text for question in self.questions for text in question.get("input", ())]


class Meanings(Folder):
    """A vault whose pages mean something."""

    def setUp(self) -> None:
        super().setUp()
        semantic.forget()
        self.addCleanup(semantic.forget)
        self.around = Around(self.root)
        self.ctx = Context(self.vault, self.around)  # type: ignore[arg-type]

    def listing(self) -> Listing:
        return Listing.parse(scan(self.vault))

    def paths(self) -> list[str]:
        return [entry.path for entry in self.listing().entries]

    def publish(self) -> None:
        """Put what was emitted into the vault, as the host does."""
        for name, data in self.around.files.items():
            file = Path(self.root, ".vault-meta/retrieval", name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        self.around.files.clear()
