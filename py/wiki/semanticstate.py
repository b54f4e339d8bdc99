"""What doctor tells of the semantic index: which model, which pages, which of them hold now. Contacts
nothing.
"""

from __future__ import annotations

import time
from typing import Any, Final

from .chunks import Identity, Store
from .context import Context
from .display import shown_name
from .excluded import Excluded
from .index import Damaged
from .listing import Entry, Listing
from .pages import Unreadable, read_entry
from .stores import open_store

CHECK_SECONDS: Final = 5.0  # what reading pages may take, of the time there is
RESERVE_SECONDS: Final = 4.0
EXAMPLES_MAX: Final = 5
BUILD_AGAIN: Final = "Bring it up to date with: pi-wiki index --semantic"


def inspect_semantic(ctx: Context, listing: Listing) -> dict[str, Any]:
    """The state of the semantic index against the pages on disk."""
    report: dict[str, Any] = {
        "ready": False, "file": None, "model": None, "modelDigest": None, "dimension": None, "chunks": 0,
        "pages": 0, "current": 0, "stale": 0, "missing": 0, "unchecked": 0, "unfit": 0, "examples": [],
        "reason": None, "configured": _configured(ctx),
    }  # fmt: skip
    store, problems = open_store(ctx)
    if store is None:
        reason = " ".join([*problems, "There is no semantic index. Make one with: pi-wiki index --semantic"])
        return report | {"reason": reason}
    try:
        return report | _state(ctx, listing, store) | {"reason": " ".join(problems) or None}
    except Damaged as error:
        return report | {"reason": f"{store.file} cannot be used. {error}"}
    finally:
        store.close()


def against_index(probe: dict[str, Any], report: dict[str, Any]) -> dict[str, Any]:
    """What the host found when a user had it look for the model, with whether the index was made by that.

    ``report`` is that of ``inspect_semantic``. ``fitsIndex`` is ``None`` where there is nothing to compare.
    """
    digest, made, made_digest = probe.get("digest"), report.get("model"), report.get("modelDigest")
    if not (isinstance(digest, str) and isinstance(made, str) and isinstance(made_digest, str)):
        return probe | {"fitsIndex": None, "reason": None}
    now = Identity(str(probe.get("model")), digest)
    why = made_otherwise(Identity(made, made_digest), report.get("dimension"), now, probe.get("dimension"))
    return probe | {"fitsIndex": why is None, "reason": why}


def made_otherwise(
    made: Identity, before: int | None, now: Identity, dimension: int | None
) -> str | None:
    """Why vectors that ``made`` made cannot be compared with those of ``now``; ``None`` when they can.

    ``before`` and ``dimension`` are how many numbers theirs have, as far as that is known.
    """
    shown = shown_name(made.model, most=80)
    if not made.is_same(Identity(now.model, made.digest)):
        why = f'with the model "{shown}", and "{shown_name(now.model, most=80)}" is configured'
    elif not made.is_same(now):
        why = f'with another version of the model "{shown}" than the one installed now'
    elif before is not None and dimension is not None and before != dimension:
        why = f"with vectors of {before} numbers, and the model gives {dimension} now"
    else:
        return None
    return f"The semantic index was made {why}. {BUILD_AGAIN}"


def _state(ctx: Context, listing: Listing, store: Store) -> dict[str, Any]:
    excluded = Excluded.load(ctx.vault)
    known = {path: page for page, path in enumerate(store.paths)}
    searched = [entry for entry in listing.entries if not excluded.matches(entry.path)]
    covered = [entry for entry in searched if entry.path in known]
    ends = time.monotonic() + min(CHECK_SECONDS, ctx.surroundings.remaining() - RESERVE_SECONDS)
    stale: list[str] = []
    checked = 0
    for entry in covered:
        if time.monotonic() >= ends:
            break
        checked += 1
        if not _is_current(ctx, entry, store.content_hash(known[entry.path])):
            stale.append(entry.path)
    identity = store.identity(0) if store.paths else None
    return {
        "ready": checked > len(stale),
        "file": store.file,
        "model": identity and identity.model,
        "modelDigest": identity and identity.digest,
        "dimension": store.dimension(0) if len(store.starts) else None,
        "chunks": len(store.starts),
        "pages": len(store.paths),
        "current": checked - len(stale),
        "stale": len(stale),
        "missing": len(searched) - len(covered),
        "unchecked": len(covered) - checked,
        "unfit": store.unfit,
        "examples": stale[:EXAMPLES_MAX],
    }


def _configured(ctx: Context) -> dict[str, Any] | None:
    """The model and address that would be asked; an address that holds a password is not repeated."""
    ollama = ctx.host.get("ollama")
    if not isinstance(ollama, dict):
        return None
    address = str(ollama.get("baseUrl"))
    return {"model": ollama.get("model"), "address": None if "@" in address else address}


def _is_current(ctx: Context, entry: Entry, content_hash: str) -> bool:
    try:
        return read_entry(ctx.vault, entry).hash == content_hash
    except Unreadable:
        return False
