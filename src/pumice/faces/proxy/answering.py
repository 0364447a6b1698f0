"""Calls of the read-back tool, answered before the client sees them (`offload.read_back.mode: tool`).

An answer that calls nothing else is the engine's own affair: it is answered, and the upstream asked again. One that calls the
client's tools besides goes to the client without our calls, and their results join the client's in its next request.
"""

from collections.abc import Sequence

from pumice import wire
from pumice.domain.block import Block, Kind
from pumice.domain.message import Response
from pumice.engine import hidden as exchanges
from pumice.errors import BadRequest
from pumice.faces.proxy import turn as turns
from pumice.faces.proxy.desk import Desk
from pumice.faces.proxy.gate import Call, Reply, Stage
from pumice.faces.proxy.tap import STREAM
from pumice.faces.proxy.turn import Turn
from pumice.wire import hidden, sse
from pumice.wire.hidden import Told

MOST = 8
"""Answers in a row that may do nothing but read back; the last of them is told so."""
READS = "x-pumice-read-backs"
_ENOUGH = "Error: no more read-backs before an answer. Answer, or call another tool."
_CUT_SHORT = ("max_tokens", "length", "max_output_tokens", "MAX_TOKENS", "model_context_window_exceeded")


async def heard(desk: Desk, turn: Turn, reply: Reply) -> Reply | Turn:
    """What the client gets of an answer, or one more request first. Raises whatever the engine or the store does."""
    response = read(turn.call, reply)
    tool = desk.policy.offload.read_back.tool
    ours, others = _calls(response, tool)
    if response.messages:
        await desk.answered(turn, response)
    if not ours or turn.place is None or turn.view is None or turn.request is None:
        return reply
    session = desk.session(turn.place.session, turn.place.scope)
    is_beside = bool(others)
    if response.stop in _CUT_SHORT or (turn.rounds >= MOST and not is_beside):
        return without(turn.call, reply, tool)
    told = await exchanges.told(session, ours) if turn.rounds + 1 < MOST else [Told(call, _ENOUGH, True) for call in ours]
    await session.hide(turn.view, turn.request, response, told, is_beside=is_beside)
    if is_beside:
        return without(turn.call, reply, tool)
    again = await desk.again(turn)
    again.rounds = turn.rounds + 1
    again.told = {**again.told, READS: str(int(turn.told.get(READS, "0")) + len(ours))}
    return again


def unheard(turn: Turn, reply: Reply, tool: str, fault: str) -> Reply | Turn:
    """What is left where the engine has failed: the answer without our calls; where it has nothing else, the client's own
    request, which knows no such tool."""
    try:
        ours, others = _calls(read(turn.call, reply), tool)
    except BadRequest:
        return reply
    if ours and not others:
        return turns.passed(turn.call, Stage.CLIENT, turn.request, turn.place, fault)
    return without(turn.call, reply, tool) if ours else reply


def read(call: Call, reply: Reply) -> Response:
    """What the model answered. Raises BadRequest for a body that is no answer."""
    dialect = wire.get(call.dialect)
    return sse.read([reply.body], dialect.stream()) if is_stream(reply) else dialect.read_response(reply.body)


def is_stream(reply: Reply) -> bool:
    return reply.headers.get("content-type", "").startswith(STREAM)


def without(call: Call, reply: Reply, tool: str) -> Reply:
    """The answer without calls of a tool the client does not have; as it came where it cannot be read."""
    try:
        body = hidden.taken_out(hidden.way(call.dialect), reply.body, tool, is_stream=is_stream(reply))
    except BadRequest:
        return reply
    return Reply(reply.status, body, {name: value for name, value in reply.headers.items() if name != "content-length"})


def _calls(response: Response, tool: str) -> tuple[Sequence[Block], Sequence[Block]]:
    calls = [block for block in response.blocks if block.kind is Kind.CALL]
    return [call for call in calls if call.tool == tool], [call for call in calls if call.tool != tool]
