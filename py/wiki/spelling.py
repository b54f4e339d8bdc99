"""Words of an index that differ from a mistyped one by an edit or two: a letter more, less, other, or two swapped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, Final, Iterator

if TYPE_CHECKING:
    from .index import Index

_ONE_EDIT_FROM: Final = 4  # letters; in shorter words an edit makes another word
_TWO_EDITS_FROM: Final = 8
_LATIN: Final = "abcdefghijklmnopqrstuvwxyz"
_CYRILLIC: Final = "абвгдежзиклмнопрстуфхцчшщъыьэюяєіґћђљњџјѕ"  # as folded: е for ё, и for й
_LOOKED_AT_MAX: Final = 60_000  # words compared one by one for two edits


def spelled_alike(word: str, index: Index, *, most: int, may_go_on: Callable[[], bool]) -> list[str]:
    """At most ``most`` words of the index within one edit, else within two, the likeliest first.

    The distance is Damerau and Levenshtein's with adjacent swaps (optimal string alignment), up to 1 from 4 letters
    and 2 from 8. For two edits only words with the same first letter are compared, while ``may_go_on()``.
    """
    letters = next((alphabet for alphabet in (_LATIN, _CYRILLIC) if set(word) <= set(alphabet)), None)
    if letters is None or len(word) < _ONE_EDIT_FROM:
        return []
    near = {candidate: index.frequency(candidate) for candidate in set(_one_edit(word, letters))}
    found = [candidate for candidate, frequency in near.items() if frequency and candidate != word]
    if not found and len(word) >= _TWO_EDITS_FROM:
        found = list(_two_edits(word, index, may_go_on))
    # Typing slips rarely hit the first letter, and a common word was meant more often than a rare one.
    found.sort(key=lambda other: (other[0] != word[0], -index.frequency(other), other))
    return found[:most]


def _one_edit(word: str, letters: str) -> Iterator[str]:
    for at in range(len(word) + 1):
        before, after = word[:at], word[at:]
        for letter in letters:
            yield before + letter + after
            if after:
                yield before + letter + after[1:]
        if after:
            yield before + after[1:]
        if len(after) > 1:
            yield before + after[1] + after[0] + after[2:]


def _two_edits(word: str, index: Index, may_go_on: Callable[[], bool]) -> Iterator[str]:
    length, letters = len(word), set(word)
    for looked_at, other in enumerate(index.terms(word[0])):
        if looked_at >= _LOOKED_AT_MAX or (looked_at % 1_000 == 999 and not may_go_on()):
            return
        if -2 <= len(other) - length <= 2 and len(letters.symmetric_difference(other)) <= 4 and distance(word, other) <= 2:
            yield other


def distance(one: str, other: str) -> int:
    """How many edits apart: insert, delete, replace, or swap two neighbours that are not edited again."""
    before_last: list[int] = []
    last = list(range(len(other) + 1))
    for i, letter in enumerate(one, start=1):
        row = [i]
        for j, wanted in enumerate(other, start=1):
            best = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (letter != wanted))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == wanted:
                best = min(best, before_last[j - 2] + 1)
            row.append(best)
        before_last, last = last, row
    return last[-1]
