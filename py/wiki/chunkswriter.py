"""Writing ``chunks.json``, version 1, for vaults shared with the Python package: the same chunks, with their
text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from . import jsontext
from .chunks import ALGORITHM, MAX_CHARS, TARGET_CHARS, Identity
from .container import from_little
from .context import Context
from .errors import WikiError
from .markdown import Span
from .pagecut import PageCut
from .pages import open_page
from .vectorswriter import PagePieces, Piece

_NUMBER: Final = "{:.9g}".format  # nine digits tell 32-bit floats apart


def write_chunks(
    emit: Callable[[bytes], None], ctx: Context, pages: Sequence[PagePieces], identity: Identity
) -> None:
    """Give the whole file to ``emit``, page by page. A page that has changed meanwhile is left out."""
    settings = {"algorithm": ALGORITHM, "maxChars": MAX_CHARS, "targetChars": TARGET_CHARS}
    facts = {"model": identity.model, "modelDigest": identity.digest, "settings": settings}
    emit(b'{"pages":{')
    before = ""
    for number, page in enumerate(pages):
        ctx.surroundings.progress("Writing chunks.json", number, len(pages))
        cut = _as_it_was(ctx, page)
        if cut is None:
            continue
        chunks = ",".join(_chunk(cut, piece) for piece in page.pieces)
        head = jsontext.dumps({"contentHash": page.content_hash} | facts)[:-1]
        emit(f'{before}\n{jsontext.dumps(page.path)}:{head},"chunks":[{chunks}]}}'.encode())
        before = ","
    emit(b'\n},"version":1}\n')


def _chunk(cut: PageCut, piece: Piece) -> str:
    facts = {
        "text": cut.rendered(Span(piece.start, piece.end)),
        "start": piece.start,
        "end": piece.end,
        "sourceHash": piece.source_hash,
        "strategy": ALGORITHM,
    }
    numbers = ",".join(map(_NUMBER, from_little("f", piece.numbers())))
    return f'{jsontext.dumps(facts)[:-1]},"vector":[{numbers}]}}'


def _as_it_was(ctx: Context, page: PagePieces) -> PageCut | None:
    try:
        now = open_page(ctx.vault, page.path)
    except WikiError:
        return None
    return PageCut(ctx, now) if now.hash == page.content_hash else None
