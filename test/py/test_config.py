"""Which vault a call is about, for every case of the table that the TypeScript side is held to as well."""

from __future__ import annotations

import json
import unittest
from pathlib import Path

from wiki.config import configuration_path, read_configuration, select
from wiki.errors import WikiError
from wiki.locations import Place, missing_hint

TABLE = json.loads((Path(__file__).parents[2] / "fixtures" / "selection.json").read_text("utf-8"))


class Files:
    """The only files there are, and a note of which were opened."""

    def __init__(self, case: dict) -> None:
        self.texts = case.get("files", {})
        self.unreadable = case.get("unreadable", [])
        self.opened: list[str] = []

    def read(self, path: str) -> bytes | None:
        self.opened.append(path)
        if path in self.unreadable:
            raise PermissionError(13, "Permission denied")
        text = self.texts.get(path)
        return None if text is None else text.encode("utf-8")


def place_of(case: dict) -> Place:
    return Place(case["platform"], **TABLE["places"][case["platform"]])


def selected(case: dict, files: Files) -> dict:
    options = case.get("options", {})
    try:
        selection = select(
            place_of(case),
            case.get("environment", {}),
            files.read,
            vault=case.get("input"),
            config=options.get("config"),
            wiki=options.get("wiki"),
        )
    except WikiError as error:
        return {"code": error.code}
    return {"vault": selection.vault, "source": selection.source, "wiki": selection.wiki}


class Selection(unittest.TestCase):
    def test_the_table_holds_every_combination(self) -> None:
        self.assertGreaterEqual(len(TABLE["cases"]), 250)

    def test_every_case_selects_what_the_table_says(self) -> None:
        for case in TABLE["cases"]:
            with self.subTest(case["name"]):
                self.assertEqual(selected(case, Files(case)), case["expect"])

    def test_no_file_is_opened_that_the_table_does_not_name(self) -> None:
        for case in TABLE["cases"]:
            with self.subTest(case["name"]):
                files = Files(case)
                selected(case, files)
                self.assertLessEqual(set(files.opened), set(case["opened"]))

    def test_doctor_hears_of_a_malformed_configuration_in_every_case(self) -> None:
        for case in TABLE["cases"]:
            with self.subTest(case["name"]):
                place = place_of(case)
                path = configuration_path(
                    place, case.get("environment", {}), config=case.get("options", {}).get("config")
                )
                report = read_configuration(path, Files(case).read, place).report()
                self.assertEqual(report["error"] is not None, case["configError"])
                self.assertEqual(report["valid"], report["error"] is None)
                self.assertEqual(report["path"], path)

    def test_every_failure_says_what_to_do_in_at_most_500_characters(self) -> None:
        for case in TABLE["cases"]:
            if "code" not in case["expect"]:
                continue
            with self.subTest(case["name"]):
                with self.assertRaises(WikiError) as caught:
                    select(
                        place_of(case),
                        case.get("environment", {}),
                        Files(case).read,
                        vault=case.get("input"),
                        config=case.get("options", {}).get("config"),
                        wiki=case.get("options", {}).get("wiki"),
                    )
                self.assertRegex(caught.exception.message, r"\.$")
                self.assertLessEqual(len(caught.exception.message), 500)


class MissingHint(unittest.TestCase):
    def test_a_path_with_the_escapes_of_a_shell_is_explained(self) -> None:
        self.assertIn("backslash", missing_hint("/Users/me/Library/Mobile\\ Documents/x"))

    def test_names_that_only_a_shell_fills_in_are_explained(self) -> None:
        for path in ("/work/$HOME/x", "/work/~/x", "/work/${HOME}", "C:\\%USERPROFILE%\\x"):
            self.assertIn("shell", missing_hint(path), path)

    def test_an_ordinary_path_needs_no_hint(self) -> None:
        for path in ("/data/My Vault (2)", "C:\\Users\\Ann (2)\\v", "/data/100% sure"):
            self.assertEqual(missing_hint(path), "", path)


if __name__ == "__main__":
    unittest.main()
