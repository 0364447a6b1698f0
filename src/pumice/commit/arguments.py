"""The arguments of a tool call, read from the bytes the client wrote."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from pumice.domain.block import Block

_PLACES = (
    ("input",),
    ("function", "arguments"),
    ("functionCall", "args"),
    ("custom", "input"),
    ("arguments",),
    ("action",),
    ("operation",),
)
"""Where the dialects keep arguments; the first place that exists holds them."""


def read(call: Block) -> dict[str, Any]:
    """The arguments of a call as a mapping; free text is under `input`, what cannot be read is empty."""
    value = _json(call.raw)
    for place in _PLACES:
        held = _at(value, place)
        if isinstance(held, dict):
            return held
        if isinstance(held, str):
            parsed = _json(held.encode("utf-8", "surrogatepass"))
            return parsed if isinstance(parsed, dict) else {"input": held}
    return {}


def leaves(value: Any) -> Iterator[str]:
    """Every string leaf, in order."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from leaves(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from leaves(inner)


def _at(value: Any, place: tuple[str, ...]) -> Any:
    for key in place:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _json(raw: bytes) -> Any:
    try:
        return msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return _lenient(raw)


def _lenient(raw: bytes) -> Any:
    """What msgspec refuses but `json` reads: lone surrogates, NaN; None when neither can."""
    try:
        return json.loads(raw)
    except ValueError:
        return None
