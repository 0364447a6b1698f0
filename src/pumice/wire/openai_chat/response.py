"""Chat Completions answers."""

from typing import Any

from pumice.domain.message import Response, Usage
from pumice.errors import BadRequest
from pumice.wire import jsonbytes
from pumice.wire.openai_chat import read as reading
from pumice.wire.values import count, mapping, string


def read(body: bytes) -> Response:
    """A complete answer, its first choice. Raises BadRequest for an error body or anything else that is no completion."""
    members = jsonbytes.members(body)
    if "choices" not in members:
        raise BadRequest("an answer without `choices`.", hint="Expected a chat completion; errors are not recorded.")
    choices = jsonbytes.items(members["choices"])
    first = jsonbytes.members(choices[0]) if choices else {}
    plain = {key: jsonbytes.decode(members[key]) for key in ("id", "model", "usage") if key in members}
    raw = first.get("message")
    message = reading.message(raw) if raw else None
    return Response(
        id=string(plain.get("id")),
        model=string(plain.get("model")),
        messages=(message,) if message and message.blocks else (),
        usage=usage(plain.get("usage")),
        stop=string(jsonbytes.decode(first.get("finish_reason", b"null"))),
    )


def usage(reported: Any) -> Usage | None:
    """`prompt_tokens` includes what came from the cache (K §2.3)."""
    if not isinstance(reported, dict):
        return None
    details = mapping(reported.get("prompt_tokens_details"))
    return Usage(
        count(reported.get("prompt_tokens")),
        count(reported.get("completion_tokens")),
        count(details.get("cached_tokens")),
        count(details.get("cache_write_tokens")),
    )
