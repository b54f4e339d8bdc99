"""Writes a version-1 index file, as ``bm25file.py`` and the Python package read it."""

from __future__ import annotations

from typing import Callable, Final, Iterable

from . import jsontext
from .bm25file import VERSION
from .packedwriter import PageTable, TermPages

_EMIT_CHARS: Final = 256 * 1024


def write_version1(
    emit: Callable[[bytes], None],
    *,
    pages: PageTable,
    terms: Iterable[TermPages],
    tokenizer: str,
) -> int:
    """Write a version-1 file through ``emit``; its length. ``pages`` has kept its titles."""
    names = [jsontext.dumps(path) for path in pages.paths]
    titles = pages.titles_of or []
    out = _Out(emit)
    out.add(f'{{"version":{VERSION},"tokenizer":{jsontext.dumps(tokenizer)},"documents":{len(names)},"lengths":{{')
    out.members(f"{name}:{length}" for name, length in zip(names, pages.lengths))
    out.add('},"titles":{')
    out.members(f"{name}:{jsontext.dumps(own[0] if own else [])}" for name, own in zip(names, titles))
    if any(len(own) > 1 for own in titles):
        out.add('},"aliases":{')
        out.members(f"{name}:{jsontext.dumps(own[1:])}" for name, own in zip(names, titles) if len(own) > 1)
    out.add('},"terms":{')
    out.members(
        f"{jsontext.dumps(term)}:{{{','.join([f'{names[doc]}:{tf}' for doc, tf in zip(docs, tfs)])}}}"
        for term, docs, tfs in terms
    )
    out.add("}}\n")
    return out.finish()


class _Out:
    """Text that leaves in large pieces."""

    def __init__(self, emit: Callable[[bytes], None]) -> None:
        self._emit = emit
        self._parts: list[str] = []
        self._waiting = 0
        self._written = 0

    def add(self, text: str) -> None:
        self._parts.append(text)
        self._waiting += len(text)
        if self._waiting >= _EMIT_CHARS:
            self._flush()

    def members(self, members: Iterable[str]) -> None:
        between = ""
        for member in members:
            self.add(between + member)
            between = ","

    def finish(self) -> int:
        self._flush()
        return self._written

    def _flush(self) -> None:
        data = "".join(self._parts).encode("utf-8")
        self._parts, self._waiting = [], 0
        self._written += len(data)
        self._emit(data)
