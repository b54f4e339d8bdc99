"""Frontmatter natively: PyYAML, where it is installed, made to give what the sandbox's ``yaml`` package
gives.

Only the parser's events are used, so that no tag, date or alias is ever resolved: every scalar stays the text
it was written as, and of a key that stands twice the last one counts. Limits and sentences are those of
``worker/realm/yaml.ts``.
"""

from __future__ import annotations

from typing import Any, Final

from . import jsontext
from .limits import FRONTMATTER_MAX_CHARS

try:
    import yaml
except ImportError:
    yaml = None  # type: ignore[assignment]

DEPTH_MAX: Final = 32
NODES_MAX: Final = 20_000


def mapping_as_json(text: str) -> str:
    """A YAML mapping as JSON text. Raises ``ValueError`` with a sentence, and the line where it is known."""
    if yaml is None:
        raise ValueError("frontmatter is not read: this Python has no PyYAML (python3 -m pip install pyyaml)")
    if len(text) + sum(character > "\uffff" for character in text) > FRONTMATTER_MAX_CHARS:
        raise ValueError(f"the frontmatter is longer than {FRONTMATTER_MAX_CHARS} characters")
    _bound_nesting(text)
    try:
        return jsontext.dumps(
            _Builder().document(yaml.parse(text, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader)))
        )
    except yaml.MarkedYAMLError as error:
        line = f"line {error.problem_mark.line + 1}: " if error.problem_mark else ""
        raise ValueError(f"{line}{error.problem}") from None
    except yaml.YAMLError as error:
        raise ValueError(str(error).splitlines()[0]) from None


def _bound_nesting(text: str) -> None:
    depth = 0
    for character in text:
        if character in "[{":
            depth += 1
            if depth > DEPTH_MAX:
                raise ValueError(f"the frontmatter nests deeper than {DEPTH_MAX} levels")
        elif character in "]}":
            depth = max(0, depth - 1)


class _Builder:
    """Builds plain values from parser events on a stack of its own."""

    def __init__(self) -> None:
        self._open: list[list[Any] | dict[str, Any]] = []
        self._keys: list[Any] = []  # for each open mapping: the key that waits for its value, or _NO_KEY
        self._root: Any = _NO_KEY
        self._nodes = 0

    def document(self, events: Any) -> dict[str, Any]:
        documents = 0
        for event in events:
            kind = type(event)
            if kind is yaml.ScalarEvent:
                self._put(event.value)
            elif kind is yaml.AliasEvent:
                raise ValueError("the frontmatter uses an alias (*name), which is not supported")
            elif kind is yaml.SequenceStartEvent:
                self._begin([])
            elif kind is yaml.MappingStartEvent:
                self._begin({})
            elif kind in (yaml.SequenceEndEvent, yaml.MappingEndEvent):
                self._keys.pop()
                self._put(self._open.pop(), counted=True)
            elif kind is yaml.DocumentStartEvent:
                documents += 1
                if documents > 1:
                    raise ValueError(f"line {event.start_mark.line + 1}: Source contains multiple documents")
        if self._root is _NO_KEY or self._root == "":
            return {}
        if not isinstance(self._root, dict):
            raise ValueError("the frontmatter is not a list of `key: value` lines")
        return self._root

    def _begin(self, value: list[Any] | dict[str, Any]) -> None:
        self._count()
        self._open.append(value)
        self._keys.append(_NO_KEY)
        if len(self._open) > DEPTH_MAX:
            raise ValueError(f"the frontmatter nests deeper than {DEPTH_MAX} levels")

    def _put(self, value: Any, *, counted: bool = False) -> None:
        if not counted:
            self._count()
        if not self._open:
            self._root = value
            return
        parent = self._open[-1]
        if isinstance(parent, list):
            parent.append(value)
        elif self._keys[-1] is not _NO_KEY:
            parent[self._keys[-1]] = value
            self._keys[-1] = _NO_KEY
        elif isinstance(value, str):
            self._keys[-1] = value
        else:
            raise ValueError("the frontmatter has a key that is not text")

    def _count(self) -> None:
        self._nodes += 1
        if self._nodes > NODES_MAX:
            raise ValueError(f"the frontmatter has more than {NODES_MAX} values")


_NO_KEY: Final = object()
