"""Which index answers: what is ranked, what is said about it, and what is kept from call to call."""

from __future__ import annotations

import json
import os
import random
import sys
import unittest
from pathlib import Path
from unittest import mock

from indexed import FILES, Around, Indexed, ranking
from wiki import follow, live, tokens
from wiki.container import CHUNK
from wiki.context import Context, Vault
from wiki.listing import Listing
from wiki.packedfile import PackedFile
from wiki.pages import Unreadable, read_entry
from wiki.scan import scan


class Choosing(Indexed):
    def setUp(self) -> None:
        super().setUp()
        self.write("wiki/tea.md", "# Tea\nleaf leaf water")
        self.write("wiki/coffee.md", "# Coffee\nbean water")
        self.write("wiki/milk.md", "cow")

    def assert_chosen(self, chosen: live.Chosen, freshness: str, source: str | None, reason: str | None = None) -> None:
        self.assertEqual((chosen.freshness, chosen.source), (freshness, source), chosen.reason)
        if reason is None:
            self.assertIsNone(chosen.reason)
        else:
            self.assertRegex(chosen.reason, reason)

    def found(self, chosen: live.Chosen, *query: str) -> list[str]:
        return [path for path, _ in ranking(chosen.index, list(query))]

    def version1(self, **changed: object) -> None:
        """A version-1 file of these pages by the Python package."""
        value = {
            "version": 1,
            "documents": 3,
            "lengths": {"wiki/tea.md": 4, "wiki/coffee.md": 3, "wiki/milk.md": 1},
            "terms": {"leaf": {"wiki/tea.md": 2}, "cow": {"wiki/milk.md": 1}, "only_in_the_file": {"wiki/milk.md": 1}},
            "titles": {},
        }
        self.put("bm25.json", json.dumps(value | changed).encode())

    def large_page(self) -> None:
        """So many words of its own that the postings begin in another chunk than the header's neighbours."""
        self.write("wiki/words.md", " ".join(f"word{n}" for n in range(CHUNK // 4)))


class WithoutAFile(Choosing):
    def test_the_pages_themselves_are_ranked(self) -> None:
        chosen = self.choose()
        self.assert_chosen(chosen, "unavailable", "live")
        self.assertTrue(chosen.complete)
        self.assertEqual(self.found(chosen, "water"), ["wiki/coffee.md", "wiki/tea.md"])
        self.assertEqual(self.around.told[-1], ("Reading pages", 3, 3))

    def test_only_what_changed_is_read_again(self) -> None:
        self.choose()
        self.write("wiki/tea.md", "lemon")
        self.write("wiki/new/juice.md", "lemon lemon")
        self.remove("wiki/milk.md")
        chosen = self.choose()
        self.assertEqual(self.around.told[-1], ("Reading pages", 2, 2))
        self.assertEqual(self.found(chosen, "lemon"), ["wiki/new/juice.md", "wiki/tea.md"])
        self.assertEqual(self.found(chosen, "leaf", "cow"), [])
        self.choose()
        self.assertEqual(self.around.told, [])

    def test_a_build_goes_on_where_time_was_up(self) -> None:
        chosen = self.choose(pages_in_time=2)
        self.assertIsNone(chosen.index)
        self.assert_chosen(chosen, "unavailable", None, r"still being built: 1 of 3 pages .*pi-wiki index")
        self.assertFalse(chosen.complete)
        self.assert_chosen(self.choose(pages_in_time=2), "unavailable", None, "2 of 3 pages")
        self.assert_chosen(self.choose(pages_in_time=2), "unavailable", "live")

    def test_a_wiki_that_memory_does_not_hold_says_what_to_run(self) -> None:
        with mock.patch.object(follow, "analyse", side_effect=MemoryError):
            self.choose()
        self.assert_chosen(self.choose(), "unavailable", None, "too large .*pi-wiki index")

    def test_a_page_that_cannot_be_read_is_named_and_tried_again(self) -> None:
        def reading(vault: Vault, entry: object) -> object:
            if entry.path == "wiki/tea.md":
                raise Unreadable("unreadable")
            return read_entry(vault, entry)

        with mock.patch.object(follow, "read_entry", reading):
            chosen = self.choose()
        self.assert_chosen(chosen, "unavailable", "live")
        self.assertFalse(chosen.complete)
        self.assertEqual(chosen.notes, ('"wiki/tea.md" could not be read: unreadable.',))
        self.assertEqual(self.found(chosen, "water"), ["wiki/coffee.md"])
        chosen = self.choose()
        self.assertEqual((chosen.complete, chosen.notes), (True, ()))
        self.assertEqual(self.found(chosen, "leaf"), ["wiki/tea.md"])

    def test_what_the_listing_could_not_see_is_told(self) -> None:
        ctx = self.context()
        self.around._listing = self.around.listing() + b"d 0 0 0 0 wiki/locked\0"
        chosen = live.current(ctx)
        self.assertFalse(chosen.complete)
        self.assertEqual(chosen.notes, ('"wiki/locked" could not be read.',))

    def test_another_vault_has_nothing_of_the_first(self) -> None:
        self.choose()
        self.write("other/notes/x.md", "leaf")
        other = Vault(f"{self.root}/other", "other", "notes")
        chosen = live.current(Context(other, Around(other)))
        self.assertEqual(self.found(chosen, "leaf"), ["notes/x.md"])
        self.assertEqual(self.found(self.choose(), "leaf"), ["wiki/tea.md"])

    def test_nothing_in_the_module_is_bound_anew(self) -> None:
        before = dict(vars(live))
        self.choose()
        self.build()
        self.choose()
        self.assertTrue(all(value is vars(live)[name] for name, value in before.items()))


class WithAPackedFile(Choosing):
    def setUp(self) -> None:
        super().setUp()
        self.build()

    def test_it_is_ranked_as_it_is_while_nothing_changed(self) -> None:
        chosen = self.choose()
        self.assert_chosen(chosen, "current-by-mtime", "index-file")
        self.assertIsInstance(chosen.index, PackedFile)
        self.assertEqual(self.found(chosen, "water"), ["wiki/coffee.md", "wiki/tea.md"])
        self.assertEqual(self.around.told, [])

    def test_changes_are_mended_in_memory(self) -> None:
        self.write("wiki/tea.md", "lemon")
        self.remove("wiki/milk.md")
        os.rename(Path(self.root, "wiki/coffee.md"), Path(self.root, "wiki/espresso.md"))
        chosen = self.choose()
        self.assert_chosen(chosen, "stale", "live", "older than some pages, .*pi-wiki index")
        self.assertTrue(chosen.complete)
        self.assertEqual(self.found(chosen, "lemon", "bean"), ["wiki/tea.md", "wiki/espresso.md"])
        self.assertEqual(self.found(chosen, "cow", "leaf"), [])
        self.assertEqual(chosen.index.count, 2)

    def test_a_page_with_a_new_time_and_its_old_bytes_is_not_analysed_again(self) -> None:
        self.write("wiki/tea.md", "# Tea\nleaf leaf water")
        with mock.patch.object(follow, "analyse", side_effect=AssertionError):
            chosen = self.choose()
        self.assertEqual(self.found(chosen, "leaf"), ["wiki/tea.md"])

    def test_without_time_the_stale_file_is_ranked_without_ghosts(self) -> None:
        self.write("wiki/tea.md", "lemon")
        self.remove("wiki/milk.md")
        chosen = self.choose(pages_in_time=1)
        self.assert_chosen(chosen, "stale", "index-file", "changed .* 1 not read yet")
        self.assertFalse(chosen.complete)
        self.assertEqual(self.found(chosen, "leaf", "cow"), ["wiki/tea.md"])
        self.assert_chosen(self.choose(), "stale", "live", "read again")

    def test_a_new_file_is_taken_up_at_once(self) -> None:
        self.write("wiki/tea.md", "lemon")
        self.assert_chosen(self.choose(), "stale", "live", "older")
        self.build()
        self.assert_chosen(self.choose(), "current-by-mtime", "index-file")
        self.remove(f"{FILES}/index.bin")
        self.assert_chosen(self.choose(), "unavailable", "live")

    def test_it_comes_before_version_1(self) -> None:
        self.version1()
        self.assertIsInstance(self.choose().index, PackedFile)

    def test_a_damaged_one_is_left_out_with_a_reason(self) -> None:
        self.put("index.bin", b"nothing of the kind" * 100)
        chosen = self.choose()
        self.assert_chosen(chosen, "unavailable", "live", "^index.bin is not used. It is cut short.*pi-wiki index")
        self.assertEqual(self.found(chosen, "leaf"), ["wiki/tea.md"])
        self.version1()
        chosen = self.choose()
        self.assert_chosen(chosen, "current-by-mtime", "index-file", "^index.bin is not used")
        self.assertEqual(self.found(chosen, "only_in_the_file"), ["wiki/milk.md"])

    def test_damage_found_while_it_is_read_leads_to_the_next_best(self) -> None:
        self.large_page()
        self.build()
        file = Path(self.root, FILES, "index.bin")
        data = bytearray(file.read_bytes())
        data[2 * CHUNK] ^= 1
        self.put("index.bin", bytes(data))
        found = live.answered(self.context(), lambda chosen: (self.found(chosen, "leaf", "word1", "word9"), chosen))
        self.assertEqual(found[0], ["wiki/tea.md", "wiki/words.md"])
        self.assert_chosen(found[1], "unavailable", "live", "index.bin is not used. It is damaged between byte")

    def test_one_of_another_version_is_left_out(self) -> None:
        with mock.patch.object(tokens, "TOKENIZER", "older"):
            self.build()
        self.assert_chosen(self.choose(), "unavailable", "live", "made by another version")

    def test_no_link_is_followed_to_it(self) -> None:
        os.rename(Path(self.root, FILES), Path(self.root, "elsewhere"))
        os.symlink(Path(self.root, "elsewhere"), Path(self.root, FILES))
        self.assert_chosen(self.choose(), "unavailable", "live", "index.bin is not used. It lies behind a symbolic link")

    def test_what_the_listing_could_not_see_makes_its_freshness_unknown(self) -> None:
        locked = b"d 0 0 0 0 wiki/locked\0"
        with mock.patch("indexed.scan", side_effect=lambda vault: scan(vault) + locked):
            self.build()
            chosen = self.choose()
        self.assert_chosen(chosen, "unknown", "index-file")
        self.assertEqual((chosen.complete, chosen.notes), (False, ('"wiki/locked" could not be read.',)))

    def test_files_left_open_by_the_last_call_may_be_closed_between_calls(self) -> None:
        self.large_page()
        self.build()
        self.choose()
        os.close(live._MEMORY.files._packed.index.file._handle)  # as the sandbox does
        self.assertEqual(self.found(self.choose(), "leaf", "word1"), ["wiki/tea.md", "wiki/words.md"])


class WithAVersion1File(Choosing):
    def test_it_is_ranked_while_it_holds(self) -> None:
        self.version1()
        chosen = self.choose()
        self.assert_chosen(chosen, "current-by-mtime", "index-file")
        self.assertEqual(chosen.index.tokenizer, "plain")
        self.assertEqual(self.found(chosen, "only_in_the_file"), ["wiki/milk.md"])

    def test_pages_that_changed_came_or_went_make_it_stale(self) -> None:
        def change() -> None:
            self.write("wiki/tea.md", "lemon")

        for change in (change, lambda: self.write("wiki/new.md"), lambda: self.remove("wiki/milk.md")):
            self.version1()
            change()
            chosen = self.choose()
            self.assert_chosen(chosen, "stale", "live", "bm25.json is older .*pi-wiki index")
            self.assertEqual(self.found(chosen, "only_in_the_file"), [])

    def test_without_time_the_stale_file_is_ranked_without_ghosts(self) -> None:
        self.version1()
        self.remove("wiki/milk.md")
        chosen = self.choose(pages_in_time=2)
        self.assert_chosen(chosen, "stale", "index-file", "no time to read")
        self.assertEqual(self.found(chosen, "leaf", "cow"), ["wiki/tea.md"])

    def test_without_time_to_read_the_file_nothing_is_ranked(self) -> None:
        self.version1()
        chosen = self.choose(pages_in_time=1)
        self.assertIsNone(chosen.index)
        self.assert_chosen(chosen, "unknown", None, "no time to read bm25.json")
        self.assert_chosen(self.choose(), "current-by-mtime", "index-file")

    def test_a_malformed_one_is_reported_and_not_half_used(self) -> None:
        self.version1(documents=4)
        chosen = self.choose()
        self.assert_chosen(chosen, "unavailable", "live", "bm25.json is not used. It has another number of pages")
        self.assertEqual(self.found(chosen, "only_in_the_file"), [])


class Interrupted(Choosing):
    def test_at_any_step_the_next_call_ranks_as_if_nothing_had_been(self) -> None:
        """Every line that runs while pages are read is once the one at which the interrupt comes."""
        self.build()
        with self.another_process():
            self.edit_pages()
            expected = ranking(self.choose().index, ["leaf", "water", "lemon", "cow"])
        for base in (True, False):
            if not base:
                self.remove(f"{FILES}/index.bin")
            step = 0
            while True:
                live.forget()
                if self.interrupted_at(step):
                    step += 7
                    self.assertEqual(ranking(self.choose().index, ["leaf", "water", "lemon", "cow"]), expected, step)
                    self.assertEqual(live._MEMORY.follower.index.count, 4)
                else:
                    break
            self.assertGreater(step, 100)

    def edit_pages(self) -> None:
        self.write("wiki/tea.md", "lemon water")
        self.write("wiki/juice.md", "lemon lemon")

    def interrupted_at(self, step: int) -> bool:
        """Choose with an interrupt at the line number ``step`` of those in three modules; false when it ran through."""
        files = {module.__file__ for name, module in sys.modules.items() if name in _INTERRUPTED}
        lines = 0

        def trace(frame: object, event: str, arg: object) -> object:
            nonlocal lines
            if frame.f_code.co_filename not in files:
                return None
            lines += event == "line"
            if lines > step:
                sys.settrace(None)
                raise KeyboardInterrupt
            return trace

        sys.settrace(trace)
        try:
            self.choose()
        except KeyboardInterrupt:
            return True
        finally:
            sys.settrace(None)
        return False


_INTERRUPTED = ("wiki.follow", "wiki.overlay", "wiki.entries", "wiki.live", "wiki.indexfiles")


class Differing(unittest.TestCase):
    def test_what_is_left_out_is_alike_in_both_and_whole_records(self) -> None:
        chance = random.Random(4)
        for _ in range(500):
            old = [b"%d %d" % (path, chance.randint(0, 2)) for path in range(chance.choice([0, 1, 2, 5, 400]))]
            new = [record for record in old if chance.random() < chance.choice([0.5, 0.99])]
            for _ in range(chance.choice([0, 0, 1, 3])):
                new.insert(chance.randint(0, len(new)), b"%d new" % chance.randrange(10**6))
            whole = [b"".join(record + b"\0" for record in records) for records in (old, new)]
            parts = follow.differing(*whole)
            self.assertEqual(
                [set(records) for records in Listing.changes(*parts)], [set(records) for records in Listing.changes(*whole)]
            )

    def test_one_change_leaves_one_record(self) -> None:
        old = b"".join(b"f %d path/of/page-%d\0" % (10**9 + at, at) for at in range(5_000))
        new = old.replace(b"page-2500\0", b"page-25000\0")
        self.assertEqual(
            follow.differing(old, new), (b"f 1000002500 path/of/page-2500\0", b"f 1000002500 path/of/page-25000\0")
        )
        self.assertEqual(follow.differing(old, old), (b"", b""))


class ForDoctor(Choosing):
    def inspect(self) -> dict[str, object]:
        ctx = self.context()
        return live.inspect_files(ctx, Listing.parse(ctx.surroundings.listing()))

    def test_without_a_file_it_says_what_to_run(self) -> None:
        report = self.inspect()
        self.assertEqual((report["ready"], report["indexExists"], report["freshness"]), (False, False, "unavailable"))
        self.assertIn("pi-wiki index", report["reason"])
        self.assertEqual(self.around.told, [])

    def test_a_packed_file_is_ready_fresh_or_stale(self) -> None:
        self.build()
        expected = {"ready": True, "indexExists": True, "index": f"{FILES}/index.bin", "reason": None}
        self.assertEqual(self.inspect(), expected | {"freshness": "current-by-mtime"})
        self.write("wiki/tea.md", "lemon")
        report = self.inspect()
        self.assertEqual((report["ready"], report["freshness"]), (True, "stale"))
        self.assertIn("pi-wiki index", report["reason"])

    def test_a_version_1_file_is_ready_while_it_holds(self) -> None:
        self.version1()
        report = self.inspect()
        self.assertEqual((report["ready"], report["index"]), (True, f"{FILES}/bm25.json"))
        self.write("wiki/tea.md", "lemon")
        report = self.inspect()
        self.assertEqual((report["ready"], report["indexExists"], report["freshness"]), (False, True, "stale"))

    def test_a_damaged_file_exists_and_is_not_ready(self) -> None:
        self.put("index.bin", b"?" * 1_000)
        report = self.inspect()
        self.assertEqual((report["ready"], report["indexExists"], report["freshness"]), (False, True, "unavailable"))
        self.assertIn("index.bin is not used", report["reason"])


if __name__ == "__main__":
    unittest.main()
