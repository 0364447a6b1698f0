"""Errors of what is done here, in the shape each provider gives its errors."""

from pumice.faces.proxy import refusals
from pumice.faces.proxy.gate import Call, Prepared, Reply, Stage
from pumice.wire import jsonbytes
from pumice.wire.emulated.asked import Unacceptable
from pumice.wire.values import mapping

_UNAVAILABLE = {"anthropic": (529, "compaction_unavailable"), "openai-responses": (503, "server_error")}


def refused(call: Call, error: Unacceptable) -> Prepared:
    """What the provider would refuse: its code stands in the details (K §1.5.3)."""
    body = refusals.body(call.dialect, 400, str(error))
    if error.details:
        said = jsonbytes.decode(body)
        body = jsonbytes.encode({**said, "error": {**mapping(said.get("error")), "details": error.details}})
    return _replied(call, Reply(400, body, refusals.JSON))


def unavailable(call: Call, fault: str) -> Prepared:
    """The compaction that was asked for cannot be made now; the client asks again."""
    status, code = _UNAVAILABLE[call.dialect]
    body = refusals.body(call.dialect, status, f"the conversation cannot be compacted now ({fault})", code=code)
    return _replied(call, Reply(status, body, refusals.JSON))


def _replied(call: Call, reply: Reply) -> Prepared:
    return Prepared(call.body, Stage.COMPILED, reply=reply)
