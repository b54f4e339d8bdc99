"""Answers request texts natively: JSON lines ``{"root", "request"}`` on standard input, response texts on standard output.

One process answers many requests, each with surroundings of its own, as one process a call would have.
"""

import json
import sys

from wiki.bridge import handle
from wiki.context import Vault
from wiki.native import NativeSurroundings


class Nobody:
    """Takes the files that the index operation makes."""

    def append(self, name: str, data: bytes) -> None:
        pass


def facts(text):
    """What the surroundings need of a request; of a text that is no request, what would go with any."""
    try:
        request = json.loads(text)
        return request["vault"]["shown"], request["vault"]["wiki"], request["remainingMs"] / 1000
    except (ValueError, TypeError, LookupError, RecursionError, OverflowError):
        return "", "wiki", 30.0


sys.stdin.reconfigure(encoding="utf-8")
sys.stdout.reconfigure(encoding="utf-8", newline="\n")
for line in sys.stdin:
    job = json.loads(line)
    shown, wiki, seconds = facts(job["request"])
    surroundings = NativeSurroundings(Vault(job["root"], shown, wiki), seconds=seconds, taker=Nobody())
    sys.stdout.write(handle(job["request"], surroundings, root=job["root"]) + "\n")
    sys.stdout.flush()
