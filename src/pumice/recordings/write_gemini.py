"""Contents as a Gemini CLI session, in the form it was recorded in: one JSON object, or JSON lines."""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any
from uuid import UUID

from pumice.recordings.gemini_records import MESSAGES
from pumice.recordings.recording import Recording, place
from pumice.recordings.stamps import Stamped, iso, stamp
from pumice.wire import jsonbytes
from pumice.wire.values import count, mapping, string


def write(recording: Recording, messages: Sequence[bytes]) -> bytes:
    """What stands around the messages, then one record a message; results stand with the calls they answer."""
    records = [jsonbytes.encode(record) for record in _records(recording, messages)]
    if recording.messages_at >= 0:
        return place(recording.outer, records, at=recording.messages_at, key=MESSAGES) + b"\n"
    return b"".join(line + b"\n" for line in (jsonbytes.join_object(recording.outer), *records))


def _records(recording: Recording, messages: Sequence[bytes]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    chain = recording.outer.get("sessionId", b"")
    for stamped in stamp(recording, messages):
        chain = sha256(chain + stamped.message).digest()
        value = jsonbytes.decode(stamped.message)
        if value.get("role") == "model":
            found.append(_said(recording, stamped, value, chain))
            continue
        left = list(_left(value.get("parts") or [], found[-1] if found else {}, _time(stamped)))
        if left:
            found.append({**_head(chain, stamped, "user"), "content": _words(left)})
    return found


def _head(chain: bytes, stamped: Stamped, kind: str) -> dict[str, Any]:
    return {"id": str(UUID(bytes=chain[:16], version=4)), **_time(stamped), "type": kind}


def _time(stamped: Stamped) -> dict[str, Any]:
    return {} if stamped.at is None else {"timestamp": iso(stamped.at)}


def _said(recording: Recording, stamped: Stamped, value: dict[str, Any], chain: bytes) -> dict[str, Any]:
    """An answer: its words, or all its parts where one of them is more than words; its calls beside them."""
    parts = value.get("parts") or []
    calls = [part["functionCall"] for part in parts if "functionCall" in part]
    is_plain = all(part.keys() in ({"text"}, {"functionCall"}) for part in parts)
    words = [part for part in parts if "functionCall" not in part]
    call = stamped.call
    record = {
        **_head(chain, stamped, "gemini"),
        "content": _words(words) if is_plain and all(part in words for part in parts[: len(words)]) else parts,
        "toolCalls": [{"id": string(one.get("id")), "name": one.get("name"), "args": one.get("args") or {}} for one in calls],
        "model": call.model if call else recording.model,
        **_bill(call.response if call else None),
    }
    return record if calls else {key: item for key, item in record.items() if key != "toolCalls"}


def _words(parts: list[dict[str, Any]]) -> Any:
    """A lone text as a string."""
    if not parts:
        return ""
    return parts[0]["text"] if len(parts) == 1 and parts[0].keys() == {"text"} and parts[0]["text"] else parts


def _left(parts: list[dict[str, Any]], before: dict[str, Any], time: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Parts that answer no call of the record before; what does is put there, with what it shows."""
    calls = {call["id"]: call for call in before.get("toolCalls", ())}
    holder: dict[str, Any] | None = None
    for part in parts:
        response = mapping(part.get("functionResponse"))
        holder = calls.get(string(response.get("id"))) if response else holder
        if holder is None or "text" in part:
            yield part
            holder = None
        else:
            holder.setdefault("result", []).append(part)
            holder |= {"status": "error" if "error" in mapping(response.get("response")) else "success", **time}


def _bill(response: bytes | None) -> dict[str, Any]:
    """Usage of a recorded answer in the client's words."""
    used = mapping(mapping(jsonbytes.decode(response)).get("usageMetadata")) if response else {}
    if not used:
        return {}
    named = {
        "input": "promptTokenCount",
        "output": "candidatesTokenCount",
        "cached": "cachedContentTokenCount",
        "thoughts": "thoughtsTokenCount",
        "tool": "toolUsePromptTokenCount",
    }
    told = {ours: count(used.get(theirs)) for ours, theirs in named.items()}
    return {"tokens": {**told, "total": told["input"] + told["output"] + told["thoughts"] + told["tool"]}}
