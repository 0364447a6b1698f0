"""A question of ours to a model, as a request of its provider, and the text of what it answers."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from pumice import wire
from pumice.domain.block import Kind
from pumice.domain.message import Response
from pumice.domain.ports import Answer
from pumice.domain.summary import Ask
from pumice.errors import BadRequest, ModelFailed
from pumice.measure import models
from pumice.wire import ending, jsonbytes
from pumice.wire.values import count, mapping

_FULL = ("max_tokens", "length", "max_output_tokens", "MAX_TOKENS", "model_context_window_exceeded")
"""How providers say that an answer was cut off at its cap."""
_REFUSED = ("refusal", "content_filter", "SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "OTHER")
"""How they say that a model or a filter would not have it said, whatever had been said until then."""
STOP_CHARS = 40
"""Characters of any other reason that are quoted."""
REASONING, ROOMY = 8000, 100_000
"""Tokens a model may think besides what it says, where its cap counts both and its window is at least this; what it does not
think costs nothing."""
_CAPS = {"anthropic": "max_tokens", "openai-chat": "max_completion_tokens", "openai-responses": "max_output_tokens"}


class Target(msgspec.Struct, frozen=True):
    """Which model is asked, and how its API spells a cap on the answer."""

    dialect: str
    model: str
    cap: str = ""
    """Name of the field; empty: the API's own. Many servers that follow OpenAI's API know `max_tokens` only."""


def request(ask: Ask, target: Target) -> bytes:
    """A request that stands alone: the material and then the instructions, no tools."""
    return jsonbytes.encode(_ALONE[target.dialect](ask, target))


def continuing(ask: Ask, target: Target, view: bytes) -> bytes:
    """The live view with the instructions as one more user message, so that its cached prefix is read (K-E8).

    Tools stay as they are, and so does their choice where it leaves a model free to answer in words, since to change them would
    make the cache cold (K-C7): an answer that calls one has a flaw (`read`). What the client wanted of its own answer does not
    hold for this one (`ending`). Raises BadRequest when `view` is not of the target's dialect.
    """
    dialect = wire.get(target.dialect)
    opened = dialect.open(view)
    asked, least = opened.max_output, _most(ask, target, opened.fields.get("thinking"))
    is_enough = asked is not None and asked >= least
    wanted = ending.freed(opened.fields, target.dialect)
    wanted = ending.capped(wanted, target.dialect, _cap(target), None if is_enough else least)
    gone: dict[str, bytes | None] = {name: None for name in opened.fields if name not in wanted}
    changed = {name: value for name, value in wanted.items() if opened.fields.get(name) != value}
    return dialect.close(opened, (*opened.messages, dialect.user(ask.prompt)), fields=gone | changed)


def read(body: bytes, target: Target) -> Answer:
    """The answer's text and usage, and its flaw where it is none: no text, a tool call, a refusal, cut off at its cap.

    Raises ModelFailed for what is no answer of the target's API.
    """
    try:
        response = wire.get(target.dialect).read_response(body)
    except BadRequest as error:
        raise ModelFailed(f"model {target.model!r}: {error}") from error
    text = "\n".join(block.text for block in response.blocks if block.kind is Kind.TEXT).strip()
    return Answer(text, response.usage, response.model or target.model, _flaw(response, text))


def _flaw(response: Response, text: str) -> str:
    if any(block.kind is Kind.CALL for block in response.blocks):
        return "A tool was called where words were asked for."
    if response.stop in _FULL:
        return f"The answer was cut off at its cap ({response.stop}): it has to be shorter."
    if response.stop in _REFUSED:
        return f"The answer was refused or broken off ({response.stop})."
    return "" if text else f"The answer is empty (stopped by {response.stop[:STOP_CHARS] or 'no reason given'!r})."


def _said(ask: Ask) -> str:
    return f"{ask.material}\n\n{ask.prompt}" if ask.material else ask.prompt


def _cap(target: Target) -> str:
    return target.cap or _CAPS.get(target.dialect, "")


def reasoning(window: int) -> int:
    """Tokens left for thinking by a model of a known window: none where that is too small to spare them."""
    return REASONING if window >= ROOMY else 0


def _most(ask: Ask, target: Target, thinking: bytes | None = None) -> int:
    """The cap on an answer: what may be said, and what the model may think first where both count as one."""
    facts = models.facts(target.model)
    if target.dialect == "anthropic":
        told = mapping(jsonbytes.decode(thinking)) if thinking else {}
        besides = count(told.get("budget_tokens")) or (REASONING if told.get("type") == "adaptive" else 0)
    else:
        besides = reasoning(facts.window) if facts.known else 0
    return min(ask.max_tokens + besides, max(ask.max_tokens, facts.max_output or ask.max_tokens + besides))


def _alone_messages(ask: Ask, target: Target) -> dict[str, Any]:
    return {"model": target.model, _cap(target): _most(ask, target), "messages": [{"role": "user", "content": _said(ask)}]}


def _alone_responses(ask: Ask, target: Target) -> dict[str, Any]:
    return {"model": target.model, _cap(target): _most(ask, target), "input": _said(ask), "store": False}


def _alone_gemini(ask: Ask, target: Target) -> dict[str, Any]:
    return {
        "contents": [{"role": "user", "parts": [{"text": _said(ask)}]}],
        "generationConfig": {"maxOutputTokens": _most(ask, target)},
    }


_ALONE: Mapping[str, Callable[[Ask, Target], dict[str, Any]]] = {
    "anthropic": _alone_messages,
    "openai-chat": _alone_messages,
    "openai-responses": _alone_responses,
    "gemini": _alone_gemini,
}
