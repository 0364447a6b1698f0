"""A22, A23: cache markers, at most four, long-lived ones first."""

from collections.abc import Iterator
from typing import Any

import msgspec

from pumice.domain.message import Violation
from pumice.measure.naming import ModelName
from pumice.wire.rules.rule import Ending, Seen, Step
from pumice.wire.values import objects, string

_KEY = "cache_control"
_MOST = 4
_UNMARKABLE = frozenset({"thinking", "redacted_thinking"})


class Marker(msgspec.Struct, frozen=True):
    path: str
    ttl: str


class Markers(msgspec.Struct, frozen=True):
    found: tuple[Marker, ...] = ()
    last_ttl: str = ""
    """Of the explicit marker on the very last block; empty for none."""


START = Markers()


def step(state: Markers, message: Seen, _model: ModelName, /) -> Step:
    wrong: list[Violation] = []
    markers = list(state.found)
    last = ""
    for part in message.parts:
        held = [*_of(part.value, part.path), *_nested(part.value, part.path)]
        markers += held
        last = held[-1].ttl if held and _KEY in part.value else ""
        if _KEY in part.value and part.kind in _UNMARKABLE:
            wrong.append(Violation("A22", part.path, f"a {part.kind} block cannot carry a cache marker"))
        elif _KEY in part.value and part.kind == "text" and not part.value.get("text"):
            wrong.append(Violation("A22", part.path, "an empty text cannot carry a cache marker"))
    return Step(Markers(tuple(markers), last), tuple(wrong))


def end(state: Markers, ending: Ending, /) -> Iterator[Violation]:
    head = [
        marker
        for key in ("tools", "system")
        for place, value in enumerate(objects(ending.fields.get(key)))
        for marker in _of(value, f"{key}[{place}]")
    ]
    automatic = _of(ending.fields)
    listed = [*head, *state.found]
    if len(listed) + len(automatic) > _MOST:
        yield Violation(
            "A22", (listed + automatic)[_MOST].path, f"{len(listed) + len(automatic)} cache markers; 4 are the most"
        )
    short = next((place for place, marker in enumerate(listed) if marker.ttl != "1h"), len(listed))
    for marker in listed[short:]:
        if marker.ttl == "1h":
            yield Violation("A23", marker.path, "a 1h marker after a 5m one; the longer-lived come first")
    if automatic and state.last_ttl and state.last_ttl != automatic[0].ttl:
        yield Violation("A23", _KEY, "the last block carries a marker of another lifetime than the automatic one")


def _of(value: dict[str, Any], path: str = "") -> list[Marker]:
    marker = value.get(_KEY)
    return [Marker(f"{path}.{_KEY}".lstrip("."), string(marker.get("ttl")) or "5m")] if isinstance(marker, dict) else []


def _nested(value: dict[str, Any], path: str) -> list[Marker]:
    return [
        marker for place, item in enumerate(objects(value.get("content"))) for marker in _of(item, f"{path}.content[{place}]")
    ]
