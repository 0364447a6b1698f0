"""The canonical value of a part: what it means, not how it was written.

Left out is what a client may change when it sends an answer back: ids it has invented itself, signatures it has lost, the
alphabet of base64 (reference: real clients, "What clients change between calls").
"""

from collections.abc import Mapping
from typing import Any

from pumice.wire.gemini import keys
from pumice.wire.values import mapping

_BASE64 = str.maketrans("-_", "+/")
_LEFT_OUT = frozenset({"thoughtSignature", "partMetadata"})
_UNSET: tuple[Any, ...] = (None, False, "", [], {})
"""What proto JSON takes for a member that is not there."""


def of_part(part: Any) -> Any:
    """The value that is hashed."""
    if not isinstance(part, Mapping):
        return part
    found = {keys.camel(name): value for name, value in part.items()}
    kept = {name: value for name, value in found.items() if name not in _LEFT_OUT and (name == "text" or value not in _UNSET)}
    for name in ("functionCall", "functionResponse"):
        if name in kept:
            kept[name] = _without_id(mapping(kept[name]))
    for name in ("inlineData", "fileData"):
        if name in kept:
            kept[name] = medium(kept[name])
    return kept


def medium(value: Any) -> dict[str, Any]:
    """Bytes by their standard alphabet, members in camelCase."""
    found = {keys.camel(name): item for name, item in mapping(value).items()}
    data = found.get("data")
    return {**found, "data": data.translate(_BASE64).rstrip("=")} if isinstance(data, str) else found


def parts(content: Any) -> list[Any]:
    """Parts as a list; the API takes a single one without."""
    if content is None:
        return []
    return content if isinstance(content, list) else [content]


def _without_id(value: dict[str, Any]) -> dict[str, Any]:
    return {name: item for name, item in value.items() if name != "id" and item not in _UNSET}
