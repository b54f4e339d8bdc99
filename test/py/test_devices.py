"""The devices of the sandbox, with files in their place: everything is read and written, and every failure is
told.
"""

from __future__ import annotations

import json
import os
import tempfile
import unittest
from pathlib import Path

import wiki.devices
from swapping import swapped
from wiki.bridge import serve
from wiki.devices import SandboxSurroundings, received, sent
from wiki.errors import WikiError


class Devices(unittest.TestCase):
    """Files in the place of the devices: one handle reads on where it has written."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        real = os.open
        opening = swapped(
            wiki.devices.os, "open", lambda path, flags: real(path.replace("/dev/", f"{self.folder}/"), flags)
        )
        opening.__enter__()
        self.addCleanup(opening.__exit__, None, None, None)

    def device(self, name: str, data: bytes = b"") -> Path:
        file = Path(self.folder, name)
        file.write_bytes(data)
        return file

    def answering(self, name: str, question: bytes, answer: bytes) -> Path:
        return self.device(name, b"?" * len(question) + answer)

    def test_everything_is_read_and_written_however_small_the_pieces(self) -> None:
        file = self.device("d", b"0123456789" * 1_000)
        read, write = os.read, os.write
        with swapped(wiki.devices.os, "read", lambda handle, most: read(handle, min(most, 7))):
            self.assertEqual(received("/dev/d"), b"0123456789" * 1_000)
        with swapped(wiki.devices.os, "write", lambda handle, data: write(handle, bytes(data)[:7])):
            sent("/dev/d", b"abcdefghij" * 1_000)
        self.assertEqual(file.read_bytes(), b"abcdefghij" * 1_000)

    def test_one_write_takes_at_most_a_mebibyte(self) -> None:
        self.device("d")
        sizes: list[int] = []
        write = os.write
        with swapped(
            wiki.devices.os, "write", lambda handle, data: sizes.append(len(data)) or write(handle, data)
        ):
            sent("/dev/d", b"x" * (2 * 1024 * 1024 + 1))
        self.assertEqual(sizes, [1024 * 1024, 1024 * 1024, 1])

    def test_a_device_that_takes_nothing_is_an_error(self) -> None:
        self.device("d")
        with swapped(wiki.devices.os, "write", lambda handle, data: 0), self.assertRaises(OSError):
            sent("/dev/d", b"x")

    def test_a_request_is_answered_through_the_devices(self) -> None:
        self.device(
            "wiki_req", b'{"operation":"outline","arguments":{"page":5},"vault":{"shown":"/v","wiki":"wiki"}}'
        )
        answer = self.device("wiki_res")
        serve()
        self.assertIs(json.loads(answer.read_bytes())["ok"], False)

    def test_a_request_that_is_not_utf_8_is_answered_too(self) -> None:
        self.device("wiki_req", b'\xff{"operation"')
        answer = self.device("wiki_res")
        serve()
        self.assertEqual(json.loads(answer.read_bytes())["code"], "invalid-input")

    def test_the_listing_is_read_once(self) -> None:
        self.device("wiki_listing", b"f 1 1 1 1 wiki/a.md\0")
        surroundings = SandboxSurroundings()
        self.assertEqual(surroundings.listing(), b"f 1 1 1 1 wiki/a.md\0")
        self.device("wiki_listing")
        self.assertEqual(surroundings.listing(), b"f 1 1 1 1 wiki/a.md\0")

    def test_yaml_is_text_out_and_json_text_in(self) -> None:
        text = "title: é\n"
        self.answering("wiki_yaml", text.encode(), b'{"ok":true,"value":"{\\"title\\":\\"\xc3\xa9\\"}"}')
        self.assertEqual(SandboxSurroundings().yaml(text), '{"title":"é"}')

    def test_a_fault_in_yaml_is_a_value_error_with_its_sentence(self) -> None:
        self.answering("wiki_yaml", b"a: [", b'{"ok":false,"error":"line 1: no end"}')
        with self.assertRaisesRegex(ValueError, "^line 1: no end$"):
            SandboxSurroundings().yaml("a: [")

    def test_yaml_that_cannot_be_asked_is_a_value_error(self) -> None:
        with self.assertRaises(ValueError):
            SandboxSurroundings().yaml("a: b")
        with self.assertRaises(ValueError):
            SandboxSurroundings().yaml("x" * (1024 * 1024 + 1))

    def test_a_question_to_the_host_is_answered_with_an_object(self) -> None:
        self.answering("wiki_ask", b'{"ask":"embed"}', b'{"vectors":[[1]]}')
        self.assertEqual(SandboxSurroundings().ask({"ask": "embed"}), {"vectors": [[1]]})

    def test_a_host_that_fails_is_an_error_in_the_answer(self) -> None:
        surroundings = SandboxSurroundings()
        self.assertIn("error", surroundings.ask({"ask": "embed"}))  # there is no such device
        for answer in (b"", b"[1]", b"{", b"[" * 5_000):
            self.answering("wiki_ask", b'{"ask":"embed"}', answer)
            self.assertEqual(list(surroundings.ask({"ask": "embed"})), ["error"])
        self.assertIn("larger", surroundings.ask({"texts": ["x" * (1024 * 1024)]})["error"])

    def test_progress_is_told_now_and_then_and_at_the_end(self) -> None:
        told: list[bytes] = []
        surroundings = SandboxSurroundings()
        with swapped(wiki.devices, "sent", lambda device, data: told.append(data)):
            for done in range(1, 1_001):
                surroundings.progress("Reading pages", done, 1_000)
        self.assertEqual(told[0], b"1 1000 Reading pages")
        self.assertEqual(told[-1], b"1000 1000 Reading pages")
        self.assertLess(len(told), 200)

    def test_progress_that_nobody_takes_does_no_harm(self) -> None:
        SandboxSurroundings().progress("Reading\npages", 1, 2)

    def test_a_file_goes_out_as_a_header_and_its_bytes(self) -> None:
        out = self.device("wiki_out")
        SandboxSurroundings().emit("bm25.json", b"\x00\xff")
        self.assertEqual(out.read_bytes(), b'{"name":"bm25.json","bytes":2}\x00\xff')

    def test_a_file_that_the_host_does_not_take_is_a_failure(self) -> None:
        with self.assertRaises(WikiError) as caught:
            SandboxSurroundings().emit("bm25.json", b"x")
        self.assertEqual(caught.exception.code, "sandbox-failed")

    def test_the_time_left_is_what_the_request_allowed(self) -> None:
        surroundings = SandboxSurroundings()
        surroundings.allow(5.0)
        self.assertLessEqual(surroundings.remaining(), 5.0)
        self.assertGreater(surroundings.remaining(), 4.0)


if __name__ == "__main__":
    unittest.main()
