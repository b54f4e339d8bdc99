"""Words of a query that no page has, and what may have been meant: looked for at less than half their weight.

A word that pages have is never widened, so a rescue can add pages to an answer but cannot disturb what the query's
own words say.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Final

from .queries import Asked
from .forms import Forms, form
from .index import PLAIN
from .spelling import spelled_alike
from .synonyms import Synonyms, tokens_of

RESCUE_WEIGHT: Final = 0.4

_USED_MAX: Final = 8  # words tried in a page's stead, for one that is missing
_EACH_MAX: Final = 5  # of one kind
_PREFIX_FROM: Final = 3  # characters that say enough to complete them
_SAME_BEGINNING_FROM: Final = 4
_COMPLETIONS_MAX: Final = 300  # words with the same beginning that are looked at
_PART_FROM: Final = 3  # letters of each part of a compound
_LINKS: Final = ("", "s", "es", "n", "en", "o", "-")  # between the parts of a German, Dutch or Russian compound


@dataclass(frozen=True, slots=True)
class Rescue:
    """What was found for the missing words: terms to rank with, and for each missing word what was tried."""

    weighted: tuple[tuple[str, float], ...]
    tried: dict[str, list[str]]  # the word as the query has it -> the words used instead, none if nothing was near


def rescue(
    asked: Asked,
    query: str,
    index: Forms,
    synonyms: Synonyms,
    may_go_on: Callable[[], bool],
) -> Rescue:
    """Look for the words of ``asked``, which is ``query`` taken apart, that no page has."""
    weighted: list[tuple[str, float]] = []
    tried: dict[str, list[str]] = {}
    words = asked.words
    missing = {piece.token for piece in words if not _has(index, piece.token, asked.sentence)}
    for at, piece in enumerate(words):
        name = query[piece.start : piece.end]
        if piece.token not in missing or name in tried:
            continue
        neighbours = [words[i].token for i in (at - 1, at, at + 1) if 0 <= i < len(words)]
        used = _instead(piece.token, neighbours, index, synonyms, may_go_on)
        tried[name] = used
        weighted += _weighted(used)
    for run in asked.subject if index.tokenizer != PLAIN else ():
        for word in synonyms.in_run(run):
            if word not in tried and not _has_whole(index, word):
                tried[word] = [other for other in synonyms.of(word) if _has_whole(index, other)][:_EACH_MAX]
                weighted += _weighted(tried[word])
    for piece in asked.beside:
        joined = "".join(c for c in piece.token if c.isalnum())
        if not index.frequency(piece.token) and joined != piece.token and index.frequency(joined):
            tried[query[piece.start : piece.end]] = [joined]
            weighted.append((joined, RESCUE_WEIGHT))
    return Rescue(tuple(weighted), tried)


def _weighted(words: list[str]) -> list[tuple[str, float]]:
    return [(token, RESCUE_WEIGHT) for word in words for token in tokens_of(word)]


def _has_whole(index: Forms, word: str) -> bool:
    return all(index.frequency(token) for token in tokens_of(word))


def _has(index: Forms, word: str, sentence: bool) -> bool:
    return index.frequency(word) > 0 or (sentence and word.isascii() and word.isalpha() and index.frequency(form(word)) > 0)


def _instead(
    word: str,
    neighbours: list[str],
    index: Forms,
    synonyms: Synonyms,
    may_go_on: Callable[[], bool],
) -> list[str]:
    found = [other for other in synonyms.of(word) if _has_whole(index, other)][:_EACH_MAX]
    if not any(character.isalpha() for character in word):
        return found  # another number is another thing
    found += _composed(word, neighbours, index)
    found += _same_beginning(word, index)
    if word.isalpha():
        found += spelled_alike(word, index, most=_EACH_MAX, may_go_on=may_go_on)
    return list(dict.fromkeys(found))[:_USED_MAX]


def _composed(word: str, neighbours: list[str], index: Forms) -> list[str]:
    """The word joined with the one before or after it, or else its two parts."""
    joined = [one + other for one, other in zip(neighbours, neighbours[1:], strict=False) if word in (one, other)]
    found = [compound for compound in joined if index.frequency(compound)]
    return found or (list(_parts(word, index)) if word.isalpha() else [])


def _parts(word: str, index: Forms) -> tuple[str, ...]:
    """The split of a compound whose rarer part most pages have; of equals, the first."""
    best: tuple[str, ...] = ()
    most = 0
    for at in range(_PART_FROM, len(word) - _PART_FROM + 1):
        first = index.frequency(word[:at])
        for link in _LINKS if first > most else ():
            second = word[at + len(link) :]
            if word.startswith(link, at) and len(second) >= _PART_FROM:
                common = min(first, index.frequency(second))
                if common > most:
                    best, most = (word[:at], second), common
    return best


def _same_beginning(word: str, index: Forms) -> list[str]:
    """Words that go on where this one ends, and words that share all but its end, such as other cases of a noun."""
    if len(word) < _PREFIX_FROM:
        return []
    completions = _most_common(index, word, lambda other: True)
    shared = max(_SAME_BEGINNING_FROM, (7 * len(word) + 9) // 10)
    if len(completions) >= _EACH_MAX or shared >= len(word):
        return completions
    near = _most_common(index, word[:shared], lambda other: abs(len(other) - len(word)) <= 3)
    near.sort(key=lambda other: -_shared(word, other))
    return (completions + [other for other in near if other not in completions])[:_EACH_MAX]


def _most_common(index: Forms, beginning: str, fits: Callable[[str], bool]) -> list[str]:
    found: list[tuple[int, str]] = []
    for looked_at, term in enumerate(index.terms(beginning)):
        if looked_at >= _COMPLETIONS_MAX:
            break
        if term.isalnum() and fits(term):
            found.append((-index.frequency(term), term))
    return [term for _, term in sorted(found)[:_EACH_MAX]]


def _shared(one: str, other: str) -> int:
    """How many characters two words have in common from the beginning."""
    length = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        length += 1
    return length
