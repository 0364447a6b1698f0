"""Read a policy from plain data: every key known, every number in its range, every refusal with its path."""

import difflib
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from pumice.domain.policy import Policy
from pumice.errors import BadPolicy

RANGES: Mapping[str, tuple[float, float]] = {
    "budget.window": (256, 100_000_000),
    "budget.reserve_output": (0, 10_000_000),
    "budget.warn": (0.05, 1.0),
    "budget.safety": (0, 10_000_000),
    "budget.act": (0.05, 1.0),
    "budget.to": (0.05, 1.0),
    "budget.to_under_50k": (0.05, 1.0),
    "first_sight.min": (100, 1_000_000),
    "first_sight.max": (100, 1_000_000),
    "first_sight.show": (0.05, 1.0),
    "first_sight.only_if_below": (0.05, 1.0),
    "keep.last_groups": (1, 1000),
    "keep.reads": (0, 1000),
    "keep.reads_share": (0.0, 1.0),
    "keep.groups": (1, 1000),
    "keep.groups_share": (0.0, 1.0),
    "keep.state_tokens": (0, 100_000),
    "user_words.tokens": (0, 10_000_000),
    "user_words.above_window": (0, 100_000_000),
    "pins.whole_up_to": (10, 300),
    "pins.budget": (0, 1_000_000),
    "pointers.share": (0.0, 1.0),
    "lines.price": (0.0, 1.0),
    "lines.overhead": (0, 100),
    "lines.piece_chars": (400, 400),
    "lines.whole_block_at": (0.1, 1.0),
    "cold.growth": (1.0, 100.0),
    "media.images": (0, 1000),
    "breaker.max_consecutive_failures": (1, 1000),
    "breaker.half_open_after": (1, 100_000),
    "tools.defer_unused_over": (0, 10_000_000),
}
"""Accepted numbers by key, both ends included."""

CHOICES: Mapping[str, tuple[str, ...]] = {
    "budget.of": ("usable", "window", "input_limit"),
    "keep.pins": ("whole", "none"),
    "preface.place": ("front",),
    "tools.order": ("kept", "client"),
    "tools.search": ("bm25", "regex"),
}
LEVELS = ("mechanical", "recent", "offload", "summarize", "extract", "recall", "isolate", "rebuild")
ALIASES = {"newest": "recent", "extract_state": "extract"}


def read(data: Any, *, name: str) -> Policy:
    """A policy from the value of a YAML document; `name` is used where it names none. Raises BadPolicy with the path."""
    if not isinstance(data, dict):
        raise BadPolicy(f"$: {type(data).__name__} given, expected a mapping of keys such as budget and order.")
    _known_keys(data, Policy, "$")
    try:
        policy = msgspec.convert({"name": name, **data}, Policy, strict=True)
    except msgspec.ValidationError as error:
        raise BadPolicy(_moved(str(error))) from error
    _check(policy)
    order = tuple(ALIASES.get(level, level) for level in policy.order)
    return msgspec.structs.replace(policy, order=order)


def _moved(message: str) -> str:
    """msgspec ends with the path; ours begins with it."""
    said, _, path = message.rpartition(" - at ")
    return f"{path.strip('`')}: {said}" if said else f"$: {message}"


def _known_keys(data: Mapping[str, Any], of: type[msgspec.Struct], path: str) -> None:
    fields = {field.name: field.type for field in msgspec.structs.fields(of)}
    for key, value in data.items():
        if key not in fields:
            near = difflib.get_close_matches(str(key), fields, 1)
            hint = f"Did you mean {near[0]!r}?" if near else f"Known here: {', '.join(fields)}."
            raise BadPolicy(f"{path}.{key}: unknown key.", hint=hint)
        part = _struct_of(fields[key])
        if part is not None and isinstance(value, dict):
            _known_keys(value, part, f"{path}.{key}")


def _struct_of(kind: Any) -> type[msgspec.Struct] | None:
    options = getattr(kind, "__args__", (kind,))
    return next((item for item in options if isinstance(item, type) and issubclass(item, msgspec.Struct)), None)


def values(policy: Policy) -> Iterator[tuple[str, Any]]:
    """Every effective value of a policy by dotted key, in order."""
    for field in policy.__struct_fields__:
        value = getattr(policy, field)
        if isinstance(value, msgspec.Struct):
            for inner in value.__struct_fields__:
                yield f"{field}.{inner}", getattr(value, inner)
        else:
            yield field, value


def _check(policy: Policy) -> None:
    for key, value in values(policy):
        _check_range(key, value)
        if key in CHOICES and value not in CHOICES[key]:
            raise BadPolicy(f"$.{key}: {value!r} given, expected one of {', '.join(CHOICES[key])}.")
    for at, level in enumerate(policy.order):
        if ALIASES.get(level, level) not in LEVELS:
            raise BadPolicy(f"$.order[{at}]: {level!r} is no level this version has; expected {', '.join(LEVELS)}.")


def _check_range(key: str, value: Any) -> None:
    if key not in RANGES or value is None:
        return
    low, high = RANGES[key]
    if not low <= value <= high:
        raise BadPolicy(f"$.{key}: {value} given, accepted is {low:g} to {high:g}.")
