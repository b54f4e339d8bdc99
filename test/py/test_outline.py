"""Outline: the contract's answer for one page, some sections at a time, always of one version of the page."""

from __future__ import annotations

import hashlib

from reading import Reading
from wiki.outline import outline


class Outline(Reading):
    def outline(self, **args: object) -> dict:
        return outline(self.ctx, {"page": "wiki/a.md", **args})

    def test_the_answer_has_the_contracts_keys_in_order(self) -> None:
        self.page("# A\nx\n")
        answer = self.outline(vault="/anything")
        keys = "vault page title expectedHash characters lines total sections nextOffset".split()
        self.assertEqual(list(answer), keys)
        section = "section level title breadcrumb start end ownEnd lineStart lineEnd".split()
        self.assertEqual(list(answer["sections"][0]), section)

    def test_facts_and_sections_of_a_page(self) -> None:
        text = "lead é\n# A\n## B\nx"
        self.page(text)
        answer = self.outline()
        self.assertEqual((answer["vault"], answer["page"]), (self.vault.shown, "wiki/a.md"))
        self.assertEqual(answer["expectedHash"], hashlib.sha256(text.encode()).hexdigest())
        self.assertEqual((answer["characters"], answer["lines"], answer["total"]), (len(text), 4, 3))
        self.assertIsNone(answer["nextOffset"])
        self.assertEqual([tuple(section.values()) for section in answer["sections"]], [
            ("^lead", 0, "", "", 0, 7, 7, 1, 1),
            ("#a", 1, "A", "A", 7, 17, 11, 2, 4),
            ("#b", 2, "B", "A > B", 11, 17, 17, 3, 4),
        ])  # fmt: skip

    def test_an_empty_page_has_no_section(self) -> None:
        self.page("")
        answer = self.outline()
        self.assertEqual(
            (answer["characters"], answer["lines"], answer["total"], answer["sections"]), (0, 0, 0, [])
        )

    def test_the_hash_is_of_the_bytes_and_positions_are_of_the_text(self) -> None:
        data = b"\xef\xbb\xbfa\r\n# H \xff\r\n"
        self.write_bytes("wiki/a.md", data)
        answer = self.outline()
        self.assertEqual(answer["expectedHash"], hashlib.sha256(data).hexdigest())
        self.assertEqual((answer["characters"], answer["lines"]), (11, 2))
        self.assertEqual(answer["sections"][1]["title"], "H \ufffd")

    def test_the_title_is_the_frontmatters_else_the_first_h1_else_the_file_name(self) -> None:
        self.page("---\ntitle: x\n---\n## Two\n# One\n# Other\n")
        self.surroundings.values = {"title": "From the head"}
        self.assertEqual(self.outline()["title"], "From the head")
        self.surroundings.values = {}
        self.assertEqual(self.outline()["title"], "One")
        self.page("## Two\n", "wiki/b/c.d.MD")
        self.assertEqual(outline(self.ctx, {"page": "wiki/b/c.d.MD"})["title"], "c.d")

    def test_sections_come_some_at_a_time(self) -> None:
        self.page("".join(f"# {i}\n" for i in range(25)))
        first = self.outline()
        self.assertEqual((len(first["sections"]), first["total"], first["nextOffset"]), (10, 25, 10))
        hash_now = first["expectedHash"]
        last = self.outline(offset=20, limit=5, expectedHash=hash_now)
        self.assertEqual(
            ([s["title"] for s in last["sections"]], last["nextOffset"]),
            (["20", "21", "22", "23", "24"], None),
        )
        self.assertEqual(self.outline(offset=24, limit=1, expectedHash=hash_now)["nextOffset"], None)
        self.assertEqual(self.outline(offset=23, limit=1, expectedHash=hash_now)["nextOffset"], 24)
        self.assertEqual(self.outline(offset=25, expectedHash=hash_now)["sections"], [])
        self.assertEqual(self.outline(offset=10**30, expectedHash=hash_now.upper())["sections"], [])
        self.assertEqual(len(self.outline(limit=100)["sections"]), 25)

    def test_going_on_needs_the_hash_of_the_first_answer(self) -> None:
        self.page("# A\n")
        error = self.failure("invalid-input", outline, self.ctx, {"page": "wiki/a.md", "offset": 1})
        self.assertIn("expectedHash", error.message)
        self.outline(offset=0)

    def test_a_page_changed_in_between_is_told_with_the_hash_of_now(self) -> None:
        self.page("# A\n")
        before = self.outline()["expectedHash"]
        self.page("# B\n")
        error = self.failure(
            "hash-mismatch", outline, self.ctx, {"page": "wiki/a.md", "expectedHash": before}
        )
        self.assertEqual((error.payload or {})["expectedHash"], self.outline()["expectedHash"])

    def test_what_cannot_be_asked(self) -> None:
        self.page("# A\n")
        for args in (
            {"limit": 0},
            {"limit": 101},
            {"offset": -1},
            {"limit": True},
            {"limit": "5"},
            {"section": "A"},
            {"page": None},
            {"page": 5},
        ):
            with self.subTest(str(args)):
                self.failure("invalid-input", outline, self.ctx, {"page": "wiki/a.md", **args})
        self.failure("page-not-found", outline, self.ctx, {"page": "wiki/b.md"})
