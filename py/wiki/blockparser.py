"""The block structure of Markdown, by line: which lines are headings, code, HTML, comments, quotes or running
text.

Follows the block phase of CommonMark 0.31 (appendix "A parsing strategy"), with one addition from Obsidian:
a line that begins with ``%%`` opens a comment that lasts until the next ``%%``, whatever stands between,
unless there is none. Knows positions only; each line is looked at once, and the work is linear in the length
of the text whatever it holds.
"""

from __future__ import annotations

from typing import Final

from . import starts
from .found import Blocks, RawHeading
from .linereader import LineReader
from .lines import line_start, next_line_end
from .references import skip_definitions

_QUOTE: Final = -1  # in place of a list item's width
_SPECIAL: Final = frozenset("#`~*+_=<>-%0123456789")
_STARTS_ITEM: Final = frozenset("*+-0123456789")


class _Container:
    """An open list item or quote."""

    __slots__ = ("start", "used", "width")

    def __init__(self, width: int, start: int) -> None:
        self.width = width  # columns its content is indented by, or _QUOTE
        self.used = False  # whether it holds anything yet
        self.start = start


class BlockParser(LineReader):
    """Reads one line after another. The leaf is the open block that holds lines and no other block."""

    __slots__ = (
        "_fence", "_last_end", "_leaf", "_leaf_end", "_leaf_start", "_lines", "_stack", "found", "was_blank",
    )  # fmt: skip

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.found = Blocks()
        self.was_blank = False  # the line before held spaces at most
        self._stack: list[_Container] = []
        self._leaf = ""  # "", "text", "code", "fence", or the kind of an HTML block
        self._leaf_start = self._leaf_end = 0
        self._fence = ""  # the marks that opened the fence
        self._lines: list[tuple[int, int]] = []  # of the open paragraph: the text of each line
        self._last_end = 0

    @property
    def nothing_open(self) -> bool:
        """Whether the next line stands alone, whatever it is."""
        return not self._stack and not self._leaf

    @property
    def only_breakable(self) -> bool:
        """Whether a line at the left edge, coming after a blank one, would close everything that is open."""
        return bool(self._stack) or self._leaf in ("", "text", "code")

    def line(self, start: int, end: int) -> int:
        """Read the line ``text[start:end]``. Returns where what was read ends: further on after a comment."""
        self.begin(start, end)
        blank = self.at == end
        # A second blank line changes nothing, and looking again at all that is open would cost.
        if not (blank and self.was_blank):
            end = self._read()
            self._last_end = end
        self.was_blank = blank
        return end

    def close(self) -> None:
        """Close everything that is open: the text ends here, or the next line stands alone."""
        self._close_to(0)

    def _read(self) -> int:
        matched = self._match_containers()
        pending = matched < len(self._stack)  # what stays open only if this line is a lazy continuation
        blank = self.blank
        in_text = False
        if self._leaf and not pending:
            if self._leaf == "text":
                in_text = not blank
            elif self._leaf_goes_on(blank):
                return self.end
        lazy = pending and self._leaf == "text" and not blank
        if blank:
            self._close_to(matched)
            return self.end
        return self._start_blocks(matched, in_text, lazy)

    def _match_containers(self) -> int:
        """How many of the open containers the line goes on with; moves past their marks."""
        text, matched = self.text, 0
        for container in self._stack:
            if container.width == _QUOTE:
                if self.blank or text[self.at] != ">" or self.indent > 3:
                    break
                self.pass_quote_mark()
            elif self.blank:
                if not container.used:
                    break
            elif self.indent >= container.width:
                self.base += container.width
            else:
                break
            matched += 1
        return matched

    def _leaf_goes_on(self, blank: bool) -> bool:
        """Whether the line belongs to the open code or HTML block. Closes the block where it ends."""
        if self._leaf == "fence":
            self._leaf_end = self.end
            if not blank and self.indent <= 3:
                closing = starts.FENCE_CLOSING.match(self.text, self.at, self.end)
                if closing and closing[1].startswith(self._fence):
                    self._close_leaf()
            return True
        if self._leaf == "code":
            if self.indent > 3 and not blank:
                self._leaf_end = self.end
            elif not blank:
                self._close_leaf()
                return False
            return True
        if blank and self._leaf not in starts.HTML_END:
            self._close_leaf()
            return True
        self._leaf_end = self.end
        self._end_html()
        return True

    def _start_blocks(self, matched: int, in_text: bool, lazy: bool) -> int:
        """Open what begins on this line; the rest is text. Returns where the line ended."""
        text, end, no_break_before = self.text, self.end, 0
        while self.at < end:
            at = self.at
            if self.indent > 3:
                if in_text or lazy:
                    break
                self._open("code", matched)
                return end
            mark = text[at]
            if mark not in _SPECIAL:
                break
            if mark == ">":
                self._push(_QUOTE, matched)
                self.pass_quote_mark()
            elif mark == "#" and (found := starts.ATX.match(text, at, end)):
                self._close_to(matched)
                content = (found.end(), starts.without_closing_marks(text, found.end(), end))
                self._heading(len(found[1]), at, (content,))
                return end
            elif mark in "`~" and (found := starts.FENCE.match(text, at, end)):
                self._open("fence", matched)
                self._fence = found[0]
                return end
            elif mark == "<" and (kind := starts.html_kind(text, at, end, after_text=in_text or lazy)):
                self._open(kind, matched)
                self._end_html()
                return end
            elif mark == "%" and (comment_end := self._comment(matched)):
                return comment_end
            elif mark in "=-" and in_text and starts.UNDERLINE.match(text, at, end) and self._underline(mark):
                return end
            else:
                if mark in "*_-" and at >= no_break_before:
                    no_break_before = starts.BREAK_MARKS.match(text, at, end).end()
                    if no_break_before == end and text.count(mark, at, end) >= 3:
                        self._close_to(matched)
                        self._mark_used()
                        return end
                if mark not in _STARTS_ITEM or not self._start_item(matched, in_text):
                    break
            matched, in_text, lazy = len(self._stack), False, False
        self._add_text(matched, goes_on=in_text or lazy)
        return end

    def _start_item(self, matched: int, in_text: bool) -> bool:
        text, end = self.text, self.end
        found = starts.MARKER.match(text, self.at, end)
        if not found:
            return False
        if in_text and (int(found[1] or 1) != 1 or starts.BLANK.match(text, found.end(), end)):
            return False  # only a first item with content may interrupt a paragraph
        indent, after = self.indent, self.column + found.end() - self.at
        start = self.at
        self.skip_spaces(found.end(), after)
        spaces = self.column - after
        # Five columns and more are one of separation, then indented code; none before the line's end count as
        # one.
        padding = spaces if spaces < 5 and self.at < end else 1
        self._push(indent + found.end() - start + padding, matched, start)
        self.base = after + padding
        return True

    def _add_text(self, matched: int, goes_on: bool) -> None:
        if self.blank:
            return  # the line was marks of containers only
        if not goes_on:
            self._open("text", matched)
            self._lines = []
        self._lines.append((self.at, self.end))
        self._leaf_end = self.end

    def _heading(self, level: int, start: int, content: tuple[tuple[int, int], ...]) -> None:
        if not self._stack:
            start = line_start(self.text, start)
            self.found.headings.append(RawHeading(level, start, self.end, content))
        self._mark_used()
        self.found.texts.append((content[0][0], content[-1][1]))

    def _underline(self, mark: str) -> bool:
        """Make the open paragraph a heading, unless it is nothing but link reference definitions."""
        text, lines = self.text, self._lines
        if lines and text[lines[0][0]] == "[":
            content = "\n".join(text[a:b] for a, b in lines)
            skipped = skip_definitions(content)
            del lines[: len(lines) if skipped == len(content) else content.count("\n", 0, skipped)]
        if not lines:
            return False
        self._leaf = ""
        self._heading(1 if mark == "=" else 2, lines[0][0], tuple(lines))
        return True

    def _comment(self, matched: int) -> int:
        """Pass an Obsidian comment that ends on a later line. Returns the end of that line, or 0."""
        at, text = self.at, self.text
        if not text.startswith("%%", at):
            return 0
        close = text.find("%%", at + 2)
        if close < self.end:
            return 0  # never closed, which makes it text, or within the line, which no block depends on
        self._close_to(matched)
        self._mark_used()
        self.found.hidden.append((at, close + 2, "comment"))
        end = next_line_end(text, close + 2)[0]
        self.found.texts.append((close + 2, end))
        return end

    def _end_html(self) -> None:
        ending = starts.HTML_END.get(self._leaf)
        if ending and ending.search(self.text, self.at, self.end):
            self._close_leaf()

    def _open(self, leaf: str, matched: int) -> None:
        self._close_to(matched)
        self._mark_used()
        self._leaf, self._leaf_start, self._leaf_end = leaf, self.at, self.end

    def _push(self, width: int, matched: int, start: int | None = None) -> None:
        self._close_to(matched)
        self._mark_used()
        self._stack.append(_Container(width, self.at if start is None else start))

    def _mark_used(self) -> None:
        if self._stack:
            self._stack[-1].used = True

    def _close_leaf(self) -> None:
        if self._leaf == "text":
            self.found.texts.append((self._leaf_start, self._leaf_end))
        elif self._leaf:
            kind = self._leaf if self._leaf in ("code", "fence") else "html"
            self.found.hidden.append((self._leaf_start, self._leaf_end, kind))
        self._leaf = ""

    def _close_to(self, matched: int) -> None:
        """Close the leaf, and the containers behind the first ``matched``."""
        if self._leaf:
            self._close_leaf()
        while len(self._stack) > matched:
            container = self._stack.pop()
            if container.width == _QUOTE:
                self.found.quotes.append((container.start, self._last_end))
