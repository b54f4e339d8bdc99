"""What the first characters of a block look like (CommonMark 0.31, chapters 4 and 5). Patterns only, matched
in place.

Every pattern is matched with a position and an end, so that ``\\Z`` is the end of the line. None repeats a
repeat without a possessive mark: a page can hold any text, and no text may make a pattern slow.
"""

from __future__ import annotations

import re
from typing import Final

from .lines import LINE_END

ATX: Final = re.compile(r"(#{1,6})(?:[ \t]++|\Z)")
UNDERLINE: Final = re.compile(r"(?:=++|-++)[ \t]*+\Z")
FENCE: Final = re.compile(r"`{3,}+(?![^`\r\n]*+`)|~{3,}+")
FENCE_CLOSING: Final = re.compile(r"(`{3,}+|~{3,}+)[ \t]*+\Z")
BREAK_MARKS: Final = re.compile(r"(?P<mark>[*_-])(?:(?P=mark)|[ \t])*+")
MARKER: Final = re.compile(r"(?:[*+-]|([0-9]{1,9})[.)])(?=[ \t]|\Z)")
BLANK: Final = re.compile(r"[ \t\f\v]*+\Z")

_NAMES: Final = "|".join(
    """
    address article aside base basefont blockquote body caption center col colgroup dd details dialog dir
    div dl dt fieldset figcaption figure footer form frame frameset h[123456] head header hr html iframe
    legend li link main menu menuitem nav noframes ol optgroup option p param search section summary table
    tbody td tfoot th thead title tr track ul
    """.split()
)
_S: Final = r"[ \t\f\v]"  # the white space of the format, not that of Unicode
_VALUE: Final = rf"""{_S}*+={_S}*+(?:[^"'=<>`\x00-\x20]++|'[^']*+'|"[^"]*+")"""
_ATTRIBUTE: Final = rf"""(?:{_S}++[a-zA-Z_:][a-zA-Z0-9:._-]*+(?:{_VALUE})?)"""
HTML: Final = re.compile(
    rf"""
      (?P<raw><(?:script|pre|textarea|style)(?:{_S}|>|\Z))
    | (?P<comment><!--)
    | (?P<instruction><\?)
    | (?P<declaration><![A-Za-z])
    | (?P<cdata><!\[CDATA\[)
    | (?P<block></?(?:{_NAMES})(?:{_S}|/?>|\Z))
    | (?P<tag><[A-Za-z][A-Za-z0-9-]*+{_ATTRIBUTE}*+{_S}*+/?>{_S}*+\Z|</[A-Za-z][A-Za-z0-9-]*+{_S}*+>{_S}*+\Z)
    """,
    re.X | re.I,
)
# What ends an HTML block, by its kind. The other two kinds, block and tag, end before a blank line.
HTML_END: Final = {
    "raw": re.compile(r"</(?:script|pre|textarea|style)>", re.I),
    "comment": re.compile(r"-->"),
    "instruction": re.compile(r"\?>"),
    "declaration": re.compile(r">"),
    "cdata": re.compile(r"\]\]>"),
}

# A line at the left edge (up to three spaces) that may begin, end or hide a heading of the document. Between
# two such lines nothing can, so the fast way jumps from one to the next. Quotes and lists need no entry: what
# they hold is no heading of the document, and a line at the left edge closes them.
_NOTABLE: Final = r"""
    [ ]{0,3}+
    (?: \#{1,6}+(?:[ \t]|(?=[\r\n])|\Z)
      | `{3} | ~{3}
      | <[A-Za-z/!?]
      | (?:=++|-++)[ \t]*+(?=[\r\n]|\Z)
      | %%
    )
    """
NOTABLE: Final = re.compile(_NOTABLE, re.X)
# Begins with a set of characters on purpose: that is what the engine can look for quickly.
NEXT_NOTABLE: Final = re.compile(rf"[\r\n](?P<line>{_NOTABLE})", re.X)
# A place where nothing can be open whatever came before (fences, HTML blocks and comments apart): a line at
# the very edge after a blank one.
FRESH: Final = re.compile(rf"{LINE_END}[ \t]*+{LINE_END}(?=[^ \t\r\n])")


def html_kind(text: str, at: int, end: int, *, after_text: bool) -> str:
    """The kind of HTML block that begins at ``at``, or nothing. A mere tag does not interrupt text."""
    found = HTML.match(text, at, end)
    if not found or (after_text and found.lastgroup == "tag"):
        return ""
    return found.lastgroup or ""


def without_closing_marks(text: str, start: int, end: int) -> int:
    """Where the text of an ATX heading ends: before closing ``#`` marks, if a space stands before them."""
    content = text[start:end].rstrip(" \t")
    bare = content.rstrip("#")
    if not bare or bare[-1] in " \t":
        content = bare.rstrip(" \t")
    return start + len(content)
