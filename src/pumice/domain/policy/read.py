"""Read a policy from plain data: every key known, every number in its range, every refusal with its path."""

from collections.abc import Mapping
from typing import Any

import msgspec

from pumice.domain.policy import Policy
from pumice.domain.policy.keys import values
from pumice.domain.policy.limits import FLOOR, LEVELS
from pumice.domain.policy.written import Written, same_place, written
from pumice.errors import BadPolicy

__all__ = ["FLOOR", "LEVELS", "Written", "build", "over", "read", "values", "written"]

_ADDED = ("never_compress",)
"""Lists that only grow from a policy to what builds on it."""
_MERGED = ("effects",)
"""Mappings whose entries win one by one."""
_ZONES = ("stable", "semi_stable", "dynamic")


def read(data: Any, *, name: str) -> Policy:
    """A policy from the value of a YAML document; `name` is used where it names none. Raises BadPolicy with the path.

    A document that builds on another needs that one too: `build(over(parent, written(data)), …)`.
    """
    found = written(data)
    if found.extends:
        raise BadPolicy(f"$.extends: {found.extends!r} given, but no other policy is known here.", hint="Name a file instead.")
    return build(found.values, name=name, paths=found.paths)


def build(given: Mapping[str, Any], *, name: str, paths: Mapping[str, str] | None = None) -> Policy:
    """A policy of values by dotted key, everything else at its default. Raises BadPolicy where two do not go together."""
    policy = msgspec.convert({"name": name, **_nested(given)}, Policy, strict=True)
    _together(policy, paths or {})
    return policy


def over(base: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Values on top of those they build on; `never_compress` only grows, and of `effects` each tool counts alone."""
    kept = {key: value for key, value in base.items() if not any(same_place(key, new) for new in given)}
    grown = {key: tuple(dict.fromkeys((*base.get(key, ()), *given[key]))) for key in _ADDED if key in given}
    merged = {key: {**base.get(key, {}), **given[key]} for key in _MERGED if key in given}
    return {**kept, **given, **grown, **merged}


def _nested(given: Mapping[str, Any]) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    for key, value in given.items():
        *parents, last = key.split(".")
        place = tree
        for parent in parents:
            place = place.setdefault(parent, {})
        place[last] = value
    return tree


def _together(policy: Policy, paths: Mapping[str, str]) -> None:
    """What no value alone can be wrong in."""
    sight = policy.first_sight
    if sight is not None and sight.min > sight.max:
        least, most = (paths.get(f"first_sight.{end}", f"$.first_sight.{end}") for end in ("min", "max"))
        raise BadPolicy(f"{least}: {sight.min:,} given, but {most} is {sight.max:,}.", hint="Raise one or lower the other.")
    zones: dict[str, str] = {}
    for zone in _ZONES:
        for item in getattr(policy, zone):
            if item in zones:
                here, there = paths.get(zone, f"$.{zone}"), paths.get(zones[item], f"$.{zones[item]}")
                raise BadPolicy(f"{here}: {item!r} stands in {there} too.", hint="A thing has one zone: name both lists.")
            zones[item] = zone
