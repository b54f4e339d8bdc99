"""How far an answer can be trusted: strong, weak or absent, with the reasons, so that an agent knows when not to answer.

The rules, all about the best page:

- *share*: how much of what was asked stands in it, each token weighed by its rarity; a word that no page has counts most.
- *level*: its score beside that of a page of mean length with every token once, which is the sum of the rarities.

``absent``: there is no result, or the share is below ``ABSENT_BELOW``. ``strong``: the page is titled or dated as asked, or
share and level reach ``STRONG_SHARE`` and ``STRONG_LEVEL``; and nothing speaks against it: no status that says the page is
unfinished or no longer in force, no page without text, no stale index, no page left unseen. Otherwise ``weak``. An agent
should ``abstain`` when evidence is absent, or weak with less than ``ABSTAIN_BELOW`` of the question in the best page, or
with no text in it at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Sequence

from .view import WORDS as NOT_IN_FORCE

STRONG_SHARE: Final = 0.75
STRONG_LEVEL: Final = 0.5
ABSENT_BELOW: Final = 0.15
ABSTAIN_BELOW: Final = 0.35
CLEAR_MARGIN: Final = 1.2  # times the score of the next page
MEANING_FROM: Final = 0.6  # cosine from which nearness in meaning is evidence by itself, if weak

_UNFINISHED: Final = ("draft", "stub", "wip", "todo", "unverified", "proposed")
_SOURCE_KEYS: Final = ("source", "sources", "reference", "references", "url", "citation", "citations")
_LISTED_MAX: Final = 5


@dataclass(frozen=True, slots=True)
class Best:
    """What is known of the best page."""

    share: float  # 0 to 1, of what was asked
    level: float  # 1: as good as a page of mean length with every token once
    margin: float | None  # its score by the next one's; none where there is no next or it has no score
    exact: str | None  # why it is exactly what was asked for: "title" or "date"
    meaning: float | None  # cosine of its best chunk
    status: str | None  # of its frontmatter
    sources: int  # named in its frontmatter
    empty: bool = False  # nothing in it but headings


@dataclass(frozen=True, slots=True)
class Doubts:
    """What speaks against an answer as a whole."""

    missing: Sequence[str] = ()  # words of the query that no page has
    stale: bool = False  # a stale index file was ranked
    unseen: int = 0  # pages and folders that could not be looked at
    navigation: bool = False  # nothing was ranked at all


def evidence(best: Best | None, doubts: Doubts) -> dict[str, Any]:
    """``confidence``, ``abstain`` and ``reasons`` (sentences) of one answer."""
    reasons: list[str] = []
    confidence = "absent"
    if best is None:
        reasons.append("Nothing was ranked." if doubts.navigation else "No page matches.")
    else:
        confidence = _confidence(best, doubts)
        reasons += _about(best)
    if doubts.missing:
        listed = ", ".join(f'"{word[:40]}"' for word in doubts.missing[:_LISTED_MAX])
        reasons.append(f"No page has {listed}{' and others' if len(doubts.missing) > _LISTED_MAX else ''}.")
    if doubts.stale:
        reasons.append("The index file is older than the pages, so changed pages are ranked by what they were.")
    if doubts.unseen:
        reasons.append(f"Not everything was seen: {doubts.unseen:,} left out because they could not be read.")
    abstain = confidence == "absent" or (confidence == "weak" and best is not None and _says_little(best))
    return {"confidence": confidence, "abstain": abstain, "reasons": reasons}


def sources_named(fields: dict[str, Any]) -> int:
    """How many sources a page's frontmatter names."""
    values = [value for name, value in fields.items() if name.lower() in _SOURCE_KEYS]
    return sum(len(value) if isinstance(value, list) else int(bool(value)) for value in values)


def _confidence(best: Best, doubts: Doubts) -> str:
    near = best.meaning is not None and best.meaning >= MEANING_FROM
    if best.exact is None and not near and best.share < ABSENT_BELOW:
        return "absent"
    fits = best.exact is not None or (best.share >= STRONG_SHARE and best.level >= STRONG_LEVEL)
    against = doubts.stale or doubts.unseen or best.empty or _against(best.status)
    return "strong" if fits and not against else "weak"


def _says_little(best: Best) -> bool:
    if best.empty:
        return True
    return best.exact is None and best.share < ABSTAIN_BELOW and (best.meaning or 0.0) < MEANING_FROM


def _against(status: str | None) -> bool:
    return status is not None and status.casefold() in (*_UNFINISHED, *NOT_IN_FORCE)


def _about(best: Best) -> list[str]:
    reasons = []
    if best.exact:
        reasons.append(f"The best page has exactly the {best.exact} asked for.")
    if best.exact != "date":
        reasons += _measured(best)
    if best.empty:
        reasons.append("There is no text in it to answer from.")
    if best.meaning is not None:
        reasons.append(f"Its nearest passage has a cosine of {best.meaning:.2f}.")
    if best.status:
        says = " and does not count as settled" if _against(best.status) else ""
        reasons.append(f'Its status is "{best.status[:40]}"{says}.')
    if best.sources:
        reasons.append(f"It names {best.sources:,} source{'' if best.sources == 1 else 's'}.")
    return reasons


def _measured(best: Best) -> list[str]:
    """What the words alone say."""
    reasons = [f"The best page has {_percent(best.share)} of what was asked, rare words counting more."]
    if best.level > 0:
        reasons.append(f"Its score is {_percent(best.level)} of that of an average page with every word once.")
    if best.margin is not None:
        clear = "clearly ahead of" if best.margin >= CLEAR_MARGIN else "close to"
        reasons.append(f"It is {clear} the next page ({best.margin:.2f} times its score).")
    return reasons


def _percent(share: float) -> str:
    return f"{int(100 * share + 0.5)} %"
