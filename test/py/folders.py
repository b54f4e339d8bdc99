"""A vault in a temporary folder, for a test to write into."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

from wiki.context import Vault


class Folder(unittest.TestCase):
    def setUp(self) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.root = self._folder.name
        self.vault = Vault(self.root, self.root)

    def write(self, path: str, text: str = "x") -> None:
        file = Path(self.root, path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
