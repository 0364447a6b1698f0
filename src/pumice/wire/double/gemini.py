"""How the double speaks generateContent."""

import base64
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from pumice.domain.message import Request, Violation
from pumice.measure import naming
from pumice.wire import jsonbytes
from pumice.wire.double.script import Answer, Reply, pieces, sse
from pumice.wire.gemini import canonical, keys, signatures
from pumice.wire.rules.gemini import models, parts
from pumice.wire.values import mapping

_SIGNED = b"double-"
_OURS = ("G4", "G5", "G7", "G17", "G18")
"""Rules whose violations are said in the provider's own words."""


def refusal(violation: Violation) -> Reply:
    """The error a provider sends."""
    words = violation.message if violation.rule in _OURS else f"{violation.path}: {violation.message} ({violation.rule})"
    where = {"field": violation.path, "description": f"{violation.message} ({violation.rule})"}
    details = [{"@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": [where]}]
    error = {"code": 400, "message": words, "status": "INVALID_ARGUMENT", "details": details}
    return Reply(400, jsonbytes.encode({"error": error}))


def mismatched(request: Request) -> Iterator[Violation]:
    """Parts that carry a signature of another: it was moved, or what it stands on was changed (G8)."""
    if not _signs(request):
        return
    for index, raw in enumerate(request.messages):
        for part in parts.of(jsonbytes.decode(raw), f"contents[{index}]"):
            given = signatures.decoded(signatures.of(part.value)) or b""
            if given.startswith(_SIGNED) and given != _stamp(part.value):
                yield Violation("G8", part.path, "Thought signature is not valid")


def may_drop(_request: Request) -> bool:
    return False


def plain(answer: Answer) -> Reply:
    """The whole answer as JSON."""
    return Reply(200, jsonbytes.encode(_chunk(answer, _parts(answer), is_last=True)))


def stream(answer: Answer) -> Reply:
    """The same answer as chunks, its texts in pieces."""
    found = [[piece] for part in _parts(answer) for piece in _pieces(part)]
    chunks = [_chunk(answer, one, is_last=at == len(found)) for at, one in enumerate(found, 1)]
    return Reply(200, sse([("", chunk) for chunk in chunks]), is_stream=True)


def _chunk(answer: Answer, listed: list[dict[str, Any]], *, is_last: bool) -> dict[str, Any]:
    candidate: dict[str, Any] = {"content": {"parts": listed, "role": "model"}, "index": 0}
    if is_last:
        candidate["finishReason"] = "STOP"
    return {
        "candidates": [candidate],
        "usageMetadata": _usage(answer),
        "modelVersion": answer.request.model,
        "responseId": f"double{answer.number:04d}",
    }


def _parts(answer: Answer) -> list[dict[str, Any]]:
    step, signs = answer.step, _signs(answer.request)
    found: list[dict[str, Any]] = []
    if step.thinking and _shows_thoughts(answer.request):
        found.append({"text": step.thinking, "thought": True})
    if step.text or not step.calls:
        found.append({"text": step.text or "ok"})
    for place, call in enumerate(step.calls):
        made: dict[str, Any] = {"functionCall": {"name": call.name, "args": dict(call.input)}}
        if signs or call.id:
            made["functionCall"]["id"] = answer.call_id(place, "double")
        found.append(_stamped(made) if signs and not place else made)
    if signs and step.thinking and not step.calls:
        found.append(_stamped({"text": ""}))
    return found


def _pieces(part: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if "text" not in part or keys.SIGNATURE in part:
        yield part
        return
    yield from ({**part, "text": piece} for piece in pieces(part["text"]))


def _stamped(part: dict[str, Any]) -> dict[str, Any]:
    return {**part, keys.SIGNATURE: base64.b64encode(_stamp(part)).decode()}


def _stamp(part: dict[str, Any]) -> bytes:
    return _SIGNED + sha256(jsonbytes.canonical(canonical.of_part(part))).digest()


def _signs(request: Request) -> bool:
    return models.checks_signatures(naming.parse(request.model))


def _shows_thoughts(request: Request) -> bool:
    config = mapping(jsonbytes.decode(keys.get(request.fields, "generationConfig") or b"null"))
    return mapping(keys.get(config, "thinkingConfig")).get("includeThoughts") is True


def _usage(answer: Answer) -> dict[str, Any]:
    cached = {"cachedContentTokenCount": answer.hit.read} if answer.hit.read else {}
    return {
        "promptTokenCount": answer.hit.input,
        **cached,
        "candidatesTokenCount": answer.output_tokens,
        "totalTokenCount": answer.hit.input + answer.output_tokens,
    }
