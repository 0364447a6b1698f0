"""A18, A19, A21: what the messages say about tools agrees with the tools that are declared.

A marker on a deferred tool is refused too: "cannot have both defer_loading=true and cache_control set" (reported by
clients of 2026; told under A22).
"""

from collections.abc import Iterator
from typing import Any

import msgspec

from pumice.domain.message import Violation
from pumice.measure.naming import ModelName
from pumice.wire.anthropic.canonical import MARKER
from pumice.wire.anthropic.tools import is_deferred, is_search
from pumice.wire.rules.anthropic import models
from pumice.wire.rules.rule import Ending, Part, Seen, Step
from pumice.wire.values import objects, string


class Mention(msgspec.Struct, frozen=True):
    name: str
    path: str
    rule: str


class Tools(msgspec.Struct, frozen=True):
    mentions: tuple[Mention, ...] = ()
    inline: frozenset[str] = frozenset()
    """Tools that a `tool_addition` defined."""
    first_use: str = ""
    """Path of the first tool block."""


START = Tools()


def step(state: Tools, message: Seen, _model: ModelName, /) -> Step:
    mentions, inline, first = list(state.mentions), state.inline, state.first_use
    for part in message.parts:
        if part.kind in ("tool_addition", "tool_removal"):
            name, is_definition = _changed(part)
            inline = inline | {name} if is_definition else inline
            mentions += [] if name in inline else [Mention(name, part.path, "A18")]
        elif part.kind in ("tool_use", "tool_result"):
            first = first or part.path
        mentions += [Mention(name, part.path, "A19") for name in _references(part.value)]
    return Step(Tools(tuple(mentions), inline, first))


def end(state: Tools, ending: Ending, /) -> Iterator[Violation]:
    declared = {string(tool.get("name")) for tool in ending.tools} | state.inline
    for mention in state.mentions:
        if mention.name not in declared:
            yield Violation(mention.rule, mention.path, f"the tool {mention.name!r} is not declared in `tools`")
    yield from _deferred(ending.tools)
    if state.first_use and not ending.tools and models.needs_tools(ending.model):
        yield Violation("A21", "tools", f"the history holds tool blocks ({state.first_use}), so `tools` must be sent")


def _changed(part: Part) -> tuple[str, bool]:
    tool = part.value.get("tool")
    if not isinstance(tool, dict):
        return string(tool), False
    definition = tool.get("tool_definition") if tool.get("type") != "tool_definition" else tool
    if isinstance(definition, dict):
        return string(definition.get("name")), True
    return string(tool.get("tool_name")) or string(tool.get("name")), False


def _references(value: dict[str, Any]) -> Iterator[str]:
    content = value.get("content")
    listed = objects(content.get("tool_references")) if isinstance(content, dict) else objects(content)
    for item in listed:
        if item.get("type") == "tool_reference":
            yield string(item.get("tool_name"))


def _deferred(tools: tuple[dict[str, Any], ...]) -> Iterator[Violation]:
    if tools and all(map(is_deferred, tools)):
        yield Violation("A19", "tools", "at least one tool must not be deferred")
    for place, tool in enumerate(tools):
        if is_deferred(tool) and is_search(tool):
            yield Violation("A19", f"tools[{place}]", "the tool-search tool cannot be deferred")
        if is_deferred(tool) and MARKER in tool:
            yield Violation("A22", f"tools[{place}].{MARKER}", "a deferred tool cannot carry a cache marker")
