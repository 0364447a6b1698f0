"""What a JSON value is made of, in words: keys and types, and the cells its records have in common."""

from collections.abc import Sequence
from itertools import islice
from typing import Any

from pumice.excerpt.units import many

_KEYS = 40
_NESTED = 8
_SAMPLE = 200
_KEY_CHARS = 40
_CHARS = 400
_TYPES = {str: "string", bool: "boolean", int: "number", float: "number", type(None): "null", list: "array", dict: "object"}

_HOLDING = frozenset((list, dict))


def note(value: Any) -> str:
    """One line of ours: how many entries, and the keys and types of what is inside; never a value."""
    if isinstance(value, dict):
        return f"JSON object, {many(len(value), 'key')}: {_fields([value])}" if value else "JSON object, empty"
    if not value:
        return "JSON array, empty"
    records = [item for item in value if isinstance(item, dict)]
    kinds = sorted({_TYPES[type(item)] for item in islice(value, _SAMPLE)})
    inside = f" with {_fields(records)}" if records else ""
    return f"JSON, {many(len(value), 'item')}: {' or '.join(kinds)}{inside}"


def cells(values: Sequence[Any]) -> list[list[str]]:
    """Rows of short texts for records, one cell for each scalar key; empty when the values are no records."""
    if not all(isinstance(value, dict) for value in values) or len(values) < 3:
        return []
    columns = [[value.get(key) for value in values] for key in _keys(values)]
    flat = [[str(cell)[:80] for cell in column] for column in columns if not _holds(column[:_SAMPLE])]
    known: dict[tuple[str, ...], str] = {}
    shapes = (known.get(names := tuple(value)) or known.setdefault(names, str(sorted(names))) for value in values)
    return [list(row) for row in zip(shapes, *flat, strict=True)]


def _holds(column: Sequence[Any]) -> bool:
    """Whether any cell holds others."""
    return not _HOLDING.isdisjoint(map(type, column))


def _keys(records: Sequence[dict[str, Any]]) -> list[str]:
    return list(dict.fromkeys(key for record in records[:_SAMPLE] for key in record))


def _fields(records: Sequence[dict[str, Any]]) -> str:
    """`id number, author {login, id}, labels [string]`, `?` for keys that not all have."""
    keys = _keys(records)
    shown: list[str] = []
    for key in keys[:_KEYS]:
        shown.append(_field(key, [record[key] for record in records[:_SAMPLE] if key in record], len(records)))
        if sum(map(len, shown)) > _CHARS:
            break
    more = f" and {len(keys) - len(shown)} more" if len(keys) > len(shown) else ""
    return ", ".join(shown) + more


def _field(key: str, values: Sequence[Any], total: int) -> str:
    name = " ".join(key[:_KEY_CHARS].split())
    kinds = "|".join(sorted({_TYPES[type(value)] for value in values}))
    optional = "?" if len(values) < min(total, _SAMPLE) else ""
    return f"{name}{optional} {_inside(values) or kinds}"


def _inside(values: Sequence[Any]) -> str:
    first = next((value for value in values if value), None)
    if isinstance(first, dict):
        return "{" + ", ".join(" ".join(key[:_KEY_CHARS].split()) for key in list(first)[:_NESTED]) + "}"
    if isinstance(first, list):
        return f"[{_TYPES[type(first[0])]}]"
    return ""
