"""Tool definitions of an Anthropic request that wait outside the prefix until the provider's search loads them (K §1.5.4)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pumice.domain.diet import Diet
from pumice.domain.message import Request
from pumice.measure import models
from pumice.wire import jsonbytes
from pumice.wire.anthropic.canonical import MARKER
from pumice.wire.values import mapping, objects, string

SEARCHES = {"bm25": "tool_search_tool_bm25", "regex": "tool_search_tool_regex"}
_VERSION = "20251119"
_SEARCH = "tool_search_tool_"
_DEFERRED = "defer_loading"
_STAYS = ("input_examples", "allowed_callers", _DEFERRED)
"""What a definition has that the search does not carry over, or that says already when it is loaded."""


def refusal(request: Request, tools: Sequence[Mapping[str, Any]], model: str) -> str:
    """Why no tool of this request can be deferred; empty where they can."""
    if not models.facts(model).defers_tools:
        return f"{model or 'a model without a name'} is not known to search tools (Claude 4.5 and later do)"
    if any(is_deferred(tool) or is_search(tool) for tool in tools):
        return "the client defers tools itself"
    if _choice(request).get("type") == "any":
        return 'tool_choice "any" asks for one of the tools at once'
    return ""


def can_wait(tool: Mapping[str, Any]) -> bool:
    """Whether a definition may be deferred: tools of the client's own, without what a search leaves out."""
    return string(tool.get("type")) in ("", "custom") and not any(key in tool for key in _STAYS)


def forced(request: Request) -> str:
    """The tool the request wants to be called; empty for none."""
    choice = _choice(request)
    return string(choice.get("name")) if choice.get("type") == "tool" else ""


def is_deferred(tool: Mapping[str, Any]) -> bool:
    return tool.get(_DEFERRED) is True


def is_search(tool: Mapping[str, Any]) -> bool:
    return string(tool.get("type")).startswith(_SEARCH)


def loads(block: Mapping[str, Any]) -> Iterator[str]:
    """Names of the definitions that a block puts into the context: what a search has found, or a result refers to."""
    content = block.get("content")
    listed = objects(content.get("tool_references")) if isinstance(content, dict) else objects(content)
    return (string(item.get("tool_name")) for item in listed if item.get("type") == "tool_reference")


def defer(named: Sequence[tuple[str, bytes]], diet: Diet) -> list[bytes]:
    """The definitions with those of the diet deferred and the search behind them; all others keep their bytes.

    A deferred definition takes no cache marker (the provider refuses both together), so it moves to the next loaded one.
    """
    if not any(name in diet.deferred for name, _ in named):
        return [raw for _, raw in named]
    search = SEARCHES[diet.search]
    listed = [*named, (search, jsonbytes.encode({"type": f"{search}_{_VERSION}", "name": search}))]
    found: list[bytes] = []
    marker: bytes | None = None
    for name, raw in listed:
        members = jsonbytes.members(raw)
        if name in diet.deferred:
            marker = members.pop(MARKER, marker)
            found.append(jsonbytes.join_object({**members, _DEFERRED: b"true"}))
        else:
            found.append(jsonbytes.join_object({**members, MARKER: marker}) if marker and MARKER not in members else raw)
            marker = None
    return found


def _choice(request: Request) -> Mapping[str, Any]:
    return mapping(jsonbytes.decode(request.fields.get("tool_choice", b"null")))
