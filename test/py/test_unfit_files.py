"""What stands where a page should be and is none, and files that change while they are looked at."""

from __future__ import annotations

import errno
import os
import stat
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any

import wiki.pages
from folders import Refusals, altered
from swapping import swapped
from wiki.limits import PAGE_MAX_BYTES
from wiki.pages import open_page


class UnfitFiles(Refusals):
    def looking_like(self, name: str, **changes: Any) -> Any:
        """Every look at the file ``name``, by path or by handle, sees the ``changes``."""
        lstat = os.lstat

        def look(path: Any) -> os.stat_result:
            status = lstat(path)
            return altered(status, **changes) if str(path).endswith(name) else status

        return swapped(wiki.pages.os, "lstat", look)

    def test_a_second_hard_link_is_refused(self) -> None:
        self.write("wiki/a.md")
        with self.looking_like("a.md", st_nlink=2):
            self.assertEqual(self.refusal("wiki/a.md"), "hardlink")

    def test_pipes_sockets_and_devices_are_refused_without_being_opened(self) -> None:
        self.write("wiki/a.md")
        opened: list[str] = []
        with swapped(wiki.pages.os, "open", lambda path, flags: opened.append(path)):
            for kind in (stat.S_IFIFO, stat.S_IFSOCK, stat.S_IFCHR, stat.S_IFBLK):
                with self.looking_like("a.md", st_mode=kind | 0o644):
                    self.assertEqual(self.refusal("wiki/a.md"), "not-regular")
        self.assertEqual(opened, [])

    def test_a_file_kept_in_the_cloud_is_refused_without_being_opened(self) -> None:
        self.write("wiki/a.md", "text")
        opened: list[str] = []
        with swapped(wiki.pages.os, "open", lambda path, flags: opened.append(path)):
            with self.looking_like("a.md", st_blocks=0):
                error = self.refused("wiki/a.md")
        self.assertEqual(error.payload["refusal"], "not-local")
        self.assertIn("kept in the cloud", error.message)
        self.assertIn("Open it once in Finder or Explorer", error.message)
        self.assertEqual(opened, [])

    def test_a_page_may_have_its_limit_and_not_a_byte_more(self) -> None:
        Path(self.root, "wiki").mkdir()
        with open(Path(self.root, "wiki/a.md"), "wb") as file:
            file.write(b"x" * PAGE_MAX_BYTES)
        self.assertEqual(open_page(self.vault, "wiki/a.md").size, PAGE_MAX_BYTES)
        with open(Path(self.root, "wiki/a.md"), "ab") as file:
            file.write(b"x")
        self.assertEqual(self.refusal("wiki/a.md"), "too-large")

    def test_what_the_system_refuses_is_unreadable_and_says_why(self) -> None:
        self.write("wiki/a.md")
        for number, words in (
            (errno.EACCES, "Permission denied"),
            (errno.EPERM, "Not permitted"),
            (errno.EIO, "Input/output error"),
        ):
            for call in ("lstat", "open"):
                real: Callable[..., Any] = getattr(os, call)

                def refuses(path: Any, *rest: Any) -> Any:
                    if str(path).endswith("a.md"):
                        raise OSError(number, words)
                    return real(path, *rest)

                with swapped(wiki.pages.os, call, refuses):
                    error = self.refused("wiki/a.md")
                self.assertEqual(error.payload["refusal"], "unreadable")
                self.assertIn(words.lower(), error.message)

    def test_a_page_that_vanishes_between_look_and_open_is_not_found(self) -> None:
        self.write("wiki/a.md")

        def gone(path: Any, flags: int) -> int:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory")

        with swapped(wiki.pages.os, "open", gone):
            self.assertEqual(self.refused("wiki/a.md").code, "page-not-found")

    def test_a_link_put_in_the_place_of_the_page_is_not_followed(self) -> None:
        self.write("wiki/a.md")

        def loops(path: Any, flags: int) -> int:
            raise OSError(errno.ELOOP, "Too many levels of symbolic links")

        with swapped(wiki.pages.os, "open", loops):
            self.assertEqual(self.refusal("wiki/a.md"), "symlink")

    def test_another_file_in_the_place_of_the_page_is_read_at_the_second_look(self) -> None:
        self.write("wiki/a.md", "text")
        fstat = os.fstat
        looks: list[int] = []

        def other_at_first(handle: int) -> os.stat_result:
            looks.append(handle)
            status = fstat(handle)
            return altered(status, st_ino=status.st_ino + 1) if len(looks) == 1 else status

        with swapped(wiki.pages.os, "fstat", other_at_first):
            self.assertEqual(open_page(self.vault, "wiki/a.md").text, "text")

    def test_a_page_that_never_stays_the_same_is_unreadable(self) -> None:
        self.write("wiki/a.md", "text")
        fstat = os.fstat
        for change in ({"st_ino": 999}, {"st_size": 99}):
            with swapped(wiki.pages.os, "fstat", lambda handle: altered(fstat(handle), **change)):
                error = self.refused("wiki/a.md")
            self.assertEqual(error.payload["refusal"], "unreadable")
            self.assertIn("changes", error.message)

    def test_devices_are_compared_by_their_low_bits(self) -> None:
        self.write("wiki/a.md", "text")
        fstat = os.fstat

        def wide(handle: int) -> os.stat_result:
            status = fstat(handle)
            return altered(status, st_dev=(status.st_dev & 0xFFFFFFFF) | 1 << 40)

        with swapped(wiki.pages.os, "fstat", wide):
            self.assertEqual(open_page(self.vault, "wiki/a.md").text, "text")

    def test_no_handle_is_left_open(self) -> None:
        self.write("wiki/a.md", "text")
        opened: list[int] = []
        closed: list[int] = []
        real_open, real_close = os.open, os.close

        def opens(path: Any, flags: int) -> int:
            opened.append(real_open(path, flags))
            return opened[-1]

        def closes(handle: int) -> None:
            closed.append(handle)
            real_close(handle)

        fstat = os.fstat
        with swapped(wiki.pages.os, "open", opens), swapped(wiki.pages.os, "close", closes):
            open_page(self.vault, "wiki/a.md")
            with swapped(wiki.pages.os, "fstat", lambda handle: altered(fstat(handle), st_ino=999)):
                self.refused("wiki/a.md")
        self.assertEqual(len(opened), 3)
        self.assertEqual(opened, closed)

    def test_where_names_fold_only_the_listed_name_is_taken(self) -> None:
        self.write("wiki/Coffee.md", "text")
        real = os.lstat

        def folds(path: Any) -> os.stat_result:
            return real(str(path).replace("COFFEE", "Coffee"))

        with swapped(wiki.pages, "_NAMES_FOLD", True), swapped(wiki.pages.os, "lstat", folds):
            self.assertEqual(open_page(self.vault, "wiki/Coffee.md").text, "text")
            self.assertEqual(self.refused("wiki/COFFEE.md").payload["listed"], ["wiki/Coffee.md"])


if __name__ == "__main__":
    unittest.main()
