"""A vault with a semantic index of as many chunks as asked for, and a query's vector, for ``vectors.mjs``.

Arguments: the vault's folder, chunks, numbers in a vector. Printed: a vector near one of the chunks, as JSON.
"""

from __future__ import annotations

import json
import random
import sys
from array import array
from pathlib import Path

from wiki.chunks import VECTORS_FILE, Identity, hash_of, unit_vector
from wiki.vectorswriter import Coded, PagePieces, Piece, write_vectors

MODEL = Identity("bench", "0" * 64)
CHUNKS_A_PAGE = 4
TOPICS = 40
WORDS = "compost frost pump ledger roof bee kettle lamp river stone market winter letter bread glass".split()


def main(folder: str, chunks: int, dimension: int) -> None:
    dice = random.Random(1)
    topics = [_numbers(dice, dimension) for _ in range(TOPICS)]
    pages = []
    for number in range(chunks // CHUNKS_A_PAGE):
        paragraphs = [f"{' '.join(dice.choices(WORDS, k=40))} {number}.{k}\n\n" for k in range(CHUNKS_A_PAGE)]
        text = "".join(paragraphs)
        path = f"wiki/{number % 100:02}/page-{number}.md"
        file = Path(folder, path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8", newline="")
        pieces, start = [], 0
        for paragraph in paragraphs:
            end = start + len(paragraph)
            vector = _like_a_model(dice, topics)
            pieces.append(Piece.of(start, end, hash_of(paragraph), Coded.of(vector)))
            start = end
        pages.append(PagePieces(path, hash_of(text), pieces))
    index = Path(folder, VECTORS_FILE)
    index.parent.mkdir(parents=True)
    with index.open("wb") as out:
        write_vectors(out.write, sorted(pages, key=lambda page: page.path), MODEL, dimension)
    print(json.dumps({"vector": list(_like_a_model(dice, topics))}))


def _numbers(dice: random.Random, dimension: int) -> list[float]:
    return [byte - 127.5 for byte in dice.randbytes(dimension)]


def _like_a_model(dice: random.Random, topics: list[list[float]]) -> array[float]:
    """Cosines of two of them spread as those of a real model do, by 0.07 to 0.1: all have the first topic in
    part, and one of the others more or less.
    """
    share = dice.uniform(0, 1.5)
    own, topic = _numbers(dice, len(topics[0])), dice.choice(topics)
    vector = unit_vector([a + share * b + 0.4 * c for a, b, c in zip(own, topic, topics[0])])
    assert vector is not None
    return vector


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
