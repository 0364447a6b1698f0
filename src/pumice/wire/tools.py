"""Tool definitions of a request, whatever its dialect: read, put in order, deferred where the provider can."""

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import msgspec

from pumice.domain.block import Block
from pumice.domain.diet import Diet
from pumice.domain.effect import Effect
from pumice.domain.message import Head, Request
from pumice.wire import envelope, get, jsonbytes, system
from pumice.wire.anthropic import tools as anthropic
from pumice.wire.gemini import head as gemini
from pumice.wire.openai_responses import declared as responses
from pumice.wire.values import mapping, string

SEARCH_TOKENS = 150
"""o200k tokens the provider's search adds: 702 billed for a recorded question of 10 tokens and two deferred tools, less
the 497 of any request with tools (K §1.6), at the model's 1.25."""
_REFERENCE = b'"tool_reference"'
_HINTS = b'"annotations"'
_WRITE_HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint")
"""Hints that are only about a tool that changes something, or say that one does (MCP, ToolAnnotations)."""


class Tool(msgspec.Struct, frozen=True):
    name: str
    raw: bytes
    can_wait: bool = False
    """Whether the provider would take it as deferred."""
    is_deferred: bool = False
    is_search: bool = False


def of(request: Request) -> tuple[Tool, ...]:
    """The definitions of a request in its order."""
    return read(request.head, request.dialect)


def callable_names(request: Request) -> tuple[str, ...]:
    """What the model can call by name: those of namespaces and of items in the conversation too."""
    if request.dialect == "openai-responses":
        return tuple(tool.name for tool in responses.of(request))
    return request.head.tool_names


@lru_cache(maxsize=64)
def _read(raws: tuple[bytes, ...], names: tuple[str, ...], dialect: str) -> tuple[Tool, ...]:
    if dialect != "anthropic":
        return tuple(Tool(name, raw) for name, raw in zip(names, raws, strict=True))
    values = [_value(raw) for raw in raws]
    return tuple(
        Tool(name, raw, anthropic.can_wait(value), anthropic.is_deferred(value), anthropic.is_search(value))
        for name, raw, value in zip(names, raws, values, strict=True)
    )


def read(head: Head, dialect: str) -> tuple[Tool, ...]:
    """The definitions of a head in its order."""
    return _read(head.tools, head.tool_names, dialect)


def refusal(request: Request, model: str) -> str:
    """Why no tool of this request can be deferred; empty where they can."""
    twice = [name for name, count in Counter(request.head.tool_names).items() if count > 1]
    if twice:
        return f"two tools are named {twice[0]!r}"
    if request.dialect != "anthropic":
        return f"{request.dialect} has no deferral, and a search by pumice is not asked for"
    return anthropic.refusal(request, [_value(raw) for raw in request.head.tools], model)


def forced(request: Request) -> str:
    """The tool a request wants to be called, where deferring it would matter; empty for none."""
    return anthropic.forced(request) if request.dialect == "anthropic" else ""


def loads(block: Block) -> frozenset[str]:
    """Names of deferred definitions that a block puts into the context."""
    return frozenset(anthropic.loads(_value(block.raw))) if _REFERENCE in block.raw else frozenset()


def written(request: Request, diet: Diet) -> bytes | None:
    """The request's `tools` under a diet; None where they leave as they came."""
    is_whole = request.head.tools and "functions" not in request.fields
    return _written(request.head, request.dialect, diet) if is_whole else None


@lru_cache(maxsize=32)
def _written(head: Head, dialect: str, diet: Diet) -> bytes | None:
    named = list(zip(head.tool_names, head.tools, strict=True))
    if len(set(head.tool_names)) < len(named):
        return None
    places = {name: place for place, name in enumerate(diet.names)} if diet.keeps_order else {}
    ordered = sorted(named, key=lambda tool: places.get(tool[0], len(places)))
    made = anthropic.defer(ordered, diet) if dialect == "anthropic" else [tool for _, tool in ordered]
    if made == list(head.tools):
        return None
    return gemini.tools_field(made) if dialect == "gemini" else jsonbytes.join_array(made)


def head_of(request: Request, tools: bytes) -> Head:
    """The request's head with other tools."""
    return _head(request.dialect, request.fields.get(system.field(request), b"null"), tools)


@lru_cache(maxsize=32)
def _head(dialect: str, system: bytes, tools: bytes) -> Head:
    found = get(dialect)
    around = {found.system_field: system, "tools": tools} if found.system_field else {"tools": tools}
    return found.open(envelope.bare(around, found.field)).head


def declared(head: bytes) -> Mapping[str, Effect]:
    """What the tools of a stored head say of themselves by the hints of MCP; a call that may be made twice still writes."""
    if _HINTS not in head:
        return {}
    found = jsonbytes.members(head).get("tools", b"[]")
    values = [_value(raw) for raw in jsonbytes.items(found)] if jsonbytes.is_array(found) else []
    named = {string(_function(value).get("name")): _hinted(value) for value in values}
    return {name: effect for name, effect in named.items() if effect is not None}


def _function(value: Mapping[str, Any]) -> Mapping[str, Any]:
    return mapping(value.get("function")) or value


def _hinted(value: Mapping[str, Any]) -> Effect | None:
    hints = mapping(value.get("annotations")) or mapping(_function(value).get("annotations"))
    if hints.get("readOnlyHint") is True:
        return Effect.READ
    return Effect.WRITE if any(isinstance(hints.get(name), bool) for name in _WRITE_HINTS) else None


def _value(raw: bytes) -> dict[str, Any]:
    return mapping(jsonbytes.decode(raw))
