"""What a question says beside its subject: the words that ask, which pages that answer need not have."""

from __future__ import annotations

import re
from typing import Final

from .letters import SPACELESS

_SENTENCE_WORDS: Final = 5  # fewer are key words, taken as they are
_SENTENCE_FUNCTION_WORDS: Final = 2
_QUESTION_CHARS: Final = 7  # of Japanese or Korean; in fewer, the same characters may well be a name

FUNCTION_WORDS: Final = frozenset(
    """
    a about above after again against all also am an and any anyone are as at be because been before being below
    between both but by can could did do does doing during each few find for from further give had has have having he
    her here him his how i if in into is it its itself just may me might more most must my no nor not of off on once
    only or other our ours out over own please same shall she should show so some such tell than that the their them
    then there these they this those through to too under until up very was we were what when where which while who
    whom whose why will with would you your yours
    """.split()
)

_CHINESE: Final = re.compile(
    "是?(?:为什么|為什麼|什么样?的?|什麼樣?的?|甚[么麼]|哪[里裡儿些个個位种種]|哪一?年|哪|[谁誰]|怎[么麼]样?|怎[样樣]|如何|多少|[为為]何|何[时時地])是?"
    "|[几幾][个個位年月日]|是否|有[没沒]有|[吗嗎呢呀吧](?=\\W*$)"
)
_JAPANESE: Final = re.compile(
    "(?<!幾)何(?:ですか|でしょうか|という|と[言い呼]|[年月日人歳])?|なんですか|[誰]|だれ|いつ(?!も)|どこ|どの(?:よう|くらい|ぐらい)?"
    "|どれ(?:くらい|ぐらい|だけ)?|どんな|なぜ|いく[つら]|(?:でしょうか|ですか|ましたか|ますか|か)(?=\\W*$)"
)
_KOREAN: Final = re.compile("무엇(?:인가요?|입니까)?|누구|언제|어디|어떻게|얼마나?|(?:인가요?|입니까|나요|습니까)(?=\\W*$)")
_KANA: Final = re.compile("[\u3041-\u3096]")
_WORDS: Final = re.compile(r"\w")
_CHARS: Final = re.compile(f"[{SPACELESS}]")


def without_asking(query: str) -> tuple[str, list[str]]:
    """The query with spaces for the words that ask in Chinese, Japanese and Korean, and those words.

    Unchanged where nothing else would be left.
    """
    patterns = [_CHINESE]
    if len(_CHARS.findall(query)) >= _QUESTION_CHARS:
        patterns = [_KOREAN, _JAPANESE if _KANA.search(query) else _CHINESE]
    asking: list[str] = []
    rest = query
    for pattern in patterns:
        asking += [found[0] for found in pattern.finditer(rest)]
        rest = pattern.sub(lambda found: " " * len(found[0]), rest)
    return (rest, asking) if asking and _WORDS.search(rest) else (query, [])


def is_sentence(words: list[str]) -> bool:
    """Whether words, folded, read as an English sentence or question rather than as key words."""
    functions = sum(word in FUNCTION_WORDS for word in words)
    return len(words) >= _SENTENCE_WORDS and _SENTENCE_FUNCTION_WORDS <= functions < len(words)
