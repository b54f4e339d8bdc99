"""Put into a sandbox before its doors are closed: tells on stderr how long parts of a request took, in milliseconds."""

import sys
import time

from wiki import candidates, follow


def timed(name, function):
    def around(*args, **options):
        started = time.perf_counter()
        try:
            return function(*args, **options)
        finally:
            spent[name] = spent.get(name, 0.0) + 1000 * (time.perf_counter() - started)

    return around


def ranked(*args, **options):
    spent.clear()
    found = rank(*args, **options)
    print(f"rank {spent['rank']:.4f}", file=sys.stderr)
    return found


def caught_up(*args, **options):
    spent.clear()
    done = catch_up(*args, **options)
    print(f"pages {spent.get('pages', 0.0):.4f}", file=sys.stderr)
    return done


spent = {}
rank, catch_up = timed("rank", candidates.rank_all), follow.Follower.catch_up
candidates.rank_all = ranked
follow.Follower.catch_up = caught_up
follow.read_entry, follow.analyse = timed("pages", follow.read_entry), timed("pages", follow.analyse)
