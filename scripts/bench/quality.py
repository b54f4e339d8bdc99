"""How well the ranking finds what is known to be right, natively. Prints one JSON object.

    PYTHONPATH=py python3 scripts/bench/quality.py judged <vault> <queries.tsv> <qrels.tsv>
    PYTHONPATH=py python3 scripts/bench/quality.py known <vault>
    PYTHONPATH=py python3 scripts/bench/quality.py spelling <vault> <wiki folder> <cases> <seed>

Queries take the way of a search up to the point where pages would be opened to be shown.
"""

from __future__ import annotations

import json
import math
import random
import re
import sys
from collections import Counter, defaultdict
from typing import Any

from wiki import live
from wiki.candidates import Wanted, candidates
from wiki.context import Context, Vault
from wiki.excluded import Excluded
from wiki.filters import Filters
from wiki.index import Index
from wiki.markdown import parse
from wiki.native import NativeSurroundings
from wiki.pages import Listing, open_page
from wiki.tokens import searchable, tokenize
from wiki.verbatim import shown

_SENTENCE = re.compile(r".+?(?:[.!?](?=\s|$)|[。！？។]|$)")
_MARKS = re.compile(r"[*_`]")
_NO_TEXT = "#!>|`-<$%:=~[0123456789\t "
_EDITED = re.compile(r"[a-z]{6,}|[а-яіїєґ]{6,}")
_RARE = 3  # pages that have a word which counts as rare


class Wiki:
    """One wiki folder, indexed in memory."""

    def __init__(self, root: str, wiki: str = "wiki") -> None:
        self.vault = Vault(root, root, wiki)
        self.ctx = Context(self.vault, NativeSurroundings(self.vault, seconds=3_600))
        live.forget()
        chosen = live.current(self.ctx)
        assert chosen.index is not None, chosen.reason
        self.index: Index = chosen.index

    def ranked(self, query: str, most: int) -> list[str]:
        everything = Wanted(Filters(), Excluded())
        found = candidates(self.ctx, query, self.index, everything, hybrid=False, least=most)
        return [hit.path for hit in found.ordered][:most]

    def paths(self) -> list[str]:
        return [entry.path for entry in Listing.parse(self.ctx.surroundings.listing()).entries]

    def text(self, path: str) -> str:
        return open_page(self.vault, path).text


def judged(vault: str, queries_file: str, qrels_file: str) -> dict[str, Any]:
    """Binary nDCG@10 and Recall@100 over all queries, over those tuned on (every other one) and over the rest."""
    relevant: dict[str, set[str]] = defaultdict(set)
    for query, page, grade in _rows(qrels_file):
        if int(grade) > 0:
            relevant[query].add(f"wiki/{page}")
    wiki = Wiki(vault)
    rows = []
    for query, text in _rows(queries_file):
        found, wanted = wiki.ranked(text, 100), relevant[query]
        gain = sum(1 / math.log2(at + 2) for at, path in enumerate(found[:10]) if path in wanted)
        ideal = sum(1 / math.log2(at + 2) for at in range(min(10, len(wanted))))
        rows.append((gain / ideal if ideal else 0.0, len(wanted.intersection(found)) / len(wanted) if wanted else 0.0))
    return {"queries": len(rows), "all": _means(rows), "tuned": _means(rows[::2]), "rest": _means(rows[1::2])}


def known(vault: str) -> dict[str, Any]:
    """For each folder of the whole wiki: its pages found among the first three by their title, by their first sentence
    that no other page has, and by their title where at most three pages have the same (others cannot all be among three).
    """
    wiki = Wiki(vault)
    pages = {path: _sentences(wiki.text(path)) for path in wiki.paths()}
    titles = {path: wiki.index.facts(wiki.index.doc_of(path)).title for path in pages}
    sharing = Counter(" ".join(tokenize(title)) for title in titles.values())
    owners = Counter(sentence for sentences in pages.values() for sentence in set(sentences))
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for path, sentences in pages.items():
        count = counts[path.split("/")[1]]
        found = path in wiki.ranked(titles[path], 3)
        count.update(pages=1, title=found)
        if sharing[" ".join(tokenize(titles[path]))] <= 3:
            count.update(apart=1, titleApart=found)
        distinctive = next((sentence for sentence in sentences if owners[sentence] == 1), None)
        if distinctive:
            count.update(sentences=1, sentence=path in wiki.ranked(distinctive, 3))
    return counts


def spelling(vault: str, folder: str, cases: str, seed: str) -> dict[str, Any]:
    """Pages found among the first five by two of their words and a rare third one with one random edit."""
    wiki = Wiki(vault, folder)
    chance = random.Random(int(seed))
    paths = wiki.paths()
    found = tried = 0
    while tried < int(cases):
        path = chance.choice(paths)
        text = wiki.text(path)
        words = sorted({word for word in tokenize(searchable(text, parse(text))) if _EDITED.fullmatch(word)})
        rare = [word for word in words if wiki.index.frequency(word) <= _RARE]
        if not rare or len(words) < 3:
            continue
        edited = chance.choice(rare)
        others = chance.sample([word for word in words if word != edited], 2)
        misspelled = _edit(edited, chance)
        if wiki.index.frequency(misspelled):
            continue  # the edit made another word of the wiki, which is then what was asked for
        tried += 1
        found += path in wiki.ranked(" ".join([others[0], misspelled, others[1]]), 5)
    return {"cases": tried, "found": found / tried}


def _edit(word: str, chance: random.Random) -> str:
    at = chance.randrange(len(word))
    letters = "abcdefghijklmnopqrstuvwxyz" if word.isascii() else "абвгдежзиклмнопрстуфхцчшщъыьэюя"
    kind = chance.choice(("insert", "delete", "replace", "swap"))
    if kind == "insert":
        return word[:at] + chance.choice(letters) + word[at:]
    if kind == "delete":
        return word[:at] + word[at + 1 :]
    if kind == "replace":
        return word[:at] + chance.choice(letters) + word[at + 1 :]
    at = min(at, len(word) - 2)
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def _sentences(text: str) -> list[str]:
    """Sentences of running text as a reader sees them, long enough to say something."""
    found = []
    for line in text[parse(text).body :].splitlines():
        if line and line[0] not in _NO_TEXT:
            seen = _MARKS.sub("", shown(line))
            found += [sentence[0].strip() for sentence in _SENTENCE.finditer(seen)]
    return [sentence for sentence in found if len(sentence) >= (30 if sentence.isascii() else 16)]


def _means(rows: list[tuple[float, float]]) -> dict[str, float]:
    return {"ndcg10": sum(row[0] for row in rows) / len(rows), "recall100": sum(row[1] for row in rows) / len(rows)}


def _rows(file: str) -> list[list[str]]:
    with open(file, encoding="utf-8") as lines:
        return [line.rstrip("\n").split("\t") for line in lines if line.strip()]


if __name__ == "__main__":
    _, kind, *rest = sys.argv
    print(json.dumps({"judged": judged, "known": known, "spelling": spelling}[kind](*rest)))
