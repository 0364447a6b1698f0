"""Parts of a content as the rules look at them."""

from typing import Any

from pumice.wire.gemini import canonical, keys
from pumice.wire.rules.rule import Part
from pumice.wire.values import mapping, string


def of(value: dict[str, Any], path: str) -> tuple[Part, ...]:
    """The parts of a content, each by what it holds."""
    listed = enumerate(map(mapping, canonical.parts(value.get("parts"))))
    return tuple(Part(keys.kind(part), part, f"{path}.parts[{place}]") for place, part in listed)


def data(part: Part) -> dict[str, Any]:
    """What the part holds, as an object."""
    return mapping(keys.get(part.value, part.kind))


def ident(part: Part) -> str:
    return string(data(part).get("id"))


def name(part: Part) -> str:
    return string(data(part).get("name"))
