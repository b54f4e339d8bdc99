"""The listing of a wiki: one bad entry hides no other, and two moments are compared record by record."""

from __future__ import annotations

import os
import unittest
from pathlib import Path

import wiki.scan
from folders import Folder
from swapping import swapped
from wiki.context import Vault
from wiki.limits import FOLDER_MAX_DEPTH, PAGE_MAX_BYTES
from wiki.listing import Listing
from wiki.scan import scan


class Scanning(Folder):
    def kinds(self, vault: Vault | None = None) -> list[str]:
        """``kind path`` of every record, in order."""
        records = scan(vault or self.vault).split(b"\0")[:-1]
        return [f"{record.split(b' ')[0].decode()} {record.split(b' ', 5)[5].decode()}" for record in records]

    def test_pages_are_listed_by_name_with_folders_in_their_place(self) -> None:
        for path in (
            "wiki/b.md",
            "wiki/b/z.md",
            "wiki/B.md",
            "wiki/a.MD",
            "wiki/b/a.md",
            "wiki/é.md",
            "wiki/z.md",
        ):
            self.write(path)
        self.assertEqual(
            self.kinds(),
            [
                "f wiki/B.md",
                "f wiki/a.MD",
                "f wiki/b/a.md",
                "f wiki/b/z.md",
                "f wiki/b.md",
                "f wiki/z.md",
                "f wiki/é.md",
            ],
        )

    def test_a_record_tells_size_time_links_and_that_the_file_is_here(self) -> None:
        self.write("wiki/a.md", "four")
        os.utime(Path(self.root, "wiki/a.md"), ns=(1, 1_700_000_000_123_000_000))
        self.assertEqual(scan(self.vault), b"f 4 1700000000123000000 1 1 wiki/a.md\0")

    def test_only_the_wiki_folder_is_walked(self) -> None:
        self.write("wiki/a.md")
        self.write("other/b.md")
        self.assertEqual(self.kinds(), ["f wiki/a.md"])
        self.assertEqual(self.kinds(Vault(self.root, self.root, "other")), ["f other/b.md"])
        self.assertEqual(self.kinds(Vault(self.root, self.root, ".")), ["f other/b.md", "f wiki/a.md"])

    def test_what_is_no_markdown_has_no_record(self) -> None:
        self.write("wiki/a.txt")
        self.write("wiki/md")
        self.write("wiki/b.md.bak")
        os.mkdir(Path(self.root, "wiki/folder.md"))
        self.assertEqual(self.kinds(), [])

    def test_hidden_entries_are_named_and_not_entered(self) -> None:
        self.write("wiki/.trash/a.md")
        self.write("wiki/.md")
        self.write("wiki/b.md")
        self.assertEqual(self.kinds(), ["h wiki/.md", "h wiki/.trash", "f wiki/b.md"])

    def test_links_are_named_and_not_followed_whatever_they_lead_to(self) -> None:
        self.write("wiki/a.md")
        os.symlink("a.md", Path(self.root, "wiki/link.md"))
        os.symlink("..", Path(self.root, "wiki/up"))
        os.symlink("nowhere", Path(self.root, "wiki/dead.md"))
        os.symlink("self.md", Path(self.root, "wiki/self.md"))
        self.assertEqual(
            self.kinds(), ["f wiki/a.md", "l wiki/dead.md", "l wiki/link.md", "l wiki/self.md", "l wiki/up"]
        )

    def test_a_name_with_a_line_end_stays_one_record(self) -> None:
        self.write("wiki/a\nf 1 1 1 1 b.md")
        (entry,) = Listing.parse(scan(self.vault)).entries
        self.assertEqual(entry.path, "wiki/a\nf 1 1 1 1 b.md")

    def test_folders_beyond_the_depth_are_named_and_not_entered(self) -> None:
        deep = "/".join(["wiki"] + ["d"] * (FOLDER_MAX_DEPTH - 1))
        self.write(f"{deep}/in.md")
        self.write(f"{deep}/e/out.md")
        self.assertEqual(self.kinds(), [f"t {deep}/e", f"f {deep}/in.md"])

    def test_a_folder_that_cannot_be_read_hides_no_other(self) -> None:
        self.write("wiki/a.md")
        self.write("wiki/closed/b.md")
        self.write("wiki/gone/c.md")
        real = os.scandir

        def scandir(path: str):
            if path.endswith("/closed"):
                raise PermissionError(13, "Permission denied")
            if path.endswith("/gone"):
                raise FileNotFoundError(2, "No such file or directory")
            return real(path)

        with swapped(wiki.scan.os, "scandir", scandir):
            self.assertEqual(self.kinds(), ["f wiki/a.md", "d wiki/closed", "v wiki/gone"])

    def test_a_file_that_vanishes_or_refuses_hides_no_other(self) -> None:
        for name in ("a", "gone", "mean", "z"):
            self.write(f"wiki/{name}.md")
        real = os.lstat

        def lstat(path: str):
            if str(path).endswith("gone.md"):
                raise FileNotFoundError(2, "No such file or directory")
            if str(path).endswith("mean.md"):
                raise OSError(5, "Input/output error")
            return real(path)

        with swapped(wiki.scan.os, "lstat", lstat):
            self.assertEqual(self.kinds(), ["f wiki/a.md", "v wiki/gone.md", "d wiki/mean.md", "f wiki/z.md"])

    def test_a_missing_wiki_folder_is_told_in_one_record(self) -> None:
        self.assertEqual(self.kinds(), ["v wiki"])


def record(kind: str, path: str, size: int = 3, mtime: int = 5, links: int = 1, local: int = 1) -> bytes:
    return f"{kind} {size} {mtime} {links} {local} {path}\0".encode()


class Parsing(unittest.TestCase):
    def test_a_page_is_an_entry_with_path_size_and_time(self) -> None:
        listing = Listing.parse(record("f", "wiki/a b.md", 7, -5))
        self.assertEqual(listing.entries, [("wiki/a b.md", 7, -5)])
        self.assertEqual(listing.skipped, {})
        self.assertEqual(listing.incomplete, [])

    def test_an_empty_listing_is_one(self) -> None:
        self.assertEqual(Listing.parse(b"").entries, [])

    def test_what_is_no_page_is_kept_by_reason(self) -> None:
        listing = Listing.parse(
            record("f", "wiki/INDEX.md")
            + record("f", "wiki/x/_Plan.MD")
            + record("f", "wiki/two.md", links=2)
            + record("f", "wiki/huge.md", size=PAGE_MAX_BYTES + 1)
            + record("f", "wiki/just.md", size=PAGE_MAX_BYTES)
            + record("f", "wiki/ghost.md", size=12, local=0)
            + record("f", "wiki/ghost2.md", size=30, local=0)
            + record("l", "wiki/link")
            + record("o", "wiki/pipe.md")
            + record("h", "wiki/.x")
        )
        self.assertEqual([entry.path for entry in listing.entries], ["wiki/just.md"])
        self.assertEqual(
            listing.skipped,
            {
                "reserved": ["wiki/INDEX.md", "wiki/x/_Plan.MD"],
                "hardlink": ["wiki/two.md"],
                "too-large": ["wiki/huge.md"],
                "not-local": ["wiki/ghost.md", "wiki/ghost2.md"],
                "symlink": ["wiki/link"],
                "not-regular": ["wiki/pipe.md"],
                "hidden": ["wiki/.x"],
            },
        )
        self.assertEqual(listing.not_local_bytes, 42)
        self.assertEqual(listing.incomplete, [])

    def test_a_file_system_that_counts_no_links_is_taken_at_its_word(self) -> None:
        self.assertEqual(len(Listing.parse(record("f", "wiki/a.md", links=0)).entries), 1)

    def test_what_was_not_seen_makes_the_listing_incomplete(self) -> None:
        listing = Listing.parse(
            record("d", "wiki/closed")
            + record("n", "wiki/m\ufffd.md")
            + record("t", "wiki/deep")
            + record("v", "wiki/g.md")
        )
        self.assertEqual(
            listing.incomplete,
            [
                '"wiki/closed" could not be read.',
                '"wiki/m\ufffd.md" has a name that is not UTF-8.',
                '"wiki/deep" lies too deep or has too long a path.',
                '"wiki/g.md" vanished while it was looked at.',
            ],
        )


class Changes(unittest.TestCase):
    def test_the_same_listing_has_none(self) -> None:
        data = record("f", "wiki/a.md") + record("f", "wiki/b.md")
        self.assertEqual(Listing.changes(data, data), ([], []))

    def test_gone_changed_and_new_records_are_told_apart(self) -> None:
        a, b, c = record("f", "wiki/a.md"), record("f", "wiki/b.md"), record("f", "wiki/c.md")
        changed = record("f", "wiki/b.md", mtime=6)
        gone, new = Listing.changes(a + b + c, a + changed + record("f", "wiki/d.md"))
        self.assertEqual(gone, [b[:-1], c[:-1]])
        self.assertEqual(new, [changed[:-1], record("f", "wiki/d.md")[:-1]])

    def test_everything_is_new_at_first(self) -> None:
        self.assertEqual(
            Listing.changes(b"", record("f", "wiki/a.md")), ([], [record("f", "wiki/a.md")[:-1]])
        )


if __name__ == "__main__":
    unittest.main()
