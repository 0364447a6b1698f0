"""Tools an agent is given: read-back, notes, plan, phases. Any agent loop can declare and call them."""

from pumice.toolkit import notes, phase, plan, read_back, record
from pumice.toolkit.tool import Archive, Desk, Told, Tool

__all__ = ["Archive", "Desk", "Told", "Tool", "stored", "tools"]


def tools(desk: Desk, *, agent: str = "main", read_range: str = "read_range") -> tuple[Tool, ...]:
    """All tools over one session, for one of its agents."""
    return (*read_back.tools(desk, read_range=read_range), notes.tool(), plan.tool(), phase.tool(desk, agent=agent))


def stored(desk: Archive, *, read_range: str = "read_range") -> tuple[Tool, ...]:
    """All tools over a stored session, for those who do not make its calls."""
    return (*read_back.tools(desk, read_range=read_range), *read_back.ends(desk), *record.tools(desk))
