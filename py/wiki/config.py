"""The configuration, and which vault a call is about. Pure: files come through a reader.

The same rules in TypeScript are ``src/host/select.ts``; both are held to ``fixtures/selection.json``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from . import jsontext
from .display import shown_name
from .errors import WikiError
from .locations import Place, absolute, expanded, is_absolute, is_too_wide

DEFAULT_FILE: Final = "~/.config/obsidian-second-brain/properties.json"
DEFAULT_WIKI: Final = "wiki"
FILE_MAX_BYTES: Final = 1024 * 1024
_FEATURES: Final = ("guard", "toc", "autoCommit", "retrievalRefresh")

# The bytes of a file, or None when there is none. Raises OSError when it is there and cannot be read.
Reader = Callable[[str], bytes | None]


@dataclass(frozen=True, slots=True)
class Configuration:
    """What a configuration file says; nothing of it counts where ``error`` says how it is malformed."""

    path: str
    exists: bool
    error: str | None = None
    vault_path: str | None = None
    wiki_path: str | None = None
    features: dict[str, bool] | None = None
    synonyms: Any = None  # as written: ``synonyms.py`` takes what it can of it

    def report(self) -> dict[str, Any]:
        """The part of doctor's payload."""
        return {"path": self.path, "exists": self.exists, "valid": self.error is None, "error": self.error}


@dataclass(frozen=True, slots=True)
class Selection:
    vault: str  # absolute and normal
    source: str  # "input", "environment" or "configuration"
    wiki: str  # vault-relative folder of the pages; "." for the whole vault


def select(
    place: Place,
    environment: Mapping[str, str],
    read: Reader,
    *,
    vault: Any = None,
    config: str | None = None,
    wiki: str | None = None,
) -> Selection:
    """The vault of a call: the tool's input, else the environment's, else the configuration's.

    ``vault`` is the tool's input; ``config`` and ``wiki`` are the command line's options. The configuration
    is opened only where something may come from it: never when the input names the vault. Raises
    ``WikiError``: ``invalid-input``, ``config-invalid`` or ``no-vault``.
    """
    folder = _wiki_of(_given(wiki), "--wiki-path", place) or _wiki_of(
        _given(environment.get("PI_WIKI_PATH")), "PI_WIKI_PATH", place
    )
    if vault is not None and not isinstance(vault, str):
        raise WikiError("invalid-input", '"vault" must be a text, the absolute path of the vault.')
    if _given(vault):
        if not is_absolute(expanded(vault, place), place.platform):
            raise WikiError(
                "invalid-input", f"The vault {_quoted(vault)} is not an absolute path. {_ABSOLUTE_HINT}"
            )
        return _selected(vault, "input", folder, place)
    named = _given(environment.get("OBSIDIAN_VAULT_PATH"))
    if named and folder:
        return _selected(named, "environment", folder, place)
    configuration = read_configuration(configuration_path(place, environment, config=config), read, place)
    if named:
        return _selected(named, "environment", folder or configuration.wiki_path, place)
    if configuration.error is not None:
        raise WikiError("config-invalid", configuration.error)
    if configuration.vault_path is None:
        raise WikiError(
            "no-vault",
            "No vault is selected. Pass vault, set OBSIDIAN_VAULT_PATH, or put vaultPath into "
            f"{shown_name(configuration.path)}{'' if configuration.exists else ', which does not exist'}.",
        )
    return _selected(configuration.vault_path, "configuration", folder or configuration.wiki_path, place)


def configuration_path(place: Place, environment: Mapping[str, str], *, config: str | None = None) -> str:
    """The file that counts as the configuration, absolute. Raises ``invalid-input`` for what is no path."""
    named = _given(config) or _given(environment.get("OBSIDIAN_AGENT_CONFIG")) or DEFAULT_FILE
    try:
        return absolute(named, place)
    except ValueError as error:
        raise WikiError("invalid-input", f"The configuration path {_quoted(named)} {error}.") from None


def read_configuration(path: str, read: Reader, place: Place) -> Configuration:
    """The configuration at ``path``. Never raises: what is wrong becomes ``error``."""
    try:
        data = read(path)
        if data is None:
            return Configuration(path, False)
        return _checked(path, jsontext.loads(data, max_bytes=FILE_MAX_BYTES), place)
    except OSError as error:
        problem = f"It cannot be read: {(error.strerror or 'unknown error').lower()}."
    except (ValueError, WikiError) as error:
        problem = str(error)
    return Configuration(
        path, True, f"The configuration {_quoted(path)} is malformed. {problem} Correct or remove it."
    )


def _checked(path: str, value: Any, place: Place) -> Configuration:
    if not isinstance(value, dict):
        raise ValueError("It must be a JSON object.")
    for key in ("vaultPath", "wikiPath"):
        if not isinstance(value.get(key), (str, type(None))):
            raise ValueError(f'"{key}" must be a text or null.')
    features = value.get("features")
    if not isinstance(features, (dict, type(None))):
        raise ValueError('"features" must be an object or null.')
    known = {name: features[name] for name in _FEATURES if features and features.get(name) is not None}
    for name, flag in known.items():
        if not isinstance(flag, bool):
            raise ValueError(f'"features.{name}" must be true, false or null.')
    vault = _given(value.get("vaultPath"))
    if vault:
        try:
            absolute(vault, place)
        except ValueError as error:
            raise ValueError(f'"vaultPath" {error}.') from None
    wiki = _wiki_of(_given(value.get("wikiPath")), "wikiPath", place)
    return Configuration(path, True, None, vault, wiki, known, value.get("synonyms"))


def _selected(vault: str, source: str, wiki: str | None, place: Place) -> Selection:
    wiki = wiki or DEFAULT_WIKI
    code = "config-invalid" if source == "configuration" else "invalid-input"
    try:
        path = absolute(vault, place)
    except ValueError as error:
        raise WikiError(code, f"The vault {_quoted(vault)} {error}.") from None
    if wiki == "." and is_too_wide(path, place):
        raise WikiError(
            code,
            f"The vault {_quoted(path)} is a whole disk or home folder. Name the folder that holds the wiki.",
        )
    return Selection(path, source, wiki)


def _wiki_of(value: str | None, named_by: str, place: Place) -> str | None:
    """A wiki folder's path in its one form, with ``/``. Raises ``invalid-input``."""
    if value is None:
        return None
    path = value.replace("\\", "/") if place.platform == "nt" else value
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if path.startswith("/") or ".." in parts or _unfit(path, place):
        raise WikiError(
            "invalid-input", f"{named_by} must name a folder inside the vault, not {_quoted(value)}."
        )
    if any(part.startswith(".") for part in parts):
        raise WikiError(
            "invalid-input",
            f"{named_by} names a hidden folder, {_quoted(value)}; hidden files are never pages.",
        )
    return "/".join(parts) or "."


def _unfit(path: str, place: Place) -> bool:
    return "\0" in path or (place.platform == "nt" and ":" in path)


def _given(value: str | None) -> str | None:
    """A blank override counts as unset."""
    return value if value is not None and value.strip() else None


def _quoted(path: str) -> str:
    return f'"{shown_name(path)}"'


_ABSOLUTE_HINT: Final = "Give the whole path from the root, or leave vault out to use the selected one."
