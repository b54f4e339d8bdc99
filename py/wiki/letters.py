"""Which characters make words, and the one form in which spellings of a word meet.

Tables and folding only; ``tokens.py`` does the cutting. The tables are written out instead of asking ``unicodedata``,
so that Python 3.11 and 3.14 cut every page alike: they were drawn from Unicode 14, with unassigned code points
given to the block they stand in.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from typing import Final

# Characters of scripts written without spaces between words: Han, kana, bopomofo, Hangul, Thai, Lao, Burmese, Khmer.
SPACELESS: Final = (
    r"\u0e01-\u0e3a\u0e40-\u0e4e\u0e80-\u0ecf\u0edc-\u0edf\u1000-\u103f\u1050-\u108f\u109a-\u109d\u1100-\u11ff"
    r"\u1780-\u17d3\u17d7\u17dc\u17dd\u2e80-\u2fdf\u3005-\u3007\u3021-\u302f\u3031-\u3035\u3038-\u303c"
    r"\u3041-\u30fa\u30fc-\u318e\u31a0-\u31bf\u31f0-\u4dbf\u4e00-\u9fff\ua960-\ua97f\ua9e0-\ua9ef\ua9fa-\ua9fe"
    r"\uaa60-\uaa7f\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc\U0001b000-\U0001b16f\U00020000-\U0003ffff"
)

# Those of them that only change the character before: vowel signs, tone marks, voicing marks.
SPACELESS_MARKS: Final = (
    r"\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ecd\u102b-\u103e\u1056-\u1059\u105e-\u1060"
    r"\u1062-\u1064\u1067-\u106d\u1071-\u1074\u1082-\u108d\u108f\u109a-\u109d\u17b4-\u17d3\u17dd\u302a-\u302f"
    r"\u3099\u309a\ua9e5\uaa7b-\uaa7d\uff9e\uff9f"
)

# Drawn but not read: soft hyphen, zero-width spaces and joiners, direction marks, variation selectors.
FORMAT: Final = (
    r"\xad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb"
    r"\U000e0001-\U000e007f\U000e0100-\U000e01ef"
)

# Beyond ASCII, what stands in no word of a script written with spaces: punctuation, symbols, space, private use,
# the letter-like apostrophes (which join, see tokens.py), and the scripts above.
APART: Final = (
    r"\x80-\xa9\xab\xac\xae-\xb1\xb4\xb6-\xb8\xbb\xbf\xd7\xf7\u02bb-\u02bd\u02c2-\u02c5\u02d2-\u02df"
    r"\u02e5-\u02eb\u02ed\u02ef-\u02ff\u0375\u037e\u0384\u0385\u0387\u03f6\u0482\u055a-\u055f"
    r"\u0589-\u0590\u05be\u05c0\u05c3\u05c6\u05f3-\u05ff\u0606-\u060f\u061b\u061d-\u061f\u066a-\u066d"
    r"\u06d4\u06de\u06e9\u06fd\u06fe\u0700-\u070e\u07f6-\u07f9\u07fe\u07ff\u0830-\u083f\u085e\u085f"
    r"\u0888\u0964\u0965\u0970\u09f2\u09f3\u09fa\u09fb\u09fd\u0a76-\u0a80\u0af0-\u0af8\u0b70"
    r"\u0bf3-\u0bff\u0c77\u0c7f\u0c84\u0d4f-\u0d53\u0d79\u0df4-\u0e4f\u0e5a-\u0ecf\u0edc-\u0eff"
    r"\u0f01-\u0f17\u0f1a-\u0f1f\u0f34\u0f36\u0f38\u0f3a-\u0f3d\u0f85\u0fbe-\u0fc5\u0fc7-\u103f"
    r"\u104a-\u108f\u109a-\u109f\u10fb\u1100-\u11ff\u1360-\u1368\u1390-\u139f\u1400\u166d\u166e\u1680"
    r"\u169b-\u169f\u16eb-\u16ed\u1735-\u173f\u1780-\u17df\u1800-\u180a\u1940-\u1945\u19de-\u19ff"
    r"\u1a1e\u1a1f\u1aa0-\u1aa6\u1aa8-\u1aaf\u1b5a-\u1b6a\u1b74-\u1b7f\u1bfc-\u1bff\u1c3b-\u1c3f"
    r"\u1c7e\u1c7f\u1cc0-\u1ccf\u1cd3\u1fbd\u1fbf-\u1fc1\u1fcd-\u1fcf\u1fdd-\u1fdf\u1fed-\u1ff1"
    r"\u1ffd-\u200a\u2010-\u2029\u202f-\u205f\u207a-\u207e\u208a-\u208f\u20a0-\u20cf\u2100\u2101"
    r"\u2103-\u2106\u2108\u2109\u2114\u2116-\u2118\u211e-\u2123\u2125\u2127\u2129\u212e\u213a\u213b"
    r"\u2140-\u2144\u214a-\u214d\u214f\u218a-\u245f\u249c-\u24e9\u2500-\u2775\u2794-\u2bff"
    r"\u2ce5-\u2cea\u2cf9-\u2cfc\u2cfe\u2cff\u2d70-\u2d7e\u2e00-\u2e2e\u2e30-\u3191\u3196-\u9fff"
    r"\ua490-\ua4cf\ua4fe\ua4ff\ua60d-\ua60f\ua673\ua67e\ua6f2-\ua716\ua720\ua721\ua789\ua78a"
    r"\ua828-\ua82b\ua836-\ua83f\ua874-\ua87f\ua8ce\ua8cf\ua8f8-\ua8fa\ua8fc\ua92e\ua92f\ua95f-\ua97f"
    r"\ua9c1-\ua9ce\ua9de-\ua9ef\ua9fa-\ua9ff\uaa5c-\uaa7f\uaade\uaadf\uaaf0\uaaf1\uab5b\uab6a-\uab6f"
    r"\uabeb\uac00-\ufaff\ufb29\ufbb2-\ufbd2\ufd3e-\ufd4f\ufdcf-\ufdef\ufdfc-\ufdff\ufe10-\ufe1f"
    r"\ufe30-\ufe6f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\ufff8\ufffc-\uffff"
    r"\ud800-\udfff\U0001b000-\U0001b16f\U0001f000-\U000e0000\U000e0080-\U000e00ff\U000e01f0-\U0010ffff"
)

EMOJI: Final = (
    "[\U0001f1e6-\U0001f1ff]{2}"  # a flag is a pair of letters
    "|[\u231a\u231b\u23e9-\u23fa\u2600-\u2775\u2794-\u27bf\u2b05-\u2b07\u2b1b\u2b1c\u2b50\u2b55\u3030\u303d\U0001f000-\U0001f0ff"
    "\U0001f300-\U0001f3fa\U0001f400-\U0001faff]"  # without the five skin tones
)

# Letters that no decomposition takes apart, and Arabic and Persian letters written either way.
_ALIKE: Final = {
    "đ": "d", "ð": "d", "ø": "o", "ł": "l", "ı": "i", "ħ": "h", "ŧ": "t", "æ": "ae", "œ": "oe", "þ": "th",
    "ŋ": "n", "ĸ": "k", "ɨ": "i", "ʉ": "u", "ƀ": "b", "ɗ": "d", "ƙ": "k", "ɓ": "b", "ə": "e",
    "\u0671": "\u0627", "\u0649": "\u064a", "\u0629": "\u0647", "\u06a9": "\u0643", "\u06cc": "\u064a", "\u06c0": "\u0647",
    "\u0640": "",  # tatweel stretches a word for looks
}  # fmt: skip

# The digit nought of scripts with digits of their own; one to nine follow it.
_NOUGHTS: Final = (
    0x0660, 0x06F0, 0x07C0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6, 0x0C66, 0x0CE6, 0x0D66, 0x0DE6, 0x0E50,
    0x0ED0, 0x0F20, 0x1040, 0x17E0, 0x1810,
)  # fmt: skip

# Marks that are accents or optional vowel points; a vowel sign of an Indic script is neither and stays.
_ACCENTS: Final = (
    (0x0300, 0x036F), (0x0483, 0x0487), (0x0591, 0x05BD), (0x05BF, 0x05BF), (0x05C1, 0x05C2), (0x05C4, 0x05C5),
    (0x05C7, 0x05C7), (0x0610, 0x061A), (0x064B, 0x065F), (0x0670, 0x0670), (0x06D6, 0x06DC), (0x06DF, 0x06E4),
    (0x06E7, 0x06E8), (0x06EA, 0x06ED), (0x0711, 0x0711), (0x0730, 0x074A), (0x08D3, 0x08E1), (0x08E3, 0x08FF),
    (0x1AB0, 0x1AFF), (0x1DC0, 0x1DFF), (0x20D0, 0x20FF), (0xFE20, 0xFE2F),
)  # fmt: skip

_DROPPED: Final = (
    (0xAD, 0xAD), (0x061C, 0x061C), (0x180E, 0x180E), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F),
    (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFF9, 0xFFFB), (0xE0001, 0xE007F), (0xE0100, 0xE01EF),
)  # fmt: skip

_WITHOUT_FORMAT: Final = {code: None for first, last in _DROPPED for code in range(first, last + 1)}
_FOLDED: Final = (
    {code: None for first, last in _ACCENTS for code in range(first, last + 1)}
    | _WITHOUT_FORMAT
    | {nought + digit: str(digit) for nought in _NOUGHTS for digit in range(10)}
    | {ord(letter): plain for letter, plain in _ALIKE.items()}
)

# Where one alphabet ends and the next begins, by block. Equal numbers are one alphabet.
_BLOCKS: Final = (
    (0x0000, 0), (0x0370, 1), (0x0400, 2), (0x0530, 3), (0x0590, 4), (0x0600, 5), (0x0700, 6), (0x0750, 5), (0x0780, 7),
    (0x07C0, 8), (0x0800, 9), (0x0860, 6), (0x0870, 5), (0x0900, 10), (0x0980, 11), (0x0A00, 12), (0x0A80, 13),
    (0x0B00, 14), (0x0B80, 15), (0x0C00, 16), (0x0C80, 17), (0x0D00, 18), (0x0D80, 19), (0x0F00, 20), (0x10A0, 21),
    (0x1200, 22), (0x13A0, 23), (0x1400, 24), (0x1680, 25), (0x1C80, 2), (0x1C90, 21), (0x1D00, 0), (0x1F00, 1),
    (0x2000, 0), (0x2C00, 26), (0x2C60, 0), (0x2C80, 1), (0x2D00, 21), (0x2D30, 27), (0x2D80, 22), (0x2DE0, 2),
    (0xA000, 28), (0xA4D0, 29), (0xA640, 2), (0xA6A0, 30), (0xA700, 0), (0xA840, 31), (0xA8E0, 10), (0xA900, 32),
    (0xAB00, 22), (0xAB30, 0), (0xAB70, 23), (0xABC0, 33), (0xFB00, 0), (0xFB13, 3), (0xFB1D, 4), (0xFB50, 5),
    (0xFE00, 0), (0xFE70, 5), (0xFF00, 0), (0x10000, 34), (0x1D400, 0), (0x1E000, 35),
)  # fmt: skip
_STARTS: Final = tuple(start for start, _ in _BLOCKS)


def alphabet(letter: str) -> int:
    """The alphabet of one letter, as a number; the micro sign is Greek."""
    return 1 if letter == "\u00b5" else _BLOCKS[bisect_right(_STARTS, ord(letter)) - 1][1]


def fold(text: str) -> str:
    """Case, accents, widths, ligatures and ways to write a digit folded; format characters gone.

    The order matters: decompose, fold case, drop the marks, and only then compose again, so that ``İ`` is ``i``,
    an alef with hamza is an alef, and kana and Hangul come out whole.
    """
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return unicodedata.normalize("NFC", decomposed.translate(_FOLDED))


def compose(text: str) -> str:
    """NFKC without format characters and with plain digits: the form of scripts that have no case."""
    return unicodedata.normalize("NFKC", text).translate(_WITHOUT_FORMAT)
