"""Which of the two files of the semantic index counts: the one written last, and the other where it is
damaged.
"""

from __future__ import annotations

from .chunks import CHUNKS_FILE, VECTORS_FILE, Store
from .chunksjson import open_chunks
from .context import Context
from .heldfile import look_at
from .index import Damaged
from .vectorsfile import open_vectors

RESERVE_SECONDS = 3.0  # what is left for everything else when reading is given up


def open_store(ctx: Context) -> tuple[Store | None, list[str]]:
    """The file in force, to be closed by the caller, and a sentence for each file that cannot be used."""
    problems = []
    for path in _latest_first(ctx, problems):
        try:
            store = (
                open_vectors(ctx.vault)
                if path == VECTORS_FILE
                else open_chunks(ctx.vault, lambda: _pause(ctx))
            )
        except Damaged as error:
            problems.append(f"{path} cannot be used. {error}")
            continue
        if store is not None:
            return store, problems
    return None, problems


def _latest_first(ctx: Context, problems: list[str]) -> list[str]:
    """The compact file goes first when both were written at the same moment."""
    found = []
    for path in (VECTORS_FILE, CHUNKS_FILE):
        try:
            identity = look_at(ctx.vault, path)
        except Damaged as error:
            problems.append(f"{path} cannot be used. {error}")
            continue
        if identity is not None:
            found.append((-identity.mtime_ns, path != VECTORS_FILE, path))
    return [path for _, _, path in sorted(found)]


def _pause(ctx: Context) -> None:
    if ctx.surroundings.remaining() < RESERVE_SECONDS:
        raise Damaged(
            "It takes longer to read than there is time. "
            "Make a file that need not be read whole with: pi-wiki index --semantic"
        )
