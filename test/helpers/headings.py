"""Headings of the texts and files named on standard input, a JSON list a line, for comparing with another parser."""

import json
import sys

from wiki.lines import Lines
from wiki.markdown import parse


def headings(text):
    structure, lines = parse(text), Lines(text)
    quick = structure.headings
    whole = parse(text)
    _ = whole.blocks
    if whole.headings != quick:
        sys.exit(f"The quick way found other headings than reading everything, in: {text[:2000]!a}")
    return [[heading.level, heading.line, lines.at(heading.end - 1), heading.title] for heading in quick]


for line in sys.stdin:
    asked = json.loads(line)
    if "file" in asked:
        with open(asked["file"], "rb") as file:
            text = file.read().decode("utf-8", "replace")
    else:
        text = asked["text"]
    print(json.dumps(headings(text)))
