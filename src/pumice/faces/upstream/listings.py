"""What the scripted upstream says besides answers: its models, and how many tokens a request has."""

import re
from collections.abc import Callable
from typing import Any

from pumice import wire
from pumice.wire import jsonbytes
from pumice.wire.size import estimate

MODELS = {
    "anthropic": ("claude-opus-4-8", "claude-sonnet-4-5", "claude-haiku-4-5"),
    "openai": ("gpt-5.1", "gpt-5"),
    "gemini": ("gemini-2.5-pro", "gemini-2.5-flash"),
}
_COUNT = re.compile(r"/.*/models/([^/:]+):countTokens")


def find(method: str, path: str, body: Callable[[], bytes]) -> bytes | None:
    """The answer of a path that is no model call; None where there is none. Raises InvalidInput for a body it cannot read."""
    if method == "GET" and path == "/v1/models":
        return jsonbytes.encode(_models())
    if method == "GET" and path == "/v1beta/models":
        return jsonbytes.encode({"models": [{"name": f"models/{name}"} for name in MODELS["gemini"]]})
    if method == "POST" and path == "/v1/messages/count_tokens":
        return jsonbytes.encode({"input_tokens": _tokens("anthropic", body())})
    if method == "POST" and (found := _COUNT.fullmatch(path)) is not None and "gemini" in wire.dialects:
        return jsonbytes.encode({"totalTokens": _tokens("gemini", _asked(body()), found[1])})
    return None


def _models() -> dict[str, Any]:
    """One list in the words of both APIs that have this path."""
    named = [*MODELS["anthropic"], *MODELS["openai"]]
    data = [{"id": name, "type": "model", "object": "model", "created": 0, "display_name": name} for name in named]
    return {"object": "list", "data": data, "has_more": False, "first_id": named[0], "last_id": named[-1]}


def _tokens(dialect: str, body: bytes, model: str = "") -> int:
    opened = wire.get(dialect).open(body)
    return sum(estimate(wire.get(dialect).units(body), model or opened.model))


def _asked(body: bytes) -> bytes:
    """A whole request may stand under a key of its own (provider-contracts §4.4)."""
    return jsonbytes.members(body).get("generateContentRequest", body)
