"""Words that stand for each other. The table is small on purpose: a vault adds its own in its configuration."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final

from .tokens import tokenize
from .words import RUN, units

_GROUPS: Final = (
    "k8s kubernetes", "js javascript", "ts typescript", "py python", "rb ruby", "golang go", "cpp c++", "csharp c#",
    "db database", "repo repository", "config configuration settings preferences", "docs documentation manual",
    "env environment", "auth authentication login", "i18n internationalization", "l10n localization",
    "a11y accessibility", "ui interface", "app application", "dir directory folder", "pic picture image photo",
    "todo task", "bug defect issue", "delete remove erase", "begin start", "end finish", "buy purchase",
    "car automobile", "film movie", "doctor physician", "child kid", "big large", "quick fast", "fix repair",
    "error failure fault", "howto guide tutorial", "shortcut hotkey keybinding", "tag label", "link hyperlink url",
    "backup copy", "sync synchronization", "admin administrator", "info information", "spec specification",
    "param parameter argument", "func function", "var variable", "regex regexp", "ml ai", "llm gpt",
    "perf performance", "pkg package", "lib library", "os system", "cli terminal shell console", "colour color",
    "centre center", "licence license", "grey gray", "organise organize", "behaviour behavior", "catalogue catalog",
)  # fmt: skip

_MEMBERS_MAX: Final = 20  # of one word's own list; more would drown it
_GROUPS_MAX: Final = 2_000  # of a configuration


class Synonyms:
    """Each word's others, from the table and from a configuration: ``{word: [other, …]}``, or a list of such groups.

    What is neither is ignored: a slip in a list of synonyms must not end a search. Most searches need none of this.
    """

    def __init__(self, configured: Any) -> None:
        self._configured = configured
        self._own: dict[str, list[str]] | None = None

    def of(self, word: str) -> list[str]:
        """The words that stand for ``word``, a token or a word of a script without spaces."""
        return list(dict.fromkeys([*self._configured_ones().get(word, ()), *_TABLE.get(word, ())]))

    def in_run(self, run: str) -> list[str]:
        """The words of scripts without spaces that others stand for and that a run of such a script holds."""
        characters = "".join(units(run))
        return [word for word in self._configured_ones() if word in characters and RUN.fullmatch(word)]

    def _configured_ones(self) -> dict[str, list[str]]:
        if self._own is None:
            self._own = {}
            _add(self._own, _groups(self._configured))
        return self._own


def tokens_of(word: str) -> list[str]:
    """What a page that has the word has: the word, or in scripts without spaces its pairs of characters."""
    if not RUN.fullmatch(word):
        return [word]
    characters = units(word)
    return [one + other for one, other in pairwise(characters)] or characters


def _groups(configured: Any) -> list[list[str]]:
    if isinstance(configured, dict):
        return [[word, *_texts(others)] for word, others in list(configured.items())[:_GROUPS_MAX]]
    return [_texts(group) for group in configured[:_GROUPS_MAX]] if isinstance(configured, list) else []


def _add(table: dict[str, list[str]], groups: list[list[str]]) -> None:
    for group in groups:
        tokens = list(dict.fromkeys(token for word in group[: _MEMBERS_MAX + 1] if (token := _token(word))))
        for token in tokens:
            table.setdefault(token, []).extend(other for other in tokens if other != token)


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _token(word: str) -> str:
    """A word as its one token, whole where it has parts, or as it is in a script without spaces; nothing for several
    words, which no token can stand for."""
    if RUN.fullmatch(word):
        return "".join(units(word))
    tokens = tokenize(word[:100])
    return tokens[0] if tokens and len(word.split()) == 1 and not RUN.search(word) else ""


# Made here and not when first needed: the start-up snapshot has it for nothing, and no request leaves anything new.
_TABLE: Final[dict[str, list[str]]] = {}
_add(_TABLE, [group.split() for group in _GROUPS])
