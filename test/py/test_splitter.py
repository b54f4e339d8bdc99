"""Pages are cut at their own boundaries, to the character, and where neighbours are least alike."""

from __future__ import annotations

import random
import unittest

from wiki.chunks import MAX_CHARS, TARGET_CHARS
from wiki.markdown import Span, parse
from wiki.sections import sections
from wiki.splitter import Block, blocks, cut, in_one, rendered
from wiki.untyped import searchable


def blocks_of(text: str) -> list[Block]:
    structure = parse(text)
    return blocks(searchable(text, structure), structure)


def texts(text: str) -> list[str]:
    return [text[block.start : block.end] for block in blocks_of(text)]


def long(word: str, characters: int = 300) -> str:
    """A paragraph of about so many characters."""
    return " ".join([word] * (characters // (len(word) + 1))) + "."


class Blocks(unittest.TestCase):
    def test_a_paragraph_is_a_block_with_exact_offsets(self) -> None:
        text = f"\n\n{long('one')}\n\n  \n{long('two')}\n"
        self.assertEqual(texts(text), [long("one"), long("two")])

    def test_a_heading_stays_with_what_follows_it(self) -> None:
        text = f"# A\n\n{long('one')}\n\n## B\n{long('two')}\n"
        self.assertEqual(texts(text), [f"# A\n\n{long('one')}", f"## B\n{long('two')}"])
        self.assertEqual([block.opens for block in blocks_of(text)], [True, True])

    def test_a_fence_is_one_block_with_its_blank_lines_and_its_hashes(self) -> None:
        fence = f"```sh\n# no heading\n\n\n{long('run')}\n```"
        text = f"{long('before')}\n\n{fence}\n{long('after')}\n"
        self.assertEqual(texts(text), [long("before"), fence, long("after")])

    def test_frontmatter_is_one_block(self) -> None:
        head = f"---\ntitle: T\n\ndescription: {long('what', 250)}\n---"
        self.assertEqual(texts(f"{head}\n\n{long('body')}"), [head, long("body")])

    def test_small_neighbours_are_joined_up_to_the_next_heading(self) -> None:
        text = "# A\none\n\ntwo\n\n- three\n\n# B\nfour\n"
        self.assertEqual(texts(text), ["# A\none\n\ntwo\n\n- three", "# B\nfour"])

    def test_windows_line_ends_and_wide_characters_keep_their_places(self) -> None:
        text = f"# É 🌱\r\n\r\n{long('né')}\r\n\r\n{long('日本')}\r\n"
        self.assertEqual(texts(text), [f"# É 🌱\r\n\r\n{long('né')}", long("日本")])

    def test_a_block_that_is_too_long_is_broken_after_lines_then_sentences_then_words_then_anywhere(
        self,
    ) -> None:
        lines = "\n".join(long("line", 400) for _ in range(10))
        self.assertTrue(all(part.endswith(".") for part in texts(lines)))
        sentences = " ".join(long("word", 100) for _ in range(40))
        self.assertTrue(all(part.endswith("word.") for part in texts(sentences)))
        chinese = "我们用倒排索引做全文检索。" * 300
        self.assertTrue(all(part.endswith("。") for part in texts(chinese)))
        self.assertEqual("".join(texts("x" * 5_000)), "x" * 5_000)
        words = "word " * 1_000
        self.assertTrue(all(part.startswith("word") for part in texts(words)))

    def test_what_nobody_typed_is_in_no_block(self) -> None:
        image = "![](data:image/png;base64," + "A" * 5_000 + ")"
        found = texts(f"{long('before')}\n\n{image}\n\n{long('after')}\n")
        self.assertNotIn("A" * 100, "".join(found))
        self.assertTrue(found[0].startswith(long("before")) and found[-1].endswith(long("after")))

    def test_an_empty_or_blank_page_has_none(self) -> None:
        for text in ("", " \n\t\n", "\ufeff"):
            self.assertEqual(texts(text.strip("\ufeff")), [], repr(text))
        self.assertTrue(in_one([]))

    def test_any_text_is_covered_but_for_blanks_and_no_block_is_too_long(self) -> None:
        dice = random.Random(7)
        parts = [
            "# H\n",
            "\n",
            "\n\n",
            "text ",
            "```\n",
            "- item\n",
            "    code\n",
            "%%\n",
            "<div>\n",
            "---\n",
            "> q\n",
            "é🌱",
            "\r\n",
            "x" * 700,
        ]
        for _ in range(300):
            text = "".join(dice.choice(parts) for _ in range(dice.randrange(60)))
            shown = searchable(text, parse(text))
            position = 0
            for block in blocks_of(text):
                self.assertEqual(shown[position : block.start].strip(), "", repr(text))
                self.assertTrue(0 < block.end - block.start <= MAX_CHARS, repr(text))
                position = block.end
            self.assertEqual(shown[position:].strip(), "", repr(text))


class Cuts(unittest.TestCase):
    def cut(self, text: str, likeness: list[float]) -> list[str]:
        found = blocks_of(text)
        self.assertEqual(len(likeness), len(found) - 1)
        return [text[span.start : span.end] for span in cut(found, likeness)]

    def test_a_page_is_cut_where_neighbours_are_least_alike(self) -> None:
        paragraphs = [long(word, 400) for word in ("a", "b", "c", "d", "e", "f")]
        text = "\n\n".join(paragraphs)
        self.assertEqual(
            self.cut(text, [0.9, 0.9, 0.1, 0.9, 0.9]),
            ["\n\n".join(paragraphs[:3]), "\n\n".join(paragraphs[3:])],
        )
        self.assertEqual(
            self.cut(text, [0.9, 0.1, 0.9, 0.1, 0.9]),
            ["\n\n".join(paragraphs[at : at + 2]) for at in (0, 2, 4)],
        )

    def test_only_differences_within_the_page_count_not_how_alike_the_model_finds_all_texts(self) -> None:
        text = "\n\n".join(long(word, 400) for word in ("a", "b", "c", "d", "e", "f"))
        likeness = [0.9, 0.2, 0.7, 0.1, 0.6]
        near = [0.95 + alike / 100 for alike in likeness]
        self.assertEqual(self.cut(text, likeness), self.cut(text, near))

    def test_a_chunk_rather_begins_with_a_heading(self) -> None:
        text = f"{long('a', 500)}\n\n{long('b', 500)}\n\n# Next\n{long('c', 500)}\n\n{long('d', 500)}"
        self.assertEqual(self.cut(text, [0.5, 0.5, 0.5])[1][:6], "# Next")

    def test_no_chunk_is_longer_than_the_most_and_most_are_near_the_target(self) -> None:
        dice = random.Random(3)
        text = "\n\n".join(long("word", dice.randrange(50, 1_700)) for _ in range(200))
        found = blocks_of(text)
        spans = cut(found, [dice.random() for _ in found[1:]])
        lengths = sorted(span.end - span.start for span in spans)
        self.assertLessEqual(lengths[-1], MAX_CHARS)
        self.assertTrue(TARGET_CHARS * 0.7 < lengths[len(lengths) // 2] < TARGET_CHARS * 1.4)
        self.assertEqual(spans[0].start, found[0].start)
        self.assertEqual([found[-1].end], [spans[-1].end])

    def test_a_page_that_fits_is_one_chunk(self) -> None:
        self.assertTrue(in_one(blocks_of(long("a", 800) + "\n\n" + long("b", 800))))
        self.assertFalse(in_one(blocks_of(long("a", 1_000) + "\n\n" + long("b", 1_000))))

    def test_nothing_is_cut_of_nothing(self) -> None:
        self.assertEqual(cut([], []), [])


class Rendered(unittest.TestCase):
    def render(self, text: str, start: int, end: int, title: str = "Page") -> str:
        structure = parse(text)
        return rendered(
            title, searchable(text, structure), structure, sections(text, structure), Span(start, end)
        )

    def test_a_chunk_is_embedded_below_its_title_and_headings(self) -> None:
        text = "# Page\n\n## Part\nintro\n\n### Detail\nthe text\n"
        start = text.index("the text")
        self.assertEqual(
            self.render(text, start, start + 8), "Title: Page\nHeading: Page > Part > Detail\nthe text"
        )

    def test_the_title_is_not_said_twice(self) -> None:
        self.assertEqual(self.render("# Page\nbody", 7, 11), "Title: Page\nbody")

    def test_a_fence_that_is_cut_is_opened_and_closed(self) -> None:
        text = "```\none\ntwo\nthree\n```\n"
        start, end = text.index("two"), text.index("three")
        self.assertEqual(self.render(text, start, end), "Title: Page\n```\ntwo\n\n```")

    def test_headings_without_end_are_shortened(self) -> None:
        text = f"# {'h' * 5_000}\nbody"
        self.assertLess(len(self.render(text, text.index("body"), len(text), "t" * 5_000)), 700)


if __name__ == "__main__":
    unittest.main()
