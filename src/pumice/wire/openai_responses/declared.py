"""Every tool a Responses request declares: in `tools`, in items of the input, and inside namespaces (K §3.1).

Codex declares everything in an item for models that take it so, and there all but its code tool is called from code.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

import msgspec

from pumice.domain.message import Request
from pumice.wire import jsonbytes
from pumice.wire.openai_responses import head, items
from pumice.wire.values import mapping, objects, string

_ITEM = items.TOOLS.encode()


class Declared(msgspec.Struct, frozen=True):
    name: str
    namespace: str = ""
    is_custom: bool = False
    """It is called with free text."""


def of(request: Request) -> tuple[Declared, ...]:
    """In the order they stand in. Raises BadRequest for an item that is no JSON."""
    listed = (mapping(jsonbytes.decode(raw)) for raw in request.head.tools)
    in_items = (tool for raw in request.messages if _ITEM in raw for tool in _in_item(raw))
    return (*_flat(listed), *in_items)


@lru_cache(maxsize=32)
def _in_item(raw: bytes) -> tuple[Declared, ...]:
    value = mapping(jsonbytes.decode(raw))
    return tuple(_flat(objects(value.get("tools")))) if items.kind(value) == items.TOOLS else ()


def _flat(listed: Iterable[Mapping[str, Any]]) -> Iterator[Declared]:
    for tool in listed:
        if tool.get("type") == "namespace":
            yield from (_one(inner, string(tool.get("name"))) for inner in objects(tool.get("tools")))
        else:
            yield _one(tool)


def _one(tool: Mapping[str, Any], namespace: str = "") -> Declared:
    return Declared(head.name(tool), namespace, tool.get("type") == "custom")
