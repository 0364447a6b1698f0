"""How a lane's client fetches what has left the window: decided at its first call, on record, and the same ever after.

Files are written before the view that names them is handed out; those of an excerpt once, those of a cut with its epoch.
"""

import re
from collections.abc import Collection
from typing import TYPE_CHECKING

from pumice.commit import effects
from pumice.commit.effects import Does
from pumice.compile.assemble import is_whole
from pumice.domain.block import Block, Kind
from pumice.domain.message import Request
from pumice.domain.policy import Policy
from pumice.domain.redeem import FILES, NONE, POINTERS, TOOL, Redeem
from pumice.engine import journal
from pumice.engine.journal import Entry
from pumice.engine.lane import Lane
from pumice.engine.terms import Terms
from pumice.wire import tools

if TYPE_CHECKING:
    from pumice.engine.session import Session

_SERVED = r"(?:mcp__[A-Za-z0-9_.-]{1,64}__|mcp_[A-Za-z0-9.-]{1,64}_|[A-Za-z0-9.-]{1,64}__)?"
"""What clients put before the name of a tool that an MCP server offers."""
_OPENS = (Does.FILE_READ, Does.SHELL)
_NAME = re.compile(r"\bb\d+\b")


def decide(session: "Session", lane: Lane, request: Request, terms: Terms) -> None:
    """Choose for a lane at its first call; what was decided before stays."""
    if lane.redeem is not None:
        return
    folder = session.context.store.shelf.folder(session.context.key, session.context.policy.offload.read_back.folder)
    found = Redeem(TOOL) if terms.answers and session.context.policy.offload.read_back.mode == "tool" else None
    found = found or chosen(session.context.policy, request, terms.is_here, folder)
    if found == POINTERS:
        lane.take_redeem(found)  # what is shown where nothing is known needs no record
    else:
        session.write(Entry(lane.branch.name, journal.ReadBackEvent(lane.name, found)))


def chosen(policy: Policy, request: Request, is_here: bool | None, folder: str) -> Redeem:
    """What the policy says; for `auto` files where the client runs here and can open them, else a tool of ours, else nothing.

    Where nobody knows who the client is, as in a library, pointers stand as addresses.
    """
    mode = policy.offload.read_back.mode
    if mode == "files" or (mode == "auto" and is_here and folder and _opens_files(request)):
        return Redeem(FILES, folder) if folder else Redeem(NONE)
    if mode == "none" or (mode == "auto" and is_here is not None and not tool_of(policy, request)):
        return Redeem(NONE)
    return POINTERS


def tool_of(policy: Policy, request: Request) -> str:
    """The read-back tool among those of the request: by the policy's name for it, or that behind the name of an MCP server."""
    named = re.compile(_SERVED + re.escape(policy.offload.read_back.tool))
    return next((name for name in tools.callable_names(request) if named.fullmatch(name)), "")


def _opens_files(request: Request) -> bool:
    rows = map(effects.lookup, tools.callable_names(request))
    return any(row.does in _OPENS and row.of != effects.OURS for row in rows)


def count(session: "Session", lane: Lane, first_new: int) -> None:
    """Remember which blocks new results have brought back, by whatever way (F-E4)."""
    for node in lane.branch.nodes[first_new:]:
        uses = (lane.branch.uses.get(block.id) for block in node.blocks if block.kind is Kind.RESULT)
        session.read_back.update(name for use in uses if use is not None for name in _NAME.findall(use.reads_back))


async def write_out(session: "Session", lane: Lane) -> None:
    """Write out, as files, the blocks that a lane no longer shows whole and whose files have not been written.

    Where files of the folder have come or gone by another's hand, all are looked at again: the views name them still.
    """
    if lane.how.by != FILES:
        return
    folder, shelf = lane.how.folder, session.context.store.shelf
    stamp, laid = session.laid_out.get(folder, (0, set[str]()))
    is_untouched = stamp == shelf.stamp(folder)
    hides = (lane.name, lane.epoch.number, len(lane.branch.forms))
    if is_untouched and hides == session.hid:
        return
    laid = laid if is_untouched else set()
    texts = {block.id: block.text for block in _hidden(lane, laid)}
    if texts:
        await shelf.write(folder, texts)
        session.laid_out[folder] = shelf.stamp(folder), laid | texts.keys()
    session.hid = hides


def _hidden(lane: Lane, laid: Collection[str]) -> list[Block]:
    """Blocks with a text of their own that are not shown whole, but for those whose files are `laid` out.

    What a model thought is nobody's to open.
    """
    branch, cut = lane.branch, lane.cut
    names = [name for name in branch.forms if name not in laid]
    if cut is not None:
        names += [one.block for one in cut.decisions if one.block not in laid and not is_whole(one)]
    held = (branch.block(name) for name in names if branch.has(name))
    return [block for block in held if block.text and block.kind is not Kind.REASONING]
