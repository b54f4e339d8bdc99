"""The index file ``.vault-meta/retrieval/index.bin``: for vaults of any size, opened without being read.

A container (``container.py``) with these sections, numbers little-endian, pages numbered in the order of their paths:

    listing        what the wiki folder held when the index was made, as ``listing.py`` has it: sizes and times
                   to the nanosecond, so that freshness is a comparison of bytes and a stale file can be mended
    records        u32 a page: where its record begins in ``listing``; a page has no other name than that
    lengths        u32 a page: its length in terms
    hashes         32 bytes a page: SHA-256 of its bytes, to see that a page with a new time is the old one
    facts          JSON a page, ``[title, type or null, [tag, …]]``; ``facts.ends`` u32 a page: where it ends
    terms          a key table (``keytable.py``): number = pages with the term, form = DENSE | WIDE | top << 8,
                   where no level of the term is above ``top``
    postings       a term's pages. Sparse: their numbers, ascending (u16, or u32 from 65,536 pages on), how often it
                   stands in each (u8, or u32 if WIDE), their levels (u8). Dense: how often (u8 or u32) and levels
                   (u8) of all pages, 0 where the term is not. Levels are those of ``postings.py`` at the mean length
    titles         a key table: a title's tokens joined by a space, number = pages with it, and ``title-pages``
                   u32: their numbers

The header adds ``format`` (1), ``tokenizer``, ``pages``, ``total`` (the sum of the lengths), ``digest`` (of the listing,
so that a file which holds is known without reading what it was made from), ``skipped`` (reason -> how many entries are
no pages), ``entries`` (how many in all) and ``unseen``, sentences on what the listing could not see.
"""

from __future__ import annotations

from array import array
from hashlib import blake2b
from typing import Final, Iterator, Mapping, NamedTuple

from . import jsontext
from .container import Container, from_little
from .context import Vault
from .heldfile import HeldFile, Identity
from .index import Damaged, Facts
from .keytable import KeyTable
from .listing import Entry, parse_record
from .postings import Dense, Postings, Sparse

PATH: Final = ".vault-meta/retrieval/index.bin"
FORMAT: Final = 1
DENSE: Final = 1
WIDE: Final = 2
SMALL_PAGES: Final = 65_536  # up to here a page's number has two bytes
TERM_MAX_BYTES: Final = 16 * 1024 * 1024  # of postings kept in memory
_FACTS_MAX_BYTES: Final = 2 * 1024 * 1024  # more than ``analysis.py`` keeps of a page
_FACTS_KEPT: Final = 20_000  # of pages, about 6 MB


class Counted(NamedTuple):
    """What a listing holds, so that nobody counts it anew."""

    listing: bytes
    entries: int
    skipped: Mapping[str, int]  # why an entry is no page -> how many such


class PackedFile:
    """An ``Index`` over the file that ``identity`` names. Raises ``Damaged``, here and from every method."""

    def __init__(self, vault: Vault, identity: Identity) -> None:
        self.file = HeldFile(vault, PATH, identity)
        self._container = Container(self.file)
        header = self._container.header
        if header.get("format") != FORMAT or not isinstance(header.get("tokenizer"), str):
            raise Damaged("It has a format that this version does not know.")
        self.tokenizer: str = header["tokenizer"]
        self.count = self.span = _whole(header, "pages")
        self.total = _whole(header, "total")
        self.average = self.total / self.count if self.count else 0.0
        self.reference = self.average or 1.0
        unseen, skipped = header.get("unseen"), header.get("skipped")
        self.unseen = tuple(map(str, unseen)) if isinstance(unseen, list) else ()
        self._entries = _whole(header, "entries")
        self._skipped = {reason: _whole(skipped, reason) for reason in skipped} if isinstance(skipped, dict) else {}
        for section, size in (("records", 4), ("lengths", 4), ("facts.ends", 4), ("hashes", 32)):
            if self._container.length(section) != size * self.count:
                raise Damaged(f'Its section "{section}" is not about its pages.')
        self._doc_type = doc_type(self.count)
        self._doc_bytes = array(self._doc_type).itemsize
        self._digest = header.get("digest")
        self._listing: bytes | None = None
        self._lengths: array[int] | None = None
        self._places: array[int] | None = None
        self._facts_ends: array[int] | None = None
        self._facts: dict[int, Facts] = {}
        self._terms: KeyTable | None = None
        self._titles: KeyTable | None = None
        self._ready: dict[str, Postings | None] = {}
        self._ready_bytes = 0

    def is_of(self, raw: bytes) -> bool:
        """Whether the index was made from the listing ``raw``."""
        if self._listing is not None:
            return self._listing == raw
        if digest_of(raw) != self._digest:
            return False
        self._listing = raw
        return True

    @property
    def listing(self) -> bytes:
        if self._listing is None:
            self._listing = self._container.read("listing")
        return self._listing

    @property
    def counted(self) -> Counted:
        return Counted(self.listing, self._entries, self._skipped)

    def entry(self, doc: int) -> Entry:
        """The page as it was listed when the index was made."""
        if self._places is None:
            self._places = self._container.array("I", "records")
        start = self._places[doc]
        listing = self.listing
        end = listing.find(b"\0", start)
        try:
            entry, reason = parse_record(listing[start:end])
        except ValueError:
            reason = ""
        if end < 0 or reason is not None or (start and listing[start - 1]):
            raise Damaged("It names a page that its listing does not have.")
        return entry

    def hash(self, doc: int) -> str:
        """Lower-case hex SHA-256 of the page that was indexed."""
        return self._container.read("hashes", 32 * doc, 32).hex()

    def path(self, doc: int) -> str:
        return self.entry(doc).path

    def length(self, doc: int) -> int:
        if self._lengths is None:
            lengths = self._container.array("I", "lengths")
            if sum(lengths) != self.total:
                raise Damaged("Its lengths do not add up.")
            self._lengths = lengths
        return self._lengths[doc]

    def facts(self, doc: int) -> Facts | None:
        known = self._facts.get(doc)
        if known is not None:
            return known
        if self._facts_ends is None:
            self._facts_ends = self._container.array("I", "facts.ends")
        end, start = self._facts_ends[doc], self._facts_ends[doc - 1] if doc else 0
        try:
            text = self._container.read("facts", start, end - start)
            title, kind, tags = jsontext.loads(text, max_bytes=_FACTS_MAX_BYTES)
            facts = Facts(str(title), None if kind is None else str(kind), tuple(map(str, tags)))
        except (ValueError, TypeError):
            raise Damaged("Its facts about a page cannot be understood.") from None
        if len(self._facts) >= _FACTS_KEPT:
            self._facts.clear()
        self._facts[doc] = facts  # a filter asks for those of every page that matches, call after call
        return facts

    def frequency(self, term: str) -> int:
        found = self._term_table().find(term)
        return found.number if found else 0

    def terms(self, prefix: str = "") -> Iterator[str]:
        return self._term_table().beginning(prefix)

    def titled(self, title: tuple[str, ...]) -> list[int]:
        if self._titles is None:
            self._titles = KeyTable(self._container, "titles", lambda number, form: 4 * number)
        found = self._titles.find(" ".join(title))
        if not found:
            return []
        return self._possible(self._container.array("I", "title-pages", found.place, found.number)).tolist()

    def doc_of(self, path: str) -> int | None:
        low, high = 0, self.count
        while low < high:
            middle = (low + high) // 2
            if self.path(middle) < path:
                low = middle + 1
            else:
                high = middle
        return low if low < self.count and self.path(low) == path else None

    def postings(self, term: str) -> Postings | None:
        if term in self._ready:
            return self._ready[term]
        found = self._term_table().find(term)
        postings = self._read_postings(found.number, found.form, found.place) if found else None
        self._ready_bytes += postings.size() if postings else 0
        if self._ready_bytes > TERM_MAX_BYTES:
            self._ready, self._ready_bytes = {}, postings.size() if postings else 0
        self._ready[term] = postings
        return postings

    def _term_table(self) -> KeyTable:
        if self._terms is None:
            self._terms = KeyTable(self._container, "terms", self.postings_bytes)
        return self._terms

    def postings_bytes(self, frequency: int, form: int) -> int:
        """How many bytes of ``postings`` a term takes."""
        tf_bytes = 4 if form & WIDE else 1
        if form & DENSE:
            return self.span * (tf_bytes + 1)
        return frequency * (self._doc_bytes + tf_bytes + 1)

    def _read_postings(self, frequency: int, form: int, place: int) -> Postings:
        tf_type = "I" if form & WIDE else "B"
        data = self._container.read("postings", place, self.postings_bytes(frequency, form))
        levels_at = len(data) - (self.span if form & DENSE else frequency)
        levels, top = data[levels_at:], form >> 8
        if levels.translate(None, bytes(range(top + 1))):
            raise Damaged("A term of it is worth more than it says.")
        if form & DENSE:
            if self.span - levels.count(0) != frequency:
                raise Damaged("A term of it has other pages than it says.")
            return Dense(frequency, from_little(tf_type, data[:levels_at]), levels, top)
        tfs_at = frequency * self._doc_bytes
        docs = self._possible(from_little(self._doc_type, data[:tfs_at]))
        return Sparse(docs, from_little(tf_type, data[tfs_at:levels_at]), levels, top)

    def _possible(self, docs: array[int]) -> array[int]:
        if docs and max(docs) >= self.count:
            raise Damaged("It names a page that it does not have.")
        return docs


def digest_of(listing: bytes) -> str:
    """BLAKE2b is the fastest in WebAssembly of those that tell any two listings apart."""
    return blake2b(listing, digest_size=16).hexdigest()


def doc_type(pages: int) -> str:
    """The array type of page numbers."""
    return "H" if pages <= SMALL_PAGES else "I"


def _whole(header: dict[str, object], name: str) -> int:
    value = header.get(name)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**40:
        raise Damaged(f'Its header has no possible "{name}".')
    return value
