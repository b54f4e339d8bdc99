"""A vault in a temporary folder, for a test to write into."""

from __future__ import annotations

import os
import tempfile
import unittest
from pathlib import Path
from typing import Any

from wiki.context import Vault
from wiki.errors import WikiError
from wiki.pages import open_page


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


class Refusals(Folder):
    """A vault whose pages are opened, and refused."""

    def refused(self, path: str, vault: Vault | None = None) -> WikiError:
        with self.assertRaises(WikiError) as caught:
            open_page(vault or self.vault, path)
        error = caught.exception
        self.assertLessEqual(len(error.message), 500)
        self.assertNotRegex(error.message, "[\x00-\x1f\u202a-\u202e]")
        return error

    def refusal(self, path: str, vault: Vault | None = None) -> str:
        error = self.refused(path, vault)
        self.assertEqual(error.code, "page-refused", error.message)
        self.assertEqual(error.payload["page"], path)
        return error.payload["refusal"]


def altered(status: os.stat_result, **changes: Any) -> os.stat_result:
    """The status of a file that a test cannot make here: a pipe, a second hard link, a placeholder of the
    cloud.
    """
    fields = ("st_mode", "st_ino", "st_dev", "st_nlink", "st_uid", "st_gid", "st_size")
    values = [changes.get(name, getattr(status, name)) for name in fields]
    times = [int(getattr(status, name)) for name in ("st_atime", "st_mtime", "st_ctime")]
    more = {"st_blocks": status.st_blocks, "st_mtime_ns": status.st_mtime_ns} | changes
    names = ("st_blocks", "st_mtime_ns")
    return os.stat_result((*values, *times), {name: more[name] for name in names})
