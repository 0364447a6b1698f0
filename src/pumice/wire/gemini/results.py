"""What a function's response says, and where an excerpt of it goes: `response` is always an object (K-G6)."""

from collections.abc import Iterator, Mapping
from typing import Any

from pumice.wire import jsonbytes
from pumice.wire.values import mapping

OUTPUT, ERROR = "output", "error"
"""Members the documentation names for what a function gave and for why it failed."""


def text(response: Any) -> str:
    """A lone text as it is; else each value on a line of its own behind its name, several lines below it."""
    name = _lone(response)
    return str(response[name]) if name else "\n".join(_lines(response, ""))


def failed(response: Any) -> bool:
    return bool(mapping(response).get(ERROR))


def saying(response: Any, said: str) -> bytes:
    """An object that says something else, under the name the text had."""
    name = _lone(response) or (ERROR if failed(response) and OUTPUT not in mapping(response) else OUTPUT)
    return jsonbytes.encode({name: said})


def _lone(response: Any) -> str:
    names = list(mapping(response))
    return names[0] if len(names) == 1 and names[0] and isinstance(response[names[0]], str) else ""


def _lines(value: Any, path: str) -> Iterator[str]:
    if isinstance(value, Mapping):
        for name, item in value.items():
            yield from _lines(item, f"{path}.{name}" if path else name)
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from _lines(item, f"{path}[{place}]")
    else:
        said = value if isinstance(value, str) else jsonbytes.encode(value).decode()
        separator = "\n" if "\n" in said else " "
        yield f"{path}:{separator}{said}" if path else said
