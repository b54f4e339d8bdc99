"""Doctor: what is there, what is skipped and why, what is wrong. It repairs nothing and contacts nothing; what
the host found at the model, where its user asked for that, it puts beside the index.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable
from typing import Any, Final

from . import jsontext
from .arguments import reject_unknown
from .config import DEFAULT_FILE, Configuration
from .context import Context, Vault
from .display import shown_name
from .errors import WikiError
from .excluded import Excluded
from .frontmatter import read_frontmatter
from .live import inspect_files
from .markdown import parse
from .pages import Listing, Unreadable, read_entry
from .presence import check_vault, vault_exists, wiki_problem
from .semanticstate import against_index, inspect_semantic
from .sidefiles import read_side_file

LIFECYCLE_FILE: Final = ".vault-meta/lifecycle/state.json"
LIFECYCLE_MAX_BYTES: Final = 4 * 1024 * 1024
EXAMPLES_MAX: Final = 5
INCOMPLETE_MAX: Final = 20
FAULTS_MAX: Final = 20
FAULTS_SECONDS: Final = 3.0  # what looking for faults may take, of the time there is
RESERVE_SECONDS: Final = 2.0
_HEAD_CHARS: Final = 4_000


def doctor(ctx: Context, args: dict[str, Any]) -> dict[str, Any]:
    """The state of configuration, vault, index and sandbox. A bad vault is a report, not a failure."""
    reject_unknown(args, ("vault",))
    exists = bool(ctx.vault.shown) and vault_exists(ctx.vault)
    wiki_exists = exists and wiki_problem(ctx.vault) is None
    listing = Listing.parse(ctx.surroundings.listing() if wiki_exists else b"")
    semantic = _told(lambda: inspect_semantic(ctx, listing))
    probe = ctx.host.get("probe")
    probed = {"probe": against_index(probe, semantic)} if isinstance(probe, dict) else {}
    return {
        "config": ctx.host.get("config") or Configuration(DEFAULT_FILE, False).report(),
        "dependencies": {"python": sys.version.split()[0]} | (ctx.host.get("dependencies") or {}),
        "vault": ctx.vault.shown or None,
        "wiki": ctx.vault.wiki,
        "vaultExists": exists,
        "wikiExists": wiki_exists,
        "problem": None if wiki_exists else _problem(ctx),
        "cacheExclusions": ctx.host.get("cacheExclusions"),
        "lifecycle": _told(lambda: lifecycle(ctx.vault)),
        "retrieval": _told(lambda: inspect_files(ctx, listing)),
        "semantic": semantic,
        **probed,
        "sandbox": ctx.host.get("sandbox"),
        "pages": _told(lambda: pages(ctx.vault, listing)),
        "frontmatter": _told(lambda: frontmatter(ctx, listing)),
    }


def _problem(ctx: Context) -> str:
    """The sentence that any other operation would have failed with."""
    selecting = ctx.host.get("selectionError")
    if isinstance(selecting, str):
        return selecting
    try:
        check_vault(ctx.vault)
    except WikiError as error:
        return error.message
    return "The wiki folder came while it was looked for. Ask again."


def _told(part: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """One part of the report; what goes wrong in it is its report."""
    try:
        return part()
    except Exception as error:
        return {"error": f"This could not be looked at: {type(error).__name__}: {shown_name(str(error))}"}


def pages(vault: Vault, listing: Listing) -> dict[str, Any]:
    """How many pages search sees, and what it does not see, by reason with examples."""
    excluded = Excluded.load(vault)
    left_out = sum(excluded.matches(entry.path) for entry in listing.entries) if excluded else 0
    skipped: dict[str, Any] = {}
    for reason, paths in sorted(listing.skipped.items()):
        skipped[reason] = {
            "count": len(paths),
            "examples": [shown_name(path) for path in paths[:EXAMPLES_MAX]],
        }
    if "not-local" in skipped:
        skipped["not-local"]["bytes"] = listing.not_local_bytes
    incomplete = listing.incomplete
    return {
        "counted": len(listing.entries) - left_out,
        "skipped": skipped,
        "incomplete": incomplete[:INCOMPLETE_MAX],
        "incompleteCount": len(incomplete),
        "excluded": {"count": left_out, "error": excluded.error},
    }


def frontmatter(ctx: Context, listing: Listing) -> dict[str, Any]:
    """The first pages whose frontmatter is not YAML, each with the line of the page that says so.

    ``checked`` of ``of`` pages were looked at in the time there was.
    """
    budget = min(FAULTS_SECONDS, ctx.surroundings.remaining() - RESERVE_SECONDS)
    ends = time.monotonic() + budget
    faults: list[dict[str, Any]] = []
    checked = 0
    for entry in listing.entries:
        if len(faults) >= FAULTS_MAX or time.monotonic() >= ends:
            break
        checked += 1
        try:
            page = read_entry(ctx.vault, entry)
        except Unreadable as unreadable:
            faults.append(
                {"page": entry.path, "line": None, "message": f"It could not be read: {unreadable.reason}."}
            )
            continue
        error = _fault(page.text, ctx)
        if error is not None:
            faults.append({"page": entry.path, "line": _line_in_page(error), "message": shown_name(error)})
    return {"checked": checked, "of": len(listing.entries), "faults": faults}


def _fault(text: str, ctx: Context) -> str | None:
    if not text.startswith(("---", "\ufeff---")):
        return None
    # The first lines do for most pages; a head without an end in them is looked for in the whole.
    structure = parse(text[:_HEAD_CHARS])
    if structure.frontmatter is None:
        structure = parse(text)
    return read_frontmatter(structure, ctx.surroundings, every_key=True).error


def _line_in_page(error: str) -> int | None:
    """The line of the page that the error names."""
    found = re.search(r"\bline (\d{1,6})\b", error)
    return int(found[1]) if found else None


def lifecycle(vault: Vault) -> dict[str, Any]:
    """Captures that wait to be settled by whoever made them; only counted here."""
    report: dict[str, Any] = {
        "path": LIFECYCLE_FILE,
        "exists": True,
        "valid": False,
        "pending": 0,
        "error": None,
    }
    try:
        data = read_side_file(vault, LIFECYCLE_FILE, LIFECYCLE_MAX_BYTES)
        if data is None:
            return report | {"exists": False, "valid": True}
        state = jsontext.loads(data, max_bytes=LIFECYCLE_MAX_BYTES)
    except OSError as error:
        return report | {"error": f"It cannot be read: {(error.strerror or 'unknown error').lower()}."}
    except ValueError as error:
        return report | {"error": str(error)}
    if not isinstance(state, dict) or state.get("version") != 1 or isinstance(state["version"], bool):
        return report | {"error": "It is not of version 1."}
    pending = state.get("pending")
    if not isinstance(pending, dict):
        return report | {"error": 'Its "pending" is not an object.'}
    examples = [shown_name(name) for name in list(pending)[:EXAMPLES_MAX]]
    return report | {"valid": True, "pending": len(pending), "examples": examples}
