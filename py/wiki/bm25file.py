"""Version-1 index files, ``.vault-meta/retrieval/bm25.json``: shared with the Python package, believed in nothing.

The format is the contract's section 7. Two keys beside it are ours: ``tokenizer`` names how the terms were made
(without it they are the package's plain ones), and ``aliases`` lists for a page the titles it has beside the one in
``titles``, each as its tokens. The file is read in pieces and every value is checked: what is malformed anywhere is
not used at all.
"""

from __future__ import annotations

import json
import re
from typing import Any, Callable, Final, Iterator

from .context import Vault
from .display import shown_name
from .entries import Entries
from .heldfile import HeldFile, Identity
from .index import PLAIN, Damaged
from .overlay import Held, LiveIndex
from .pages import encodes
from .piecewise import STRING, PiecewiseText

PATH: Final = ".vault-meta/retrieval/bm25.json"
MAX_BYTES: Final = 256 * 1024 * 1024  # about 17,000 pages of 3 KB; larger vaults want the packed file
VERSION: Final = 1

_NUMBER: Final = r"(?:0|[1-9][0-9]{0,8})(?![0-9.eE])"
_STRING: Final = re.compile(STRING)
_WHOLE: Final = re.compile(_NUMBER)
_SCALAR: Final = re.compile(rf"{STRING}|-?[0-9][0-9.eE+-]{{0,40}}|true|false|null")
_SPACE: Final = r"[ \t\r\n]*+"
_COUNTS: Final = re.compile(
    rf'\{{{_SPACE}(?:{STRING}{_SPACE}:{_SPACE}{_NUMBER}{_SPACE}(?:,{_SPACE}(?=")|(?=\}})))*+\}}'
)
_TOKENS: Final = rf'\[{_SPACE}(?:{STRING}{_SPACE}(?:,{_SPACE}(?=")|(?=\])))*+\]'
_TITLE: Final = re.compile(_TOKENS)
_TITLES: Final = re.compile(rf"\[{_SPACE}(?:{_TOKENS}{_SPACE}(?:,{_SPACE}(?=\[)|(?=\])))*+\]")
_PAIRS: Final = json.JSONDecoder(object_pairs_hook=list)  # a dictionary would hide a key that stands twice


def read_version1(vault: Vault, identity: Identity, pause: Callable[[], None]) -> LiveIndex:
    """The index of the file that ``identity`` names. Raises ``Damaged``; ``pause`` may raise to give up."""
    if identity.size > MAX_BYTES:
        raise Damaged(
            f"It is larger than {MAX_BYTES:,} bytes. Run `pi-wiki index` for a file that need not be read whole."
        )
    file = HeldFile(vault, PATH, identity)
    try:
        reading = _Reading()
        reading.document(PiecewiseText(file, pause))
        if reading.passed_over:  # the terms stood before the pages
            reading.document(PiecewiseText(file, pause))
        return reading.index()
    except ValueError:
        raise Damaged("It is malformed: a text in it is not a JSON string.") from None
    finally:
        file.let_go()


class _Reading:
    """What has been read so far."""

    def __init__(self) -> None:
        self.passed_over = False
        self._numbers: dict[str, int] | None = None  # page -> number, in the order of paths
        self._lengths: list[int] = []
        self._values: dict[str, str] = {}  # scalar members, as they are written
        self._entries = Entries()
        self._titles: dict[tuple[str, ...], list[int]] = {}

    def document(self, text: PiecewiseText) -> None:
        seen: set[str] = set()
        self.passed_over = False
        self._titles = {}
        for key in _members(text, "at its beginning", seen):
            if key == "lengths":
                self._read_lengths(text)
            elif key in ("terms", "titles", "aliases") and self._numbers is None:
                self._pass_over(text, key)
            elif key == "terms":
                self._read_terms(text)
            elif key == "titles":
                self._read_titles(text, _TITLE, lambda value: [value])
            elif key == "aliases":
                self._read_titles(text, _TITLES, lambda value: value)
            else:
                self._values[key] = text.take(_SCALAR, f'"{shown_name(key, most=40)}"')
        if text.peek():
            raise Damaged("It is malformed: something follows its end.")
        missing = {"version", "documents", "lengths", "terms", "titles"} - seen
        if missing:
            raise Damaged(f'It is malformed: it has no "{min(missing)}".')

    def index(self) -> LiveIndex:
        if self._values["version"] != str(VERSION):
            raise Damaged("It is not of version 1.")
        if self._values["documents"] != str(len(self._lengths)):
            raise Damaged("It has another number of pages than it says.")
        tokenizer = json.loads(self._values.get("tokenizer", f'"{PLAIN}"'))
        if not isinstance(tokenizer, str):
            raise Damaged('It is malformed: "tokenizer" is not a text.')
        pages = [Held(path, length, None) for path, length in zip(self._numbers, self._lengths)]
        for numbers in self._titles.values():
            numbers.sort()
        return LiveIndex.of(tokenizer, pages, self._entries, self._titles)

    def _read_lengths(self, text: PiecewiseText) -> None:
        pairs = _pairs(text.take(_COUNTS, '"lengths"'), '"lengths"')
        pairs.sort()
        for path, _ in pairs:
            if not _is_page_path(path):
                raise Damaged("It is malformed: a page in it has no possible path.")
        self._numbers = {path: number for number, (path, _) in enumerate(pairs)}
        self._lengths = [length for _, length in pairs]

    def _read_terms(self, text: PiecewiseText) -> None:
        seen: set[str] = set()
        for term in _members(text, 'in "terms"', seen):
            pairs = _pairs(text.take(_COUNTS, "a term"), "a term")
            try:
                pages = sorted((self._numbers[path], tf) for path, tf in pairs)
            except KeyError:
                raise Damaged("It is malformed: a term of it has a page that it does not know.") from None
            if any(tf < 1 for _, tf in pages):
                raise Damaged("It is malformed: a term stands less than once in a page.")
            if pages:
                self._entries.put(term, pages)

    def _read_titles(self, text: PiecewiseText, pattern: re.Pattern[str], listed: Callable[[Any], Any]) -> None:
        seen: set[str] = set()
        for path in _members(text, "in its titles", seen):
            titles = listed(json.loads(text.take(pattern, "a title")))
            if path not in self._numbers:
                raise Damaged("It is malformed: it has a title for a page that it does not know.")
            for title in {tuple(title) for title in titles if title}:
                self._titles.setdefault(title, []).append(self._numbers[path])

    def _pass_over(self, text: PiecewiseText, key: str) -> None:
        self.passed_over = True
        pattern = {"terms": _COUNTS, "titles": _TITLE, "aliases": _TITLES}[key]
        for _ in _members(text, f'in "{key}"', set()):
            text.take(pattern, f'something in "{key}"')


def _members(text: PiecewiseText, where: str, seen: set[str]) -> Iterator[str]:
    """The keys of an object, each when its value is next; ``seen`` collects them."""
    text.expect("{", where)
    if text.skip("}"):
        return
    while True:
        key = json.loads(text.take(_STRING, "a key"))
        if key in seen:
            raise Damaged(f"It is malformed {where}: a key stands twice.")
        seen.add(key)
        text.expect(":", where)
        yield key
        if not text.skip(","):
            text.expect("}", where)
            return


def _pairs(text: str, what: str) -> list[tuple[str, int]]:
    pairs = _PAIRS.decode(text)
    if len(dict(pairs)) != len(pairs):
        raise Damaged(f"It is malformed: in {what}, a page stands twice.")
    return pairs


def _is_page_path(path: str) -> bool:
    parts = path.split("/")
    possible = all(part not in ("", ".", "..") and "\0" not in part for part in parts)
    return possible and path.lower().endswith(".md") and encodes(path)
