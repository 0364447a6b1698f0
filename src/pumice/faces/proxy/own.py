"""The client's own request, and what has to be said with it where the upstream has seen the conversation otherwise (K-P7a)."""

from collections.abc import Mapping

import msgspec

from pumice import wire
from pumice.domain.block import Kind
from pumice.domain.message import Request
from pumice.engine.verify import BINDING_BETA
from pumice.measure import models
from pumice.wire import jsonbytes
from pumice.wire.values import mapping, string

BETA = "anthropic-beta"


class Own(msgspec.Struct, frozen=True):
    """A request as the client sent it, or as near to it as its reasoning allows."""

    body: bytes
    headers: Mapping[str, str] = {}


def own(request: Request, body: bytes) -> Own:
    """The client's own bytes after a rewritten call: reasoning bound to that call's prefix may be dropped, or is left out.

    Where thinking is adaptive the provider is asked to drop what does not match (K-A37), else it goes with this body (K-A36).
    """
    binds = request.dialect == "anthropic" and models.facts(request.model).binds_reasoning
    if not binds or not _reasons(request):
        return Own(body)
    thinking = mapping(jsonbytes.decode_any(request.fields.get("thinking", b"{}")))
    dialect = wire.get(request.dialect)
    if string(thinking.get("type")) in ("", "adaptive"):
        told = {"type": "adaptive", **thinking, "block_binding": {"prefix_mismatch_behavior": "drop_block"}}
        return Own(dialect.close(request, request.messages, fields={"thinking": jsonbytes.encode(told)}), {BETA: BINDING_BETA})
    kept = (_without_reasoning(request, raw) for raw in request.messages)
    return Own(dialect.close(request, [raw for raw in kept if raw is not None]))


def demands_binding(request: Request) -> bool:
    """Whether the client wants to hear of reasoning that does not match: then nothing is tried in its place (K-P8)."""
    thinking = mapping(jsonbytes.decode_any(request.fields.get("thinking", b"{}")))
    return mapping(thinking.get("block_binding")).get("prefix_mismatch_behavior") == "error"


def merged(ours: Mapping[str, str], theirs: Mapping[str, str]) -> dict[str, str]:
    """Headers to set: what we add to a list the client has sent stands behind the client's own."""
    both = {name: [item.strip() for item in theirs.get(name, "").split(",") if item.strip()] for name in ours}
    return {name: ",".join(dict.fromkeys([*both[name], *value.split(",")])) for name, value in ours.items()}


def _reasons(request: Request) -> bool:
    return any(b"thinking" in raw for raw in request.messages)


def _without_reasoning(request: Request, raw: bytes) -> bytes | None:
    dialect = wire.get(request.dialect)
    message = dialect.read_message(raw)
    lost: dict[int, str | None] = {at: None for at, block in enumerate(message.blocks) if block.kind is Kind.REASONING}
    return dialect.rewrite(message, lost) if lost else raw
