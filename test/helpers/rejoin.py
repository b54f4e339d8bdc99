"""Reads every page of a vault in every way and joins the parts again. Usage: rejoin.py VAULT SECTIONS-A-PAGE [MAX-CHARS ...]

Prints ``{"pages", "sections", "reads", "refused", "failures"}``. Sections of longer pages are tried evenly spread. A page is read
in parts of one of the sizes given.
"""

import json
import os
import random
import sys

from wiki.context import Context, Vault
from wiki.errors import WikiError
from wiki.native import NativeSurroundings
from wiki.outline import outline
from wiki.read import read

root, most = sys.argv[1], int(sys.argv[2])
sizes = [int(size) for size in sys.argv[3:]] or [12_000, 12_000, 900]
vault = Vault(root, root)
ctx = Context(vault, NativeSurroundings(vault, seconds=600))
chance = random.Random(2)
counts = {"pages": 0, "sections": 0, "reads": 0, "refused": {}, "failures": []}


def parts_of(asked):
    """All parts of one selection, as an agent would ask for them."""
    answer = read(ctx, asked)
    while True:
        counts["reads"] += 1
        yield answer
        if not answer["truncated"]:
            return
        rest = {name: asked[name] for name in ("page", "maxChars")}
        answer = read(ctx, {**rest, "cursor": answer["cursor"]})


def joined(asked):
    return "".join(part["text"] for part in parts_of(asked))


def covered(asked, start, end):
    """Whether segments and spans left out are the selection, each character once, and segments the text."""
    at = start
    for part in parts_of({**asked, "view": "current"}):
        pieces = [(s["start"], s["end"], True) for s in part["segments"]]
        pieces += [(e["start"], e["end"], False) for e in part["elided"]]
        kept = ""
        for a, b, is_kept in sorted(pieces):
            if a != at:
                return False
            kept += text[a:b] if is_kept else ""
            at = b
        if kept != part["text"] or part["end"] != at:
            return False
    return at == end


def nested(sections, length):
    """Whether a section ends where the next of its level or a higher one begins, and in it those that begin in it."""
    around = []  # the ends of the sections that are open
    for at, section in enumerate(sections):
        start, own, end = section["start"], section["ownEnd"], section["end"]
        while around and around[-1] <= start:
            around.pop()
        if not start <= own <= end or around and end > around[-1]:
            return False
        after = (other["start"] for other in sections[at + 1 :] if other["level"] <= section["level"])
        if section["level"] and end != next(after, length):
            return False
        around.append(end)
    return True


def check(what, holds):
    if not holds:
        counts["failures"].append(f"{page}: {what}")


for folder, _, names in sorted(os.walk(os.path.join(root, "wiki"))):
    for name in sorted(names):
        page = os.path.relpath(os.path.join(folder, name), root)
        if not name.lower().endswith(".md"):
            continue
        try:
            answer = outline(ctx, {"page": page, "limit": 100})
        except WikiError as error:
            refusal = (error.payload or {}).get("refusal", error.code)
            counts["refused"][refusal] = counts["refused"].get(refusal, 0) + 1
            continue
        counts["pages"] += 1
        with open(os.path.join(folder, name), "rb") as file:
            text = file.read().decode("utf-8", "replace")
        hash_now = answer["expectedHash"]
        found = answer["sections"]
        while answer["nextOffset"] is not None:
            more = {"page": page, "limit": 100, "offset": answer["nextOffset"], "expectedHash": hash_now}
            answer = outline(ctx, more)
            found += answer["sections"]
        check("characters", answer["characters"] == len(text))
        check("nesting", nested(found, len(text)))
        check("own spans", "".join(text[s["start"] : s["ownEnd"]] for s in found) == text)
        size = chance.choice(sizes)
        asked = {"page": page, "expectedHash": hash_now, "maxChars": size}
        check("the whole page", joined({**asked, "start": 0, "end": len(text)}) == text)
        check("current", covered({**asked, "start": 0, "end": len(text)}, 0, len(text)))
        step = max(1, len(found) // most)
        for section in found[::step]:
            counts["sections"] += 1
            whole, own = (section["start"], section["end"]), (section["start"], section["ownEnd"])
            given = joined({**asked, "section": section["section"]})
            check(section["section"], given == text[whole[0] : whole[1]])
            check(
                f"{section['section']} alone",
                joined({**asked, "start": own[0], "end": own[1]}) == text[own[0] : own[1]],
            )
print(json.dumps(counts))
