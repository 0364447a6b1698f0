"""Gemini answers: whole, or as the list of chunks that a stream without `alt=sse` adds up to."""

from typing import Any

from pumice.domain.message import Response, Usage
from pumice.errors import BadRequest
from pumice.wire import jsonbytes
from pumice.wire.gemini import keys
from pumice.wire.gemini import read as reading
from pumice.wire.values import count, mapping, string


def read(body: bytes) -> Response:
    """A complete answer, its first candidate. Raises BadRequest for an error body or anything else that is none."""
    members = jsonbytes.members(body)
    if not {"candidates", "promptFeedback", "usageMetadata"} & {keys.camel(key) for key in members}:
        raise BadRequest("an answer without `candidates`.", hint="Expected a generateContent answer; errors are not recorded.")
    listed = members.get("candidates", b"null")
    first = next(iter(jsonbytes.items(listed)), b"{}") if listed != b"null" else b"{}"
    candidate = jsonbytes.members(first)
    plain = {keys.camel(key): jsonbytes.decode(value) for key, value in members.items() if key != "candidates"}
    raw = candidate.get("content", b"null")
    message = reading.message(with_role(raw)) if raw != b"null" else None
    return Response(
        id=string(plain.get("responseId")),
        model=string(plain.get("modelVersion")),
        messages=(message,) if message and message.blocks else (),
        usage=usage(plain.get("usageMetadata")),
        stop=_stop(candidate, plain),
    )


def usage(reported: Any) -> Usage | None:
    """`promptTokenCount` includes what came from the cache; thoughts are output (K §4.3)."""
    if not isinstance(reported, dict) or "promptTokenCount" not in reported:
        return None
    return Usage(
        count(reported.get("promptTokenCount")),
        count(reported.get("candidatesTokenCount")) + count(reported.get("thoughtsTokenCount")),
        count(reported.get("cachedContentTokenCount")),
    )


def with_role(content: bytes) -> bytes:
    """A candidate's content; some answers leave out whose it is."""
    members = jsonbytes.members(content)
    return content if "role" in members else jsonbytes.join_object({"role": b'"model"', **members})


def _stop(candidate: dict[str, bytes], plain: dict[str, Any]) -> str:
    named = jsonbytes.decode(candidate.get(keys.spelled(candidate, "finishReason"), b"null"))
    return string(named) or string(mapping(plain.get("promptFeedback")).get("blockReason"))
