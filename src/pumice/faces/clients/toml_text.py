"""A key of a TOML text set or taken out; comments, order and spelling of everything else stay (tomlkit)."""

from collections.abc import MutableMapping, Sequence
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError

from pumice.errors import InvalidInput


def read(text: str) -> dict[str, Any]:
    """The tables a text holds. Raises InvalidInput."""
    return _parsed(text).unwrap()


def put(text: str, path: Sequence[str], value: Any) -> str:
    """The text with a value at a path; what is missing on the way is made as a table of its own."""
    document = _parsed(text)
    table: MutableMapping[str, Any] = document
    for depth, key in enumerate(path[:-1]):
        if key not in table:
            table[key] = tomlkit.table(is_super_table=depth < len(path) - 2)
        table = table[key]
        if not isinstance(table, MutableMapping):
            raise InvalidInput(f"holds no table under {key!r}.", hint="Add the lines by hand.")
    table[path[-1]] = value
    return tomlkit.dumps(document)


def drop(text: str, path: Sequence[str]) -> str:
    """The text without the key at a path."""
    document = _parsed(text)
    table: Any = document
    for key in path[:-1]:
        table = table.get(key, {})
    if path[-1] not in table:
        return text
    del table[path[-1]]
    return tomlkit.dumps(document)


def _parsed(text: str) -> tomlkit.TOMLDocument:
    try:
        return tomlkit.parse(text)
    except TOMLKitError as error:
        raise InvalidInput(f"is no TOML ({error}).", hint="Add the lines by hand.") from None
