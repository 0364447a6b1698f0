"""Decoded JSON of unknown shape, looked at safely."""

from typing import Any


def string(value: Any) -> str:
    """The value if it is a string, else nothing."""
    return value if isinstance(value, str) else ""


def mapping(value: Any) -> dict[str, Any]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def objects(value: Any) -> tuple[dict[str, Any], ...]:
    """The objects of a list; nothing of anything else."""
    return tuple(item for item in value if isinstance(item, dict)) if isinstance(value, list) else ()


def count(value: Any) -> int:
    """The value if it is a whole number, else 0."""
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
