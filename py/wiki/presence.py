"""Whether a vault and its wiki folder are there, and if not, what to do about it."""

from __future__ import annotations

import os
import stat

from .aliases import same_name
from .context import Vault
from .display import shown_name
from .errors import WikiError
from .locations import missing_hint
from .scan import is_link


def check_vault(vault: Vault) -> None:
    """Raises ``no-vault``, ``vault-missing`` or ``wiki-missing``, each with what to do about it."""
    if not vault.shown:
        raise WikiError("no-vault", "No vault is selected. Pass vault, or set OBSIDIAN_VAULT_PATH.")
    if not vault_exists(vault):
        hint = missing_hint(vault.shown) or "Check its spelling, and that its disk is there."
        raise WikiError(
            "vault-missing",
            f'The vault "{shown_name(vault.shown)}" is not a folder that can be opened. {hint}',
            {"vault": vault.shown},
        )
    problem = wiki_problem(vault)
    if problem:
        raise WikiError("wiki-missing", problem, {"vault": vault.shown, "wiki": vault.wiki})


def vault_exists(vault: Vault) -> bool:
    try:
        return stat.S_ISDIR(os.stat(vault.root).st_mode)
    except (OSError, ValueError):
        return False


def wiki_problem(vault: Vault) -> str | None:
    """Why the wiki folder is none, in sentences; ``None`` when it is one."""
    here = vault.root
    name = f'"{shown_name(vault.wiki, most=80)}"'
    for part in vault.wiki.split("/"):
        if part == ".":
            continue
        try:
            status = os.lstat(f"{here}/{part}")
        except (OSError, ValueError):
            return f'The vault "{shown_name(vault.shown)}" has no folder {name}. {_instead(here, part)}'
        if is_link(status):
            return (
                f"The wiki folder {name} lies behind a symbolic link. Name the folder where it really lies."
            )
        if not stat.S_ISDIR(status.st_mode):
            return f'The wiki folder {name} of the vault "{shown_name(vault.shown)}" is not a folder.'
        here = f"{here}/{part}"
    return None


def _instead(folder: str, part: str) -> str:
    try:
        alike = [name for name in sorted(os.listdir(folder)) if same_name(name, part)]
    except OSError:
        alike = []
    if alike:
        return f'There is "{shown_name(alike[0], most=80)}": use that spelling.'
    return (
        "Put pages there, or name another folder with PI_WIKI_PATH, --wiki-path or wikiPath in the "
        "configuration (a dot stands for the whole vault)."
    )
