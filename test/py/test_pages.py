"""Opening a page: by its own name, under the wiki folder, a regular file that is really there, or refused
with the reason.
"""

from __future__ import annotations

import hashlib
import os
import stat
import unicodedata
import unittest
from pathlib import Path

import wiki.pages
from folders import Folder, Refusals, altered
from swapping import swapped
from wiki.context import Vault
from wiki.limits import PAGE_MAX_BYTES
from wiki.listing import Listing
from wiki.pages import Unreadable, open_page, read_entry
from wiki.scan import scan


class Opening(Refusals):
    def test_a_page_is_its_bytes_its_text_and_its_hash(self) -> None:
        data = b"\xef\xbb\xbf# T\r\n\xff end\r"
        Path(self.root, "wiki").mkdir()
        Path(self.root, "wiki/a.md").write_bytes(data)
        page = open_page(self.vault, "wiki/a.md")
        self.assertEqual((page.path, page.data, page.size), ("wiki/a.md", data, len(data)))
        self.assertEqual(page.text, "\ufeff# T\r\n\ufffd end\r")
        self.assertEqual(page.hash, hashlib.sha256(data).hexdigest())

    def test_an_empty_page_and_a_large_one_are_read_whole(self) -> None:
        self.write("wiki/empty.md", "")
        self.write("wiki/large.md", "0123456789abcdef" * 200_000)
        self.assertEqual(open_page(self.vault, "wiki/empty.md").text, "")
        self.assertEqual(open_page(self.vault, "wiki/large.md").text, "0123456789abcdef" * 200_000)

    def test_names_of_every_kind_are_opened(self) -> None:
        for path in (
            "wiki/a b (2).MD",
            "wiki/학점.md",
            "wiki/🌱/é.md",
            "wiki/a\\b.md",
            "wiki/#%20.md",
            "wiki/x\ny.md",
            "wiki/a .md",
        ):
            self.write(path, path)
            self.assertEqual(open_page(self.vault, path).text, path)

    def test_what_is_no_path_is_invalid_input(self) -> None:
        for path in ("", "wiki/a\0.md", "wiki/\ud800.md", "wiki/" + "x" * 4_100 + ".md"):
            self.assertEqual(self.refused(path).code, "invalid-input", repr(path[:20]))

    def test_paths_that_lead_out_are_outside(self) -> None:
        self.write("wiki/a.md")
        self.write("other/a.md")
        for path in (
            "/wiki/a.md",
            "../vault-2/a.md",
            "wiki/../wiki/a.md",
            "wiki/../../etc/a.md",
            "other/a.md",
            "a.md",
            "..",
            "/",
        ):
            self.assertEqual(self.refusal(path), "outside", path)

    def test_an_absolute_path_into_the_vault_is_told_its_plain_name(self) -> None:
        self.write("wiki/a.md")
        self.assertIn('Name it "wiki/a.md"', self.refused(f"{self.root}/wiki/a.md").message)

    def test_paths_with_needless_parts_are_aliases_of_the_plain_one(self) -> None:
        self.write("wiki/a.md")
        for path in ("wiki//a.md", "wiki/./a.md", "./wiki/a.md", "wiki/a.md/"):
            error = self.refused(path)
            self.assertEqual(error.payload, {"refusal": "alias", "page": path, "listed": ["wiki/a.md"]})

    def test_hidden_reserved_and_other_files_are_refused_at_every_depth(self) -> None:
        for folder in ("wiki", "wiki/a/b/c"):
            for name, reason in (
                (".md", "hidden"),
                (".obsidian/x.md", "hidden"),
                ("index.md", "reserved"),
                ("LOG.md", "reserved"),
                ("_Plan.MD", "reserved"),
                ("a.txt", "not-markdown"),
                ("a.md.bak", "not-markdown"),
                ("plain", "not-markdown"),
            ):
                self.write(f"{folder}/{name}")
                self.assertEqual(self.refusal(f"{folder}/{name}"), reason, f"{folder}/{name}")

    def test_a_folder_called_like_a_page_is_not_regular(self) -> None:
        self.write("wiki/a.md/b.txt")
        self.assertEqual(self.refusal("wiki/a.md"), "not-regular")

    def test_a_page_used_as_a_folder_is_not_regular(self) -> None:
        self.write("wiki/a.md")
        self.assertEqual(self.refusal("wiki/a.md/b.md"), "not-regular")

    def test_links_are_refused_anywhere_on_the_way(self) -> None:
        self.write("wiki/a/b.md")
        self.write("real/c.md")
        os.symlink("a/b.md", Path(self.root, "wiki/link.md"))
        os.symlink("a", Path(self.root, "wiki/folder"))
        os.symlink("nowhere.md", Path(self.root, "wiki/dead.md"))
        os.symlink("loop.md", Path(self.root, "wiki/loop.md"))
        os.symlink("real", Path(self.root, "linked"))
        for path in ("wiki/link.md", "wiki/folder/b.md", "wiki/dead.md", "wiki/loop.md"):
            self.assertEqual(self.refusal(path), "symlink", path)
        self.assertEqual(self.refusal("linked/c.md", Vault(self.root, self.root, "linked")), "symlink")

    def test_a_vault_that_is_itself_reached_by_a_link_is_fine(self) -> None:
        self.write("v/wiki/a.md", "here")
        os.symlink("v", Path(self.root, "vault-link"))
        root = f"{self.root}/vault-link"
        self.assertEqual(open_page(Vault(root, root), "wiki/a.md").text, "here")

    def test_a_name_in_other_case_is_an_alias_and_told_its_spelling(self) -> None:
        self.write("wiki/Topic/Coffee.md")
        error = self.refused("wiki/topic/coffee.MD")
        self.assertEqual(error.payload["refusal"], "alias")
        self.assertEqual(error.payload["listed"], ["wiki/Topic/Coffee.md"])
        self.assertIn("wiki/Topic/Coffee.md", error.message)
        self.assertEqual(self.refused("Wiki/Topic/Coffee.md").payload["listed"], ["wiki/Topic/Coffee.md"])

    def test_a_name_in_another_unicode_form_is_an_alias_either_way_round(self) -> None:
        for listed, asked in (("NFD", "NFC"), ("NFC", "NFD")):
            for name in ("학점", "Übung", "é"):
                stored = unicodedata.normalize(listed, f"wiki/{listed}/{name}.md")
                self.write(stored)
                error = self.refused(unicodedata.normalize(asked, stored))
                self.assertEqual((error.payload["refusal"], error.payload["listed"]), ("alias", [stored]))
                self.assertIn("look alike", error.message)

    def test_all_spellings_are_listed_when_several_exist(self) -> None:
        self.write("wiki/Note.md")
        self.write("wiki/NOTE.md")
        self.assertEqual(self.refused("wiki/note.md").payload["listed"], ["wiki/NOTE.md", "wiki/Note.md"])

    def test_a_missing_page_is_not_found_and_what_is_near_is_named(self) -> None:
        for name in ("coffee.md", "coffee-beans.md", "tea.md", "index.md", ".coffee.md"):
            self.write(f"wiki/{name}")
        error = self.refused("wiki/cofee.md")
        self.assertEqual(error.code, "page-not-found")
        self.assertEqual(error.payload["near"][0], "wiki/coffee.md")
        self.assertNotIn("wiki/tea.md", error.payload["near"])
        self.assertIn('"wiki/coffee.md"', error.message)

    def test_a_missing_folder_is_not_found_either(self) -> None:
        self.write("wiki/a.md")
        error = self.refused("wiki/nowhere/a.md")
        self.assertEqual((error.code, error.payload["near"]), ("page-not-found", []))

    def test_names_that_mislead_are_shown_safely(self) -> None:
        for name in ("x\ny", "x\u202egpj", "x\x1b[2J", "🌱" * 300, "x\u2028y", "x. ", "a" * 250):
            self.assertEqual(self.refused(f"wiki/{name}.md").code, "page-not-found")

    def test_the_whole_vault_may_be_the_wiki(self) -> None:
        whole = Vault(self.root, self.root, ".")
        self.write("a.md", "top")
        self.write("x/y.md", "below")
        self.assertEqual(open_page(whole, "a.md").text, "top")
        self.assertEqual(open_page(whole, "x/y.md").text, "below")
        self.assertEqual(self.refusal("../a.md", whole), "outside")
        self.assertEqual(self.refusal(".obsidian/a.md", whole), "hidden")


class ReadingEntries(Folder):
    def test_every_listed_page_is_read_as_it_is_opened(self) -> None:
        for path in ("wiki/a.md", "wiki/b/é.md", "wiki/b/c/d.MD"):
            self.write(path, path)
        entries = Listing.parse(scan(self.vault)).entries
        self.assertEqual(len(entries), 3)
        for entry in entries:
            page = read_entry(self.vault, entry)
            opened = open_page(self.vault, entry.path)
            self.assertEqual((page.path, page.text, page.hash), (opened.path, opened.text, opened.hash))
            self.assertEqual((page.size, page.mtime_ns), (entry.size, entry.mtime_ns))

    def test_what_has_gone_since_the_listing_says_so(self) -> None:
        self.write("wiki/a.md")
        (entry,) = Listing.parse(scan(self.vault)).entries
        os.unlink(Path(self.root, "wiki/a.md"))
        with self.assertRaises(Unreadable) as caught:
            read_entry(self.vault, entry)
        self.assertEqual(caught.exception.reason, "vanished")

    def test_what_is_no_longer_a_page_says_why(self) -> None:
        self.write("wiki/a.md", "text")
        (entry,) = Listing.parse(scan(self.vault)).entries
        fstat = os.fstat
        for changes, reason in (
            ({"st_nlink": 2}, "hardlink"),
            ({"st_blocks": 0}, "not-local"),
            ({"st_size": PAGE_MAX_BYTES + 1}, "too-large"),
            ({"st_mode": stat.S_IFIFO | 0o644}, "not-regular"),
        ):
            with swapped(wiki.pages.os, "fstat", lambda handle: altered(fstat(handle), **changes)):
                with self.assertRaises(Unreadable) as caught:
                    read_entry(self.vault, entry)
            self.assertEqual(caught.exception.reason, reason)


if __name__ == "__main__":
    unittest.main()
