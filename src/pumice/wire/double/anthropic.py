"""How the double speaks Anthropic Messages."""

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from pumice.domain.block import Block
from pumice.domain.message import Request, Violation
from pumice.measure import models
from pumice.wire import get, jsonbytes
from pumice.wire.double import search
from pumice.wire.double.script import Answer, Reply, pieces, sse
from pumice.wire.rules import binding

_SIGNED = "double-"
_CALLS = ("tool_use", "server_tool_use")
_DELTAS = {"text": ("text_delta", "text"), "thinking": ("thinking_delta", "thinking")}


def refusal(violation: Violation) -> Reply:
    """The error a provider sends; too big a body has a status of its own (K-A24)."""
    is_size = violation.rule == "A24" and violation.path == "request"
    kind = "request_too_large" if is_size else "invalid_request_error"
    path = violation.path.replace("[", ".").replace("]", "")
    words = violation.message if violation.rule == "A25" else f"{path}: {violation.message} ({violation.rule})"
    error = {"type": "error", "error": {"type": kind, "message": words}, "request_id": None}
    return Reply(413 if is_size else 400, jsonbytes.encode(error))


def mismatched(request: Request) -> Iterator[Violation]:
    """Reasoning whose signature does not stand for what is before it now (A35), or for its own words (A29)."""
    dialect = get("anthropic")
    messages = [dialect.read_message(raw) for raw in request.messages]
    blocks = [block for message in messages for block in message.blocks]
    spots = binding.spots(request, messages)
    binds = models.facts(request.model).binds_reasoning
    first = len(spots) - len(blocks)
    for place, block in enumerate(blocks):
        spot = spots[first + place]
        if spot.is_reasoning and not _is_signed(block, spots[: first + place], binds=binds):
            words = "Invalid `signature` in `thinking` block. The block is bound to a different conversation."
            yield Violation("A35" if binds else "A29", spot.path, words)


def may_drop(request: Request) -> bool:
    return binding.drops_blocks(request)


def _is_signed(block: Block, before: list[binding.Spot], *, binds: bool) -> bool:
    value = jsonbytes.decode(block.raw)
    signature = str(value.get("signature", ""))
    if not signature.startswith(_SIGNED):
        return not binds
    return signature == _signature(str(value.get("thinking", "")), before if binds else [])


def _signature(thinking: str, before: list[binding.Spot]) -> str:
    signed = "\n".join([*(spot.key for spot in before), thinking])
    return _SIGNED + sha256(signed.encode("utf-8", "surrogatepass")).hexdigest()


def plain(answer: Answer) -> Reply:
    """The whole message as JSON."""
    body = _head(answer) | {"content": _content(answer), "stop_reason": _stop(answer), "usage": _usage(answer)}
    return Reply(200, jsonbytes.encode(body))


def stream(answer: Answer) -> Reply:
    """The same message as events, its texts and arguments in pieces."""
    start = _head(answer) | {"content": [], "stop_reason": None, "usage": _usage(answer) | {"output_tokens": 1}}
    events: list[dict[str, Any]] = [{"type": "message_start", "message": start}, {"type": "ping"}]
    for index, block in enumerate(_content(answer)):
        events.append({"type": "content_block_start", "index": index, "content_block": _opening(block)})
        events += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in _deltas(block)]
        events.append({"type": "content_block_stop", "index": index})
    done = {"stop_reason": _stop(answer), "stop_sequence": None}
    events.append({"type": "message_delta", "delta": done, "usage": {"output_tokens": answer.output_tokens}})
    events.append({"type": "message_stop"})
    return Reply(200, sse([(event["type"], event) for event in events]), is_stream=True)


def _head(answer: Answer) -> dict[str, Any]:
    head = {
        "id": f"msg_double{answer.number:04d}",
        "type": "message",
        "role": "assistant",
        "model": answer.request.model,
        "stop_sequence": None,
    }
    if not may_drop(answer.request):
        return head
    reason = "prefix_binding_mismatch"
    paths = [path.replace("[", ".").replace("]", "") for path in answer.dropped]
    return head | {"input_transformations": [{"type": "thinking_dropped", "path": path, "reason": reason} for path in paths]}


def _content(answer: Answer) -> list[dict[str, Any]]:
    step = answer.step
    blocks: list[dict[str, Any]] = []
    if step.thinking and _thinks(answer.request):
        blocks.append({"type": "thinking", "thinking": step.thinking, "signature": _signed(answer)})
    if step.text or not step.calls:
        blocks.append({"type": "text", "text": step.text or "ok"})
    blocks += search.blocks(answer.request, search.unseen(answer.request, step.calls), f"srvtoolu_double{answer.number:04d}")
    for place, call in enumerate(step.calls):
        use = {"type": "tool_use", "id": answer.call_id(place, "toolu_double"), "name": call.name, "input": dict(call.input)}
        blocks.append(use)
    return blocks


def _thinks(request: Request) -> bool:
    thinking = jsonbytes.decode(request.fields.get("thinking", b"null"))
    return not isinstance(thinking, dict) or thinking.get("type") != "disabled"


def _signed(answer: Answer) -> str:
    request = answer.request
    dialect = get("anthropic")
    spots = binding.spots(request, [dialect.read_message(raw) for raw in request.messages])
    return _signature(answer.step.thinking, spots if models.facts(request.model).binds_reasoning else [])


def _stop(answer: Answer) -> str:
    return "tool_use" if answer.step.calls else "end_turn"


def _usage(answer: Answer) -> dict[str, int]:
    # A search makes it two calls of the model, and the figures those of both (K §1.4).
    again = answer.hit.input if search.unseen(answer.request, answer.step.calls) else 0
    return {
        "input_tokens": answer.hit.plain + again,
        "cache_creation_input_tokens": answer.hit.written,
        "cache_read_input_tokens": answer.hit.read,
        "output_tokens": answer.output_tokens,
    }


def _opening(block: dict[str, Any]) -> dict[str, Any]:
    if block["type"] in _CALLS:
        return block | {"input": {}}
    if block["type"] not in _DELTAS:
        return block
    return {key: value if key == "type" else "" for key, value in block.items()}


def _deltas(block: dict[str, Any]) -> Iterator[dict[str, str]]:
    if block["type"] in _CALLS:
        for piece in pieces(jsonbytes.encode(block["input"]).decode()):
            yield {"type": "input_json_delta", "partial_json": piece}
        return
    if block["type"] not in _DELTAS:
        return
    kind, key = _DELTAS[block["type"]]
    for piece in pieces(block[key]):
        yield {"type": kind, key: piece}
    if "signature" in block:
        yield {"type": "signature_delta", "signature": block["signature"]}
