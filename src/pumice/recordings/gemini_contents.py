"""Messages of a Gemini CLI session as the contents that were sent, and which of them were answers."""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from pumice.measure import naming
from pumice.recordings import responses
from pumice.recordings.gemini_records import Message, Tokens, ToolCall
from pumice.recordings.jsonl import seconds
from pumice.wire import jsonbytes
from pumice.wire.gemini import signatures
from pumice.wire.rules.gemini.models import checks_signatures
from pumice.wire.values import mapping, string

_SPOKEN = ("user", "gemini")


class Step(msgspec.Struct, frozen=True):
    """One content."""

    raw: bytes
    message: str
    """Id of the message it came from."""
    at: float | None
    """Seconds since 1970 when it was there."""
    response: bytes | None = None
    """Of the model's contents the provider's answer."""
    model: str = ""


def steps(messages: Iterable[Message]) -> list[Step]:
    """The contents in order, each response once: a client that has synchronised its history writes them twice."""
    given: set[str] = set()
    found: list[Step] = []
    for message in _whole(messages):
        found += _of_model(message, given) if message.type == "gemini" else _of_user(message, given)
    return found


def _whole(messages: Iterable[Message]) -> list[Message]:
    """What was said. Calls that a remark of the client has parted from their words are put back to them."""
    found: list[Message] = []
    for message in messages:
        if message.type not in _SPOKEN:
            continue
        last = found[-1] if found else None
        if last and last.type == message.type == "gemini" and _goes_on(last, message):
            found[-1] = msgspec.structs.replace(last, tool_calls=message.tool_calls)
        else:
            found.append(message)
    return found


def _goes_on(last: Message, message: Message) -> bool:
    is_billed = message.tokens is not None and message.tokens.input > 0
    return bool(message.tool_calls) and not (is_billed or last.tool_calls or _parts(bytes(message.content)))


def _of_user(message: Message, given: set[str]) -> Iterator[Step]:
    parts = [part for part in _parts(bytes(message.content)) if _is_new(part, given)]
    if parts:
        yield Step(_content("user", parts), message.id, seconds(message.timestamp))


def _of_model(message: Message, given: set[str]) -> Iterator[Step]:
    said = _parts(bytes(message.content))
    calls = message.tool_calls or []
    known = {_id_of(part, "functionCall") for part in said}
    parts = _signed([*said, *(_call(call) for call in calls if call.id not in known)], message.model or "")
    if not parts:
        return
    content = _content("model", parts)
    answer = responses.gemini(content, model=message.model or "", usage=_usage(message.tokens))
    yield Step(content, message.id, seconds(message.timestamp), answer, message.model or "")
    results = [part for call in calls for part in _results(call) if _is_new(part, given)]
    if results:
        times = [at for call in calls if (at := seconds(call.timestamp)) is not None]
        yield Step(_content("user", list(dict.fromkeys(results))), message.id, max(times, default=None))


def _is_new(part: bytes, given: set[str]) -> bool:
    """Whether a part is no response, or the first under its id."""
    ident = _id_of(part, "functionResponse")
    if not ident:
        return True
    is_first = ident not in given
    given.add(ident)
    return is_first


def _id_of(part: bytes, kind: str) -> str:
    if f'"{kind}"'.encode() not in part:
        return ""
    return string(mapping(mapping(jsonbytes.decode(part)).get(kind)).get("id"))


def _parts(content: bytes) -> list[bytes]:
    """A list of parts, however the client wrote it; empty texts without a signature are nothing."""
    if content in (b"null", b'""'):
        return []
    if jsonbytes.is_array(content):
        return [part for item in jsonbytes.items(content) for part in _parts(item)]
    if jsonbytes.is_string(content):
        return [jsonbytes.join_object({"text": content})]
    return [] if content.replace(b" ", b"") == b'{"text":""}' else [content]


def _call(call: ToolCall) -> bytes:
    named = {"id": jsonbytes.encode(call.id), "name": jsonbytes.encode(call.name), "args": bytes(call.args)}
    return jsonbytes.join_object({"functionCall": jsonbytes.join_object(named)})


def _signed(parts: list[bytes], model: str) -> list[bytes]:
    """With the stand-in on the first call where the model asks for a signature and the file has kept none (K-G7, K-G10)."""
    at = next((at for at, part in enumerate(parts) if b'"functionCall"' in part), None)
    if at is None or not checks_signatures(naming.parse(model)) or b'"thoughtSignature"' in parts[at]:
        return parts
    signature = {"thoughtSignature": jsonbytes.encode(signatures.SKIP)}
    return [*parts[:at], jsonbytes.join_object({**jsonbytes.members(parts[at]), **signature}), *parts[at + 1 :]]


def _results(call: ToolCall) -> list[bytes]:
    """What a call gave; bare words become the response that says them."""
    parts = _parts(bytes(call.result))
    if not parts or any(_id_of(part, "functionResponse") for part in parts):
        return parts
    words = "\n".join(string(mapping(jsonbytes.decode(part)).get("text")) for part in parts)
    response = {"id": call.id, "name": call.name, "response": {"output": words}}
    return [jsonbytes.encode({"functionResponse": response})]


def _content(role: str, parts: Sequence[bytes]) -> bytes:
    return jsonbytes.join_object({"role": jsonbytes.encode(role), "parts": jsonbytes.join_array(parts)})


def _usage(tokens: Tokens | None) -> bytes:
    if tokens is None or not tokens.input:
        return b""
    told = {
        "promptTokenCount": tokens.input,
        "cachedContentTokenCount": tokens.cached,
        "candidatesTokenCount": tokens.output,
        "thoughtsTokenCount": tokens.thoughts or 0,
        "toolUsePromptTokenCount": tokens.tool or 0,
    }
    return jsonbytes.encode({key: count for key, count in told.items() if count})
