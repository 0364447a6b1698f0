"""Requests that are no step of a conversation: they open no lane and pass as they came (real-clients, "Side requests")."""

import msgspec

from pumice import wire
from pumice.domain.block import Role
from pumice.domain.message import Request
from pumice.errors import BadRequest
from pumice.faces.proxy.gate import Call
from pumice.wire import jsonbytes
from pumice.wire.values import mapping, string

OPENING = 6
"""Messages that are looked at for an answer of the model: a longer request is a conversation."""
_SCHEMAS = ("response_format", "text", "output_config", "generationConfig", "generation_config")
"""Fields under which the dialects ask for an answer of a schema."""
_COMPACTION = "compaction"
_ORDER = b"detailed summary of the conversation"


def reason(call: Call, request: Request) -> str:
    """What a request is for, where that is no step of a conversation; empty where it is one."""
    if request.head.tools:
        return ""
    has_schema = any(b"schema" in request.fields.get(name, b"").lower() for name in _SCHEMAS)
    if request.dialect == "gemini" and _is_gemini_cli(call) and not call.is_stream:
        # The router, the loop check and both calls of its compaction: none of them carries a tool.
        return "router" if has_schema else _COMPACTION
    if not _is_opening(request):
        return ""
    if has_schema:
        return "title"
    return "probe" if request.max_output is not None and request.max_output <= 1 else ""


def is_compaction(call: Call, request: Request) -> bool:
    """Whether the client asks for a summary of its own: the same ledger, and no cut of ours in it (K-E1)."""
    told = call.headers.get("x-codex-turn-metadata", "")
    if told:
        return string(mapping(jsonbytes.decode_any(told.encode())).get("request_kind")) == _COMPACTION
    return request.dialect == "anthropic" and "x-claude-code-session-id" in call.headers and _asks_to_sum_up(request)


def _asks_to_sum_up(request: Request) -> bool:
    """Claude Code puts the order behind whatever its last user message holds."""
    if not request.messages or _ORDER not in request.messages[-1]:
        return False
    try:
        last = wire.get(request.dialect).read_message(request.messages[-1])
    except BadRequest:
        return False
    if last.role is not Role.USER or not last.blocks:
        return False
    text = last.blocks[-1].text
    return "<summary>" in text and _ORDER.decode() in text


def _is_gemini_cli(call: Call) -> bool:
    agent = call.headers.get("user-agent", "")
    return "x-gemini-api-privileged-user-id" in call.headers or agent.startswith("GeminiCLI")


def _is_opening(request: Request) -> bool:
    """Whether no model has said anything yet."""
    dialect = wire.get(request.dialect)
    if len(request.messages) > OPENING:
        return False
    try:
        return all(dialect.read_message(raw).role is not Role.ASSISTANT for raw in request.messages)
    except (BadRequest, msgspec.ValidationError):
        return False
