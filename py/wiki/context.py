"""What every operation is given: the vault, the surroundings, and facts only the host knows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .surroundings import Surroundings


@dataclass(frozen=True, slots=True)
class Vault:
    """A vault as the program reaches it and as the user named it."""

    root: str  # where its files are opened: ``/vault`` in the sandbox, the real path natively
    shown: str  # the user's own path: text to show, never opened
    wiki: str = "wiki"  # vault-relative folder of the pages; ``.`` for the whole vault


@dataclass(frozen=True, slots=True)
class Context:
    vault: Vault
    surroundings: Surroundings
    host: dict[str, Any] = field(default_factory=dict)  # config, git and run-time facts for doctor
