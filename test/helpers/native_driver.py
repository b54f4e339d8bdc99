"""Answers request texts natively: JSON lines ``{"root", "request"}`` on standard input, response texts on standard output.

One process answers many requests, each with surroundings of its own, as one process a call would have.
"""

import json
import sys

from wiki.bridge import handle
from wiki.context import Vault
from wiki.native import NativeSurroundings

sys.stdin.reconfigure(encoding="utf-8")
sys.stdout.reconfigure(encoding="utf-8", newline="\n")
for line in sys.stdin:
    job = json.loads(line)
    request = json.loads(job["request"])
    vault = Vault(job["root"], request["vault"]["shown"], request["vault"]["wiki"])
    surroundings = NativeSurroundings(vault, seconds=request["remainingMs"] / 1000)
    sys.stdout.write(handle(job["request"], surroundings, root=job["root"]) + "\n")
    sys.stdout.flush()
