"""Anthropic answers."""

from typing import Any

from pumice.domain.message import Response, Usage
from pumice.errors import BadRequest
from pumice.wire import jsonbytes
from pumice.wire.anthropic import read as reading
from pumice.wire.values import count, objects, string

_SERVER_CALL = b'"server_tool_use"'


def read(body: bytes) -> Response:
    """A complete answer. Raises BadRequest for an error body or anything else that is no message."""
    members = jsonbytes.members(body)
    if "content" not in members:
        raise BadRequest("an answer without `content`.", hint="Expected an Anthropic message; errors are not recorded.")
    plain = {key: jsonbytes.decode(members[key]) for key in ("id", "model", "stop_reason", "usage") if key in members}
    content = members["content"]
    empty = content == b"null" or (jsonbytes.is_array(content) and not jsonbytes.items(content))
    raw = jsonbytes.join_object({"role": b'"assistant"', "content": content})
    return Response(
        id=string(plain.get("id")),
        model=string(plain.get("model")),
        messages=() if empty else (reading.message(raw),),
        usage=usage(plain.get("usage"), has_server_tools=_SERVER_CALL in content),
        stop=string(plain.get("stop_reason")),
    )


def usage(reported: Any, *, has_server_tools: bool = False) -> Usage | None:
    """Input is the sum of fresh, read and written tokens; of server tools' several calls the last counts (K §1.4).

    Where such an answer does not list its calls, its figures are all of them together.
    """
    if not isinstance(reported, dict):
        return None
    steps = [step for step in objects(reported.get("iterations")) if step.get("type") == "message"]
    last = steps[-1] if steps else reported
    fresh, cache_read, cache_write = (
        count(last.get(key)) for key in ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
    )
    output = count(reported.get("output_tokens"))
    return Usage(fresh + cache_read + cache_write, output, cache_read, cache_write, is_sum=has_server_tools and not steps)
