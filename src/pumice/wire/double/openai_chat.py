"""How the double speaks Chat Completions."""

from collections.abc import Iterator
from typing import Any

from pumice.domain.message import Request, Violation
from pumice.wire import jsonbytes
from pumice.wire.double.script import Answer, Reply, pieces, sse


def refusal(violation: Violation) -> Reply:
    """The error a provider sends."""
    code = "context_length_exceeded" if violation.rule == "O13" else None
    words = f"{violation.message} ({violation.rule})"
    error = {"message": words, "type": "invalid_request_error", "param": violation.path, "code": code}
    return Reply(400, jsonbytes.encode({"error": error}))


def mismatched(_request: Request) -> Iterator[Violation]:
    """This dialect shows no reasoning."""
    return iter(())


def may_drop(_request: Request) -> bool:
    return False


def plain(answer: Answer) -> Reply:
    """The whole completion as JSON."""
    calls = _calls(answer)
    message = {"role": "assistant", "content": _text(answer), "refusal": None, **({"tool_calls": calls} if calls else {})}
    choice = {"index": 0, "message": message, "finish_reason": _finish(answer), "logprobs": None}
    body = _head(answer, "chat.completion") | {"choices": [choice], "usage": _usage(answer)}
    return Reply(200, jsonbytes.encode(body))


def stream(answer: Answer) -> Reply:
    """The same completion as chunks; usage only for who asks for it."""
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": "", "refusal": None}]
    deltas += [{"content": piece} for piece in pieces(_text(answer) or "")]
    for index, call in enumerate(_calls(answer)):
        function = call["function"]
        deltas.append({"tool_calls": [call | {"index": index, "function": function | {"arguments": ""}}]})
        for piece in pieces(function["arguments"]):
            deltas.append({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
    head = _head(answer, "chat.completion.chunk")
    asked = _wants_usage(answer.request)
    more = {"usage": None} if asked else {}
    chunks = [head | {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]} | more for delta in deltas]
    chunks.append(head | {"choices": [{"index": 0, "delta": {}, "finish_reason": _finish(answer)}]} | more)
    chunks += [head | {"choices": [], "usage": _usage(answer)}] if asked else []
    return Reply(200, sse([("", chunk) for chunk in chunks]) + b"data: [DONE]\n\n", is_stream=True)


def _wants_usage(request: Request) -> bool:
    options = jsonbytes.decode(request.fields.get("stream_options", b"null"))
    return isinstance(options, dict) and options.get("include_usage") is True


def _head(answer: Answer, kind: str) -> dict[str, Any]:
    return {"id": f"chatcmpl-double{answer.number:04d}", "object": kind, "created": 0, "model": answer.request.model}


def _text(answer: Answer) -> str | None:
    return answer.step.text or (None if answer.step.calls else "ok")


def _calls(answer: Answer) -> list[dict[str, Any]]:
    return [
        {
            "id": answer.call_id(place, "call_double"),
            "type": "function",
            "function": {"name": call.name, "arguments": jsonbytes.encode(dict(call.input)).decode()},
        }
        for place, call in enumerate(answer.step.calls)
    ]


def _finish(answer: Answer) -> str:
    return "tool_calls" if answer.step.calls else "stop"


def _usage(answer: Answer) -> dict[str, Any]:
    return {
        "prompt_tokens": answer.hit.input,
        "completion_tokens": answer.output_tokens,
        "total_tokens": answer.hit.input + answer.output_tokens,
        "prompt_tokens_details": {"cached_tokens": answer.hit.read, "cache_write_tokens": 0},
    }
