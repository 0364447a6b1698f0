"""Responses answers."""

from typing import Any

from pumice.domain.message import Message, Response, Usage
from pumice.errors import BadRequest
from pumice.wire import jsonbytes
from pumice.wire.openai_responses import read as reading
from pumice.wire.sse import ERROR
from pumice.wire.values import count, mapping, string


def read(body: bytes) -> Response:
    """A complete answer: each item of its output is a message. Raises BadRequest for an error body or any other object."""
    members = jsonbytes.members(body)
    if "output" not in members:
        raise BadRequest("an answer without `output`.", hint="Expected a response; errors are not recorded.")
    plain = {key: jsonbytes.decode(members[key]) for key in _PLAIN if key in members}
    status = string(plain.get("status"))
    is_whole = status in ("", "completed", "incomplete") and not plain.get("error")
    return Response(
        id=string(plain.get("id")),
        model=string(plain.get("model")),
        messages=_messages(members["output"]) if is_whole else (),
        usage=usage(plain.get("usage")),
        stop=_stop(status, plain) if is_whole else ERROR,
    )


_PLAIN = ("id", "model", "status", "usage", "incomplete_details", "error")


def _messages(output: bytes) -> tuple[Message, ...]:
    return tuple(map(reading.message, jsonbytes.items(output)))


def _stop(status: str, plain: dict[str, Any]) -> str:
    """Why it ended: the reason of an answer that is not whole, as in `max_output_tokens`."""
    return string(mapping(plain.get("incomplete_details")).get("reason")) or status


def usage(reported: Any) -> Usage | None:
    """`input_tokens` includes what came from the cache and what was written to it (K §3.4)."""
    if not isinstance(reported, dict):
        return None
    details = mapping(reported.get("input_tokens_details"))
    return Usage(
        count(reported.get("input_tokens")),
        count(reported.get("output_tokens")),
        count(details.get("cached_tokens")),
        count(details.get("cache_write_tokens")),
    )
