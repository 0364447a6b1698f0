"""Messages as a Claude Code log."""

from collections.abc import Sequence
from hashlib import sha256
from uuid import UUID

from pumice.recordings import responses
from pumice.recordings.recording import Recording
from pumice.recordings.stamps import Stamped, iso, stamp
from pumice.wire import jsonbytes


def write(recording: Recording, messages: Sequence[bytes]) -> bytes:
    """One record a message, chained by ids that follow from the messages alone."""
    lines: list[bytes] = []
    parent = b"null"
    chain = recording.outer.get("sessionId", b"")
    for stamped in stamp(recording, messages):
        digest = sha256(chain + stamped.message).digest()
        chain, name = digest, jsonbytes.encode(str(UUID(bytes=digest[:16], version=4)))
        lines.append(_record(recording, stamped, parent, name, digest.hex()[:24]))
        parent = name
    return b"".join(line + b"\n" for line in lines)


def _record(recording: Recording, stamped: Stamped, parent: bytes, name: bytes, digest: str) -> bytes:
    members = jsonbytes.members(stamped.message)
    is_response = members.get("role") == b'"assistant"'
    message = _response(recording, stamped, members, digest) if is_response else stamped.message
    record = {"parentUuid": parent, "isSidechain": b"false", **recording.outer, "type": members.get("role", b'"user"')}
    record["message"] = message
    if not is_response and stamped.is_injected and b'"tool_result"' not in stamped.message:
        record["isMeta"] = b"true"
    record["uuid"] = name
    if stamped.at is not None:
        record["timestamp"] = jsonbytes.encode(iso(stamped.at))
    return jsonbytes.join_object(record)


def _response(recording: Recording, stamped: Stamped, message: dict[str, bytes], digest: str) -> bytes:
    """The recorded answer where it stands unchanged, else one of the same shape without a bill."""
    if stamped.call and stamped.call.response:
        return jsonbytes.join_object({**jsonbytes.members(stamped.call.response), "content": message["content"]})
    return responses.anthropic(message["content"], name=f"msg_{digest}", model=recording.model)
