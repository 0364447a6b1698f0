"""The MCP server: the toolkit's tools over stored sessions, in a fixed order, results as compact text (reference K §10)."""

from collections.abc import Sequence
from typing import Any

import mcp_types as types
from mcp.server import Server
from mcp.server.context import ServerRequestContext

import pumice
from pumice.errors import PumiceError
from pumice.faces.mcp.chosen import Chosen
from pumice.measure import tokens
from pumice.toolkit import Told, Tool, stored

NAME = "pumice"
MOST = 15_500
"""o200k tokens of a result: what a read-back gives at most, and its line about the place; clients cut at 25,000 of theirs."""
SESSION = {"type": "string", "description": "Name of the stored session; the newest without it."}
INSTRUCTIONS = """\
pumice keeps what was folded out of an agent's context window. Where a view shows a line that begins with ⋯, or a mark with
read="…", the rest can be read back: read_range, head and tail by the block's name, search by words. manifest and explain say
why something was left out; notes and pins keep what must not be lost."""


def serve(chosen: Chosen) -> Server[Any]:
    """A server over the sessions it may choose from."""

    async def listed(_: ServerRequestContext[Any], __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=definitions(stored(chosen.none()), is_single=bool(chosen.only)))

    async def called(_: ServerRequestContext[Any], params: types.CallToolRequestParams) -> types.CallToolResult:
        told = await _told(chosen, params.name, dict(params.arguments or {}))
        return types.CallToolResult(content=[types.TextContent(type="text", text=_bounded(told.text))], is_error=told.is_error)

    return Server(NAME, version=pumice.__version__, instructions=INSTRUCTIONS, on_list_tools=listed, on_call_tool=called)


def definitions(tools: Sequence[Tool], *, is_single: bool) -> list[types.Tool]:
    """How the tools are declared; each takes the session it is about besides, unless there is but one."""
    return [
        types.Tool(
            name=tool.name,
            description=tool.description,
            input_schema=_schema(tool, is_single=is_single),
            annotations=types.ToolAnnotations(
                read_only_hint=not tool.adds, destructive_hint=False, idempotent_hint=True, open_world_hint=False
            ),
        )
        for tool in tools
    ]


def _schema(tool: Tool, *, is_single: bool) -> dict[str, Any]:
    shape = tool.parameters
    return shape if is_single else {**shape, "properties": {**shape.get("properties", {}), "session": SESSION}}


async def _told(chosen: Chosen, name: str, given: dict[str, Any]) -> Told:
    session = "" if chosen.only else given.pop("session", "")
    try:
        desk = await chosen.desk(str(session))
    except PumiceError as error:
        return Told(str(error), is_error=True)
    tools = {tool.name: tool for tool in stored(desk)}
    if name not in tools:
        return Told(f"tool {name[:60]!r} is not known here: expected one of {', '.join(tools)}.", is_error=True)
    told = await tools[name].told(given)
    return told if told.is_error or session or chosen.only else Told(f"{told.text}\n[session {desk.name}]")


def _bounded(text: str) -> str:
    """A result within what clients take, cut between two lines."""
    kept = tokens.truncate(text, MOST) if len(text) > MOST // 4 else text
    if len(kept) == len(text):
        return text
    return f"{kept[: kept.rfind(chr(10)) + 1]}[{len(text) - len(kept)} more characters: ask for less at once]"
