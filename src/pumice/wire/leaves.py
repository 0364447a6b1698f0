"""The text of a block by the ruler of entities: leaves of a call's arguments, text parts of a result."""

from collections.abc import Iterator
from typing import Any

_UNREADABLE = frozenset(
    {"type", "signature", "data", "encrypted_content", "encrypted_index", "cache_control", "thoughtSignature"}
)
"""Members of opaque blocks that are names or ciphertext."""


def of_arguments(value: Any) -> str:
    """Each string or number leaf on a line of its own, in the order of the arguments."""
    return "\n".join(_walk(value, frozenset()))


def of_opaque(value: Any) -> str:
    """The readable leaves of a block whose kind is not known."""
    return "\n".join(_walk(value, _UNREADABLE))


def _walk(value: Any, skip: frozenset[str]) -> Iterator[str]:
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, int | float) and not isinstance(item, bool):
            yield str(item)
        elif isinstance(item, dict):
            pending.extend(child for key, child in reversed(item.items()) if key not in skip)
        elif isinstance(item, list):
            pending.extend(reversed(item))
