"""Obsidian's own "Excluded files": what a user has left out of search there is left out here.

``userIgnoreFilters`` in ``.obsidian/app.json`` is a list of texts: ``/pattern/`` is a regular expression
found anywhere in a vault-relative path, anything else the beginning of one. Both without regard to case, as
Obsidian does, and on composed paths, as Obsidian names them even where a disk keeps them decomposed.
"""

from __future__ import annotations

import time
import unicodedata
from dataclasses import dataclass, field
from typing import Final

from . import jsontext
from .context import Vault
from .display import shown_name
from .patterns import Pattern, compile_pattern
from .sidefiles import read_side_file

SETTINGS_FILE: Final = ".obsidian/app.json"
SETTINGS_MAX_BYTES: Final = 1024 * 1024
FILTERS_MAX: Final = 200
SECONDS_MAX: Final = 2.0  # for all patterns over all paths of one call


@dataclass(slots=True)
class Excluded:
    """The filters of one vault. ``error`` says what could not be honoured, and what it was."""

    prefixes: tuple[str, ...] = ()
    patterns: tuple[Pattern, ...] = ()
    error: str | None = None
    _spent: float = field(default=0.0, repr=False)

    @staticmethod
    def load(vault: Vault) -> Excluded:
        """The filters as the settings have them now; none when there are no settings. Never raises."""
        try:
            data = read_side_file(vault, SETTINGS_FILE, SETTINGS_MAX_BYTES)
            if data is None:
                return Excluded()
            return _parsed(jsontext.loads(data, max_bytes=SETTINGS_MAX_BYTES))
        except OSError as error:
            problem = f"It cannot be read: {(error.strerror or 'unknown error').lower()}."
        except ValueError as error:
            problem = str(error)
        return Excluded(error=f"{SETTINGS_FILE} is not honoured, so nothing is excluded. {problem}")

    def __bool__(self) -> bool:
        return bool(self.prefixes or self.patterns)

    def matches(self, path: str) -> bool:
        """Whether ``path`` (vault-relative) is left out of search."""
        path = unicodedata.normalize("NFC", path)
        if self.prefixes and path.casefold().startswith(self.prefixes):
            return True
        if not self.patterns:
            return False
        started = time.perf_counter()
        found = False
        for pattern in self.patterns:
            if len(path) > pattern.longest:
                self.error = (
                    f"Some paths are too long for the patterns in {SETTINGS_FILE}, so they are not left out."
                )
            elif pattern.regex.search(path):
                found = True
                break
        self._spent += time.perf_counter() - started
        if self._spent > SECONDS_MAX:
            self.patterns = ()
            self.error = (
                f"The patterns in {SETTINGS_FILE} take too long, so from here on they are not honoured."
            )
        return found


def _parsed(settings: object) -> Excluded:
    filters = settings.get("userIgnoreFilters") if isinstance(settings, dict) else None
    if filters is None:
        return Excluded()
    if not isinstance(filters, list):
        raise ValueError('"userIgnoreFilters" is not a list.')
    prefixes: list[str] = []
    patterns: list[Pattern] = []
    faults: list[str] = []
    for item in filters[:FILTERS_MAX]:
        if not isinstance(item, str):
            faults.append("One filter is not a text.")
            continue
        item = unicodedata.normalize("NFC", item)
        if len(item) > 2 and item[0] == item[-1] == "/":
            try:
                patterns.append(compile_pattern(item[1:-1]))
            except ValueError as error:
                faults.append(f"The pattern {shown_name(item, most=60)} {error}.")
        elif item:
            prefixes.append(item.casefold())
    if len(filters) > FILTERS_MAX:
        faults.append(f"Only the first {FILTERS_MAX} filters are honoured.")
    more = f" (and {len(faults) - 3} more)" if len(faults) > 3 else ""
    error = f"{SETTINGS_FILE} is honoured in part. {' '.join(faults[:3])}{more}" if faults else None
    return Excluded(tuple(prefixes), tuple(patterns), error)
