"""Doctor tells what is there and what is wrong, of any vault, and changes nothing."""

from __future__ import annotations

import json
import os
import unittest
from pathlib import Path
from typing import Any

import wiki.doctor
import wiki.scan
from folders import Folder, altered
from swapping import swapped
from wiki.context import Context, Vault
from wiki.doctor import doctor
from wiki.errors import WikiError
from wiki.scan import scan

PARTS = (
    "config dependencies vault wiki vaultExists wikiExists problem cacheExclusions lifecycle retrieval"
    " semantic sandbox pages frontmatter"
).split()


class Around:
    """Surroundings with the vault's own listing; YAML is at fault where a text says so, on line 2."""

    def __init__(self, vault: Vault) -> None:
        self.vault = vault
        self.left = 30.0

    def listing(self) -> bytes:
        return scan(self.vault)

    def yaml(self, text: str) -> str:
        if "bad" in text:
            raise ValueError("line 2: this is bad")
        return "{}"

    def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        raise AssertionError("doctor contacts nothing")

    def progress(self, what: str, done: int, total: int) -> None:
        pass

    def remaining(self) -> float:
        return self.left

    def emit(self, name: str, data: bytes) -> None:
        raise AssertionError("doctor writes nothing")


class Doctor(Folder):
    def report(self, vault: Vault | None = None, *, left: float = 30.0, **host: Any) -> dict[str, Any]:
        around = Around(vault or self.vault)
        around.left = left
        report = doctor(Context(vault or self.vault, around, host), {})
        self.assertEqual(sorted(report), sorted(PARTS))
        json.dumps(report, allow_nan=False)
        return report

    def test_a_healthy_vault_is_counted(self) -> None:
        self.write("wiki/a.md")
        self.write("wiki/b/c.md")
        report = self.report()
        self.assertEqual((report["vaultExists"], report["wikiExists"], report["problem"]), (True, True, None))
        self.assertEqual(
            report["pages"],
            {
                "counted": 2,
                "skipped": {},
                "incomplete": [],
                "incompleteCount": 0,
                "excluded": {"count": 0, "error": None},
            },
        )
        self.assertEqual(report["frontmatter"], {"checked": 2, "of": 2, "faults": []})

    def test_what_only_the_host_knows_is_passed_through(self) -> None:
        facts = {
            "config": {"path": "/c", "exists": True, "valid": False, "error": "It is malformed."},
            "cacheExclusions": {"x": 1},
            "sandbox": {"runtime": "r"},
        }
        report = self.report(**facts, dependencies={"node": "24"})
        for name, fact in facts.items():
            self.assertEqual(report[name], fact)
        self.assertEqual(sorted(report["dependencies"]), ["node", "python"])
        self.assertEqual(sorted(self.report()["config"]), ["error", "exists", "path", "valid"])

    def test_a_missing_vault_is_a_report_and_not_a_failure(self) -> None:
        report = self.report(Vault(f"{self.root}/nowhere", "/my/vault"))
        self.assertEqual(
            (report["vault"], report["vaultExists"], report["wikiExists"]), ("/my/vault", False, False)
        )
        self.assertIn("/my/vault", report["problem"])
        self.assertEqual(report["pages"]["counted"], 0)

    def test_no_vault_at_all_is_a_report_with_the_reason(self) -> None:
        nowhere = Vault(os.devnull, "")
        self.assertIsNone(self.report(nowhere)["vault"])
        self.assertIn("No vault is selected", self.report(nowhere)["problem"])
        self.assertEqual(self.report(nowhere, selectionError="It is relative.")["problem"], "It is relative.")

    def test_a_missing_wiki_folder_is_a_report_with_what_to_do(self) -> None:
        report = self.report()
        self.assertEqual((report["vaultExists"], report["wikiExists"]), (True, False))
        self.assertIn("PI_WIKI_PATH", report["problem"])

    def test_what_is_skipped_is_counted_by_reason_with_a_few_examples(self) -> None:
        self.write("wiki/a.md")
        self.write("wiki/log.md")
        for number in range(8):
            self.write(f"wiki/.h{number}")
        os.symlink("a.md", Path(self.root, "wiki/l\n.md"))
        skipped = self.report()["pages"]["skipped"]
        self.assertEqual(skipped["reserved"], {"count": 1, "examples": ["wiki/log.md"]})
        self.assertEqual(skipped["symlink"], {"count": 1, "examples": ["wiki/l\\u000a.md"]})
        self.assertEqual(skipped["hidden"]["count"], 8)
        self.assertEqual(len(skipped["hidden"]["examples"]), 5)

    def test_files_in_the_cloud_are_counted_with_their_size(self) -> None:
        self.write("wiki/a.md", "12345")
        self.write("wiki/b.md", "123")
        real = os.lstat
        with swapped(wiki.scan.os, "lstat", lambda path: altered(real(path), st_blocks=0)):
            pages = self.report()["pages"]
        self.assertEqual(pages["counted"], 0)
        self.assertEqual(
            pages["skipped"]["not-local"], {"count": 2, "examples": ["wiki/a.md", "wiki/b.md"], "bytes": 8}
        )

    def test_a_folder_that_cannot_be_read_is_named(self) -> None:
        self.write("wiki/closed/a.md")
        real = os.scandir

        def scandir(path: str) -> Any:
            if path.endswith("closed"):
                raise PermissionError(13, "Permission denied")
            return real(path)

        with swapped(wiki.scan.os, "scandir", scandir):
            pages = self.report()["pages"]
        self.assertEqual(pages["incomplete"], ['"wiki/closed" could not be read.'])

    def test_excluded_pages_are_counted_and_broken_settings_told(self) -> None:
        self.write("wiki/a.md")
        self.write("wiki/old/b.md")
        self.write(".obsidian/app.json", '{"userIgnoreFilters":["wiki/old/"]}')
        pages = self.report()["pages"]
        self.assertEqual((pages["counted"], pages["excluded"]), (1, {"count": 1, "error": None}))
        self.write(".obsidian/app.json", '{"userIgnore')
        pages = self.report()["pages"]
        self.assertEqual((pages["counted"], pages["excluded"]["count"]), (2, 0))
        self.assertIn("app.json", pages["excluded"]["error"])

    def test_faults_in_frontmatter_are_told_with_the_line_in_the_page(self) -> None:
        self.write("wiki/a.md", "---\ntitle: fine\n---\n")
        self.write("wiki/b.md", "---\ntitle: t\nbad\n---\n# B\n")
        self.write("wiki/c.md", "\ufeff---\r\ntitle: bad\r\n---\r\n")
        self.write("wiki/d.md", "bad\n---\n")
        faults = self.report()["frontmatter"]["faults"]
        self.assertEqual(
            [(fault["page"], fault["line"]) for fault in faults], [("wiki/b.md", 3), ("wiki/c.md", 3)]
        )
        self.assertIn("this is bad", faults[0]["message"])

    def test_faults_are_looked_for_only_while_there_is_time_and_room(self) -> None:
        for number in range(30):
            self.write(f"wiki/p{number:02}.md", "---\nbad: x\n---\n")
        found = self.report()["frontmatter"]
        self.assertEqual((len(found["faults"]), found["checked"], found["of"]), (20, 20, 30))
        self.assertEqual(self.report(left=1.0)["frontmatter"], {"checked": 0, "of": 30, "faults": []})

    def test_captures_that_wait_are_counted(self) -> None:
        self.write("wiki/a.md")
        self.assertEqual(self.report()["lifecycle"]["exists"], False)
        for state, valid, pending, error in (
            ({"version": 1, "vault": "/v", "pending": {"a": {}, "b": {}}}, True, 2, None),
            ({"version": 1, "pending": {}}, True, 0, None),
            ({"version": 2, "pending": {}}, False, 0, "version 1"),
            ({"version": True, "pending": {}}, False, 0, "version 1"),
            ({"version": 1, "pending": []}, False, 0, "pending"),
            ([], False, 0, "version 1"),
        ):
            self.write(".vault-meta/lifecycle/state.json", json.dumps(state))
            lifecycle = self.report()["lifecycle"]
            self.assertEqual(
                (lifecycle["exists"], lifecycle["valid"], lifecycle["pending"]), (True, valid, pending)
            )
            self.assertIn(error or "", lifecycle["error"] or "")
        self.write(".vault-meta/lifecycle/state.json", "[" * 5_000)
        self.assertIn("nested", self.report()["lifecycle"]["error"])

    def test_no_link_is_followed_on_the_way_to_a_file_of_ours(self) -> None:
        self.write("wiki/a.md")
        self.write("elsewhere/state.json", '{"version":1,"pending":{"a":1}}')
        Path(self.root, ".vault-meta").mkdir()
        os.symlink("../elsewhere", Path(self.root, ".vault-meta/lifecycle"))
        lifecycle = self.report()["lifecycle"]
        self.assertEqual((lifecycle["valid"], lifecycle["pending"]), (False, 0))
        self.assertIn("symbolic link", lifecycle["error"])

    def test_a_part_that_fails_is_reported_and_hides_no_other(self) -> None:
        self.write("wiki/a.md")

        def fails(*_: Any) -> dict[str, Any]:
            raise KeyError("surprise")

        with swapped(wiki.doctor, "inspect_files", fails):
            report = self.report()
        self.assertIn("KeyError", report["retrieval"]["error"])
        self.assertEqual(report["pages"]["counted"], 1)

    def test_unknown_arguments_are_refused(self) -> None:
        with self.assertRaises(WikiError):
            doctor(Context(self.vault, Around(self.vault)), {"fix": True})


if __name__ == "__main__":
    unittest.main()
