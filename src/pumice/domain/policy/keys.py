"""The keys of a policy as its structs declare them: which there are, and what kind of value each takes."""

from collections.abc import Iterator, Mapping
from enum import EnumType
from functools import cache
from types import UnionType
from typing import Any, Union, get_args, get_origin

import msgspec

from pumice.domain.policy import Policy
from pumice.domain.policy.limits import CHOICES, FORMS, ITEMS, RANGES, TOKENS_OR_SHARE

Part = type[msgspec.Struct]


@cache
def fields(part: Part) -> Mapping[str, Any]:
    """Types of a part's own keys by name, in order."""
    return {field.name: field.type for field in msgspec.structs.fields(part)}


def part_of(kind: Any) -> Part | None:
    """The part a key holds, also where it may be left out; None for a single value."""
    return next((item for item in kinds(kind) if isinstance(item, type) and issubclass(item, msgspec.Struct)), None)


def kinds(kind: Any) -> tuple[Any, ...]:
    """The alternatives of a type."""
    return get_args(kind) if isinstance(kind, UnionType) or get_origin(kind) is Union else (kind,)


@cache
def leaves() -> Mapping[str, Any]:
    """Types of all single values by dotted key, in order."""
    return dict(_leaves(Policy, ""))


def _leaves(part: Part, prefix: str) -> Iterator[tuple[str, Any]]:
    for name, kind in fields(part).items():
        inner = part_of(kind)
        if inner is None:
            yield f"{prefix}{name}", kind
        else:
            yield from _leaves(inner, f"{prefix}{name}.")


@cache
def defaults() -> Mapping[str, Any]:
    """What a policy has without a word, by dotted key; of a part that may be left out, what it has where it is there."""
    found = {
        f"{key}.{field.name}".lstrip("."): _default(field)
        for key, part in parts().items()
        for field in msgspec.structs.fields(part)
    }
    return {key: found[key] for key in leaves()}


def _default(field: msgspec.structs.FieldInfo) -> Any:
    """Only the name of a policy has none."""
    if field.default is not msgspec.NODEFAULT:
        return field.default
    return "" if field.default_factory is msgspec.NODEFAULT else field.default_factory()


@cache
def parts() -> Mapping[str, Part]:
    """Parts of a policy by dotted key; the policy itself has none."""
    return dict(_parts(Policy, ""))


def _parts(part: Part, prefix: str) -> Iterator[tuple[str, Part]]:
    yield prefix.rstrip("."), part
    for name, kind in fields(part).items():
        inner = part_of(kind)
        if inner is not None:
            yield from _parts(inner, f"{prefix}{name}.")


def is_optional(key: str) -> bool:
    """Whether a part may be left out."""
    above, _, name = key.rpartition(".")
    return type(None) in kinds(fields(parts()[above])[name])


def first(key: str) -> tuple[str, Any]:
    """The first key of a part and its default: what says that the part is there."""
    field = msgspec.structs.fields(parts()[key])[0]
    return f"{key}.{field.name}", field.default


def values(policy: Policy) -> Iterator[tuple[str, Any]]:
    """Every effective value of a policy by dotted key, in order; a part that is left out is one value, None."""
    yield from _values(policy, "")


def _values(part: msgspec.Struct, prefix: str) -> Iterator[tuple[str, Any]]:
    for name in part.__struct_fields__:
        value = getattr(part, name)
        if isinstance(value, msgspec.Struct):
            yield from _values(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def expected(key: str) -> str:
    """What a key accepts, in words."""
    if key in ITEMS:
        return f"a list of {', '.join(ITEMS[key])}"
    options = kinds(leaves()[key])
    said = [*CHOICES.get(key, ())]
    if key in RANGES:
        low, high = map(_number, RANGES[key])
        is_any = float in options and key not in TOKENS_OR_SHARE
        said += ["a share below 1"] if key in TOKENS_OR_SHARE else []
        said.append(low if low == high else f"{'a number' if is_any else 'a whole number'} from {low} to {high}")
    if key in FORMS:
        said.append(FORMS[key][1])
    if bool in options:
        said.append("true or false")
    if not said:
        said.append("text" if str in options else _collection(options[0]))
    return f"{', '.join(said[:-1])} or {said[-1]}" if len(said) > 1 else said[0]


def _collection(kind: Any) -> str:
    """What a list or mapping of the user's own holds, in words."""
    if get_origin(kind) is not dict:
        return "a list of texts"
    held = get_args(kind)[1]
    return f"names with {', '.join(held)}" if isinstance(held, EnumType) else "a mapping of lists"


def _number(value: float) -> str:
    return f"{int(value):,}" if value == int(value) else f"{value:g}"
