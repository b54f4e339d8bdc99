"""Cases in text files under ``fixtures/markdown``: title, dot, input, dot, expected, dot."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

_FOLDER = Path(__file__).parent / ".." / ".." / "fixtures" / "markdown"
# What an editor would not show or keep.
_STANDS_FOR = {"→": "\t", "␠": " ", "␍\n": "\r\n", "␍": "\r"}


@dataclass(frozen=True, slots=True)
class Case:
    title: str
    input: str
    expected: str
    where: str  # file and line, for the message of a failure


def load_cases(name: str) -> list[Case]:
    """All cases of a file; text between cases is comment. Fails where there are none."""
    lines = (_FOLDER / name).read_text("utf-8").split("\n")
    cases, at, title = [], 0, ""
    while at < len(lines):
        if lines[at] != ".":
            title = lines[at] or title
            at += 1
            continue
        middle = lines.index(".", at + 1)
        end = lines.index(".", middle + 1)
        given = "".join(f"{line}\n" for line in lines[at + 1 : middle])
        for mark, meant in _STANDS_FOR.items():
            given = given.replace(mark, meant)
        cases.append(Case(title, given, "\n".join(lines[middle + 1 : end]), f"{name}:{at}"))
        at = end + 1
    if not cases:
        raise AssertionError(f"There is no case in {name}.")
    return cases
