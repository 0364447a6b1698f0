"""The tool that ends a phase of a long task: what came of it and where that lies stays, its steps may fold (F-C15)."""

from typing import Annotated

import msgspec
from msgspec import Meta

from pumice.toolkit.tool import Desk, Tool

NAME = "end_phase"


class Output(msgspec.Struct, forbid_unknown_fields=True):
    location: Annotated[str, Meta(description="A file, an address or an id.")]
    what: str = ""


class Phase(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    summary: Annotated[str, Meta(description="What was done and decided, and what failed, in a few sentences.")]
    outputs: Annotated[list[Output], Meta(description="Where the results of the phase lie.")] = []


def tool(desk: Desk, *, agent: str = "main") -> Tool:
    """`end_phase`; the next call of the agent may begin an epoch."""

    async def run(asked: Phase) -> str:
        await desk.end_phase(asked.name, agent=agent)
        return f"Phase {asked.name!r} ended, {len(asked.outputs)} outputs on record. Older steps may be folded from here on."

    return Tool(NAME, "End a phase of a long task with a summary and the locations of what it produced.", Phase, run, adds=True)
