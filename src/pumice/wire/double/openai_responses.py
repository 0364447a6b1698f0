"""How the double speaks Responses. It stores nothing: an item's id says what it is tied to, its seal what stood before it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

from pumice.domain.message import Request, Violation
from pumice.measure import models
from pumice.wire import jsonbytes
from pumice.wire.double.responses_events import events
from pumice.wire.double.script import Answer, Reply, sse
from pumice.wire.openai_responses import canonical, declared, head, items
from pumice.wire.values import mapping, objects, string

_SIGNED = "double-"
_TIED = re.compile(r"[a-z]+_double(\d{4})r\d*")
"""Ids of items that came with reasoning, and the number of their answer."""
_CODES = {"R8": "invalid_encrypted_content", "R10": "previous_response_not_found", "R16": "context_length_exceeded"}
_OURS = ("R1", "R2", "R3", "R4", "R6", "R7", "R8", "R10", "R16")
"""Rules whose violations are said in the provider's own words."""


def refusal(violation: Violation) -> Reply:
    """The error a provider sends."""
    words = violation.message if violation.rule in _OURS else f"{violation.message} ({violation.rule})"
    code = _CODES.get(violation.rule)
    error = {"message": words, "type": "invalid_request_error", "param": violation.path, "code": code}
    return Reply(400, jsonbytes.encode({"error": error}))


def mismatched(request: Request) -> Iterator[Violation]:
    """What only a provider that stores its answers could take (R4, R7, R10), then reasoning that is not as it was sealed."""
    yield from _lost(request)
    yield from _moved(request)


def may_drop(request: Request) -> bool:
    """Reasoning behind an edited prefix is left out without a word where the model binds it (R12)."""
    return models.facts(request.model).binds_reasoning and not any(_lost(request))


def plain(answer: Answer) -> Reply:
    """The whole response as JSON."""
    return Reply(200, jsonbytes.encode(_response(answer)))


def stream(answer: Answer) -> Reply:
    """The same response as named events, its texts and arguments in pieces."""
    numbered = [(one["type"], one | {"sequence_number": at}) for at, one in enumerate(events(_response(answer)))]
    return Reply(200, sse(numbered), is_stream=True)


def _lost(request: Request) -> Iterator[Violation]:
    if request.is_delta:
        yield Violation("R10", "previous_response_id", "Previous response not found.")
    reasons: set[str] = set()
    for place, value in enumerate(_values(request)):
        ident = string(value.get("id"))
        if items.kind(value) == items.REFERENCE:
            yield Violation("R7", f"input[{place}]", f"Item with id '{ident}' not found.")
        if items.kind(value) == items.REASONING:
            reasons.add(ident)
        tied = _TIED.fullmatch(ident)
        if tied and f"rs_double{tied[1]}" not in reasons:
            words = f"Item '{ident}' of type '{items.kind(value)}' was provided without its required 'reasoning' item: "
            yield Violation("R4", f"input[{place}]", f"{words}'rs_double{tied[1]}'.")


def _moved(request: Request) -> Iterator[Violation]:
    binds = models.facts(request.model).binds_reasoning
    before = _heads(request) if binds else []
    for place, value in enumerate(_values(request)):
        sealed = string(value.get("encrypted_content"))
        if items.kind(value) == items.REASONING and sealed.startswith(_SIGNED) and sealed != _seal(_thought(value), before):
            words = "The encrypted content could not be verified."
            yield Violation("R12" if binds else "R8", f"input[{place}]", words)
        if binds:
            before.append(_key(value))


def _response(answer: Answer) -> dict[str, Any]:
    request = answer.request
    found: dict[str, Any] = {
        "id": f"resp_double{answer.number:04d}",
        "object": "response",
        "created_at": 0,
        "status": "completed",
        "error": None,
        "incomplete_details": None,
        "model": request.model,
        "output": _output(answer, {tool.name: tool for tool in declared.of(request)}),
        "parallel_tool_calls": True,
        "store": jsonbytes.decode(request.fields.get("store", b"true")),
        "usage": _usage(answer),
    }
    if models.facts(request.model).binds_reasoning:
        found["input_transformations"] = [_removed(request, path) for path in answer.dropped]
    return found


def _removed(request: Request, path: str) -> dict[str, Any]:
    value = _values(request)[int(path.partition("[")[2].rstrip("]"))]
    return {"id": value.get("id"), "type": "reasoning", "action": "removed", "reason": "prefix_mismatch"}


def _output(answer: Answer, known: Mapping[str, declared.Declared]) -> list[dict[str, Any]]:
    step, number = answer.step, f"double{answer.number:04d}" + ("r" if answer.step.thinking else "")
    found: list[dict[str, Any]] = []
    if step.thinking:
        summary = [{"type": "summary_text", "text": step.thinking}]
        request = answer.request
        binds = models.facts(request.model).binds_reasoning
        before = [*_heads(request), *map(_key, _values(request))] if binds else []
        seal = _seal(step.thinking, before)
        found.append({"id": f"rs_{number[:-1]}", "type": "reasoning", "summary": summary, "encrypted_content": seal})
    if step.text or not step.calls:
        part = {"type": "output_text", "annotations": [], "logprobs": [], "text": step.text or "ok"}
        said = {"type": "message", "status": "completed", "role": "assistant", "content": [part]}
        found.append({"id": f"msg_{number}", **said, "phase": "commentary" if step.calls else "final_answer"})
    for place, call in enumerate(step.calls):
        given = dict(call.input)
        tool = known.get(call.name, declared.Declared(call.name))
        what = {"call_id": answer.call_id(place, "call_double"), "name": call.name, "status": "completed"}
        what |= {"namespace": tool.namespace} if tool.namespace else {}
        if tool.is_custom:
            words = string(given.get("input")) or jsonbytes.encode(given).decode()
            found.append({"id": f"ctc_{number}{place:02d}", "type": "custom_tool_call", **what, "input": words})
        else:
            arguments = jsonbytes.encode(given).decode()
            found.append({"id": f"fc_{number}{place:02d}", "type": "function_call", **what, "arguments": arguments})
    return found


def _usage(answer: Answer) -> dict[str, Any]:
    thought = answer.output_tokens if answer.step.thinking and not answer.step.text and not answer.step.calls else 0
    return {
        "input_tokens": answer.hit.input,
        "input_tokens_details": {"cached_tokens": answer.hit.read, "cache_write_tokens": answer.hit.written},
        "output_tokens": answer.output_tokens,
        "output_tokens_details": {"reasoning_tokens": thought},
        "total_tokens": answer.hit.input + answer.output_tokens,
    }


def _values(request: Request) -> list[dict[str, Any]]:
    return [mapping(jsonbytes.decode(raw)) for raw in request.messages]


def _heads(request: Request) -> list[str]:
    return [unit.key.hex() for unit in head.units(request.head)]


def _key(value: dict[str, Any]) -> str:
    return jsonbytes.digest(canonical.item(value))


def _thought(value: dict[str, Any]) -> str:
    return "\n".join(string(part.get("text")) for part in objects(value.get("summary")))


def _seal(thinking: str, before: Sequence[str]) -> str:
    return _SIGNED + sha256("\n".join([*before, thinking]).encode("utf-8", "surrogatepass")).hexdigest()
