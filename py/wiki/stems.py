"""The stem of an English word: what its forms have in common.

M. F. Porter, "An algorithm for suffix stripping", Program 14 (3), 1980, with the two rules its author added later
(``-bli`` and ``-logi``). Words are lower-case ASCII letters; anything else is its own stem.
"""

from __future__ import annotations

import re
from typing import Final

_SHORTEST: Final = 3

# Suffix and what it becomes, longest first, where the part before it has at least one vowel-consonant sequence.
_STEP_2: Final = (
    ("ational", "ate"), ("ization", "ize"), ("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous"),
    ("tional", "tion"), ("biliti", "ble"), ("entli", "ent"), ("ousli", "ous"), ("ation", "ate"), ("alism", "al"),
    ("aliti", "al"), ("iviti", "ive"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"), ("alli", "al"),
    ("ator", "ate"), ("logi", "log"), ("bli", "ble"), ("eli", "e"),
)  # fmt: skip
_STEP_3: Final = (
    ("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ness", ""), ("ful", ""),
)  # fmt: skip
_STEP_4: Final = (
    "ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ion", "ism", "ate", "iti", "ous", "ive", "ize",
    "al", "er", "ic", "ou",
)  # fmt: skip

_VOWEL: Final = "(?:[aeiou]|(?<=[^aeiou])y)"
_SEQUENCE: Final = re.compile(f"{_VOWEL}(?=[^aeiouy]|(?<=[aeiou])y)")
_HAS_VOWEL: Final = re.compile(_VOWEL)
_DOUBLE: Final = re.compile(r"([^aeiouylsz])\1\Z")
_SHORT_END: Final = re.compile("[^aeiou][aeiouy][^aeiouwxy]\\Z")

_known: dict[str, str] = {}
_KNOWN_MAX: Final = 50_000


def stem(word: str) -> str:
    """The stem of a word, which need not be a word: ``relational`` and ``related`` are both ``relat``."""
    if len(word) < _SHORTEST or not (word.isascii() and word.isalpha()):
        return word
    found = _known.get(word)
    if found is None:
        if len(_known) >= _KNOWN_MAX:
            _known.clear()
        found = _known[word] = _stem(word)
    return found


def _stem(word: str) -> str:
    word = _ending(_plural(word))
    if word.endswith("y") and _HAS_VOWEL.search(word, 0, len(word) - 1):
        word = word[:-1] + "i"
    for step in (_STEP_2, _STEP_3):
        for suffix, instead in step:
            if word.endswith(suffix):
                if _measure(word[: -len(suffix)]) > 0:
                    word = word[: -len(suffix)] + instead
                break
    for suffix in _STEP_4:
        if word.endswith(suffix):
            rest = word[: -len(suffix)]
            if _measure(rest) > 1 and (suffix != "ion" or rest[-1:] in ("s", "t")):
                word = rest
            break
    if word.endswith("e"):
        rest = word[:-1]
        if _measure(rest) > 1 or (_measure(rest) == 1 and not _SHORT_END.search(rest)):
            word = rest
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word


def _plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _ending(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for suffix in ("ed", "ing"):
        rest = word[: -len(suffix)]
        if word.endswith(suffix) and _HAS_VOWEL.search(rest):
            if rest.endswith(("at", "bl", "iz")):
                return rest + "e"
            if _DOUBLE.search(rest):
                return rest[:-1]
            return rest + "e" if _measure(rest) == 1 and _SHORT_END.search(rest) else rest
    return word


def _measure(stem: str) -> int:
    """How often a vowel is followed by a consonant; ``y`` is a vowel after a consonant."""
    return len(_SEQUENCE.findall(stem))
