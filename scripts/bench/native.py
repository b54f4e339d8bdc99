"""The Python alone, natively and warm in one process; prints one JSON object, times in milliseconds.

    PYTHONPATH=py python3 scripts/bench/native.py VAULT QUERIES
"""

from __future__ import annotations

import json
import sys
import time

from wiki import live
from wiki.context import Context, Vault
from wiki.native import NativeSurroundings
from wiki.search import search


def measured(vault: str, queries: list[str]) -> dict[str, object]:
    place = Vault(vault, vault, "wiki")

    def timed(query: str) -> float:
        started = time.perf_counter()
        search(Context(place, NativeSurroundings(place, seconds=600)), {"query": query})
        return 1000 * (time.perf_counter() - started)

    live.forget()
    return {"firstMs": timed(queries[0]), "queryMs": [timed(query) for query in queries]}


if __name__ == "__main__":
    print(json.dumps(measured(sys.argv[1], json.loads(sys.argv[2]))))
