"""Put into a sandbox before its doors are closed: tells on stderr how long parts of a request took, in milliseconds.

What it counts lies in a closure: in a module it would be taken for something that a request left behind.
"""

import sys
import time

from wiki import candidates, follow


def install():
    spent = {}

    def timed(name, function):
        def around(*args, **options):
            started = time.perf_counter()
            try:
                return function(*args, **options)
            finally:
                spent[name] = spent.get(name, 0.0) + 1000 * (time.perf_counter() - started)

        return around

    def told(name, function):
        def around(*args, **options):
            spent.clear()
            result = function(*args, **options)
            print(f"{name} {spent.get(name, 0.0):.4f}", file=sys.stderr)
            return result

        return around

    candidates.rank_all = told("rank", timed("rank", candidates.rank_all))
    follow.read_entry, follow.analyse = timed("pages", follow.read_entry), timed("pages", follow.analyse)
    follow.Follower.catch_up = told("pages", follow.Follower.catch_up)


install()
