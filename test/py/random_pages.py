"""Pages put together at random from pieces that mean something, to try rules on what nobody would write."""

from __future__ import annotations

import random
from typing import Final

_PIECES: Final = (
    "# ", "## ", "#", "###### ", "a", "b c", "é", "日本", "\t", " ", "  ", "    ", "- ", "* ", "+ ", "1. ",
    "2) ",
    "> ", "```", "````", "~~~", "~~", "`", "---", "===", "-", "=", "* * *", "<!--", "-->", "<div>", "</div>",
    "<pre>", "</pre>", "<b>", "<del>", "</del>", "<?", "?>", "%%", "[a]: b", "'t'", " ##", "text", "\u2028", "😀",
    "[!outdated]", "## Old (superseded)",
)  # fmt: skip
_LINE_ENDS: Final = ("\n",) * 6 + ("\n\n",) * 3 + ("\r\n", "\r", "\r\n\r\n", "\n \n")


def random_page(chance: random.Random, *, pieces: int = 24) -> str:
    head = chance.choice(("", "", "", "\ufeff", "---\ntitle: x\n---\n", "\ufeff---\r\na: b\r\n---\r\n"))
    parts = (
        chance.choice(_PIECES) if chance.random() < 0.62 else chance.choice(_LINE_ENDS)
        for _ in range(chance.randint(2, pieces))
    )
    return head + "".join(parts)
