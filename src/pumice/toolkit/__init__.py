"""Tools an agent is given: read-back, notes, plan, phases. Any agent loop can declare and call them."""

from pumice.toolkit import notes, phase, plan, read_back
from pumice.toolkit.tool import Desk, Tool

__all__ = ["Desk", "Tool", "tools"]


def tools(desk: Desk, *, agent: str = "main", read_range: str = "read_range") -> tuple[Tool, ...]:
    """All tools over one session, for one of its agents."""
    return (*read_back.tools(desk, read_range=read_range), notes.tool(), plan.tool(), phase.tool(desk, agent=agent))
