"""OpenAI Responses, both ways (K §3): every item of the input is one message of the ledger."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from pumice.domain.block import Block
from pumice.domain.message import Head, Message, Response
from pumice.wire import envelope, jsonbytes
from pumice.wire.dialect import Unit
from pumice.wire.openai import OpenAI
from pumice.wire.openai_responses import head, items, read, repair, response, rewrite, stream
from pumice.wire.repair import Repaired
from pumice.wire.values import mapping

_STORED = ("previous_response_id", "conversation")
"""Keys that name input the provider holds (K-R10)."""


class OpenAIResponses(OpenAI):
    """`POST /v1/responses`: reasoning, words, calls and outputs side by side, `instructions` in a field of their own."""

    name = "openai-responses"
    field = "input"
    inside = "input[{}].content"
    system_field = "instructions"

    def head(self, fields: Mapping[str, bytes], /) -> Head:
        return head.of(fields.get("instructions", b""), fields.get("tools", b""))

    def max_output(self, fields: Mapping[str, bytes], /) -> int | None:
        return envelope.number(fields, "max_output_tokens")

    def is_delta(self, fields: Mapping[str, bytes], /) -> bool:
        return any(fields.get(key, b"null") != b"null" for key in _STORED)

    def head_units(self, found: Head, /) -> list[Unit]:
        return head.units(found)

    def read_message(self, raw: bytes) -> Message:
        return read.message(raw)

    def read_response(self, body: bytes) -> Response:
        return response.read(body)

    def stream(self) -> stream.Stream:
        return stream.Stream()

    def rewrite(self, message: Message, forms: Mapping[int, str | None]) -> bytes | None:
        return rewrite.message(message, forms)

    def loose(self, raw: bytes) -> bytes | None:
        return rewrite.loose(raw)

    def remark(self, lost: bytes, onto: bytes) -> bytes:
        return rewrite.remark(lost, onto)

    def unmarked(self, raw: bytes) -> bytes:
        return rewrite.unmarked(raw)

    def lead_role(self, lead: Sequence[bytes], /) -> str:
        return head.lead_role(lead)

    def aborted(self, call: Block) -> bytes:
        return repair.aborted(mapping(jsonbytes.decode(call.raw)))

    def repair(self, messages: Sequence[bytes]) -> Repaired:
        return repair.messages(messages)

    def message_units(self, raw: bytes, index: int) -> list[Unit]:
        value, made = mapping(jsonbytes.decode(raw)), super().message_units(raw, index)
        return made if items.kind(value) == items.MESSAGE else [_whole(unit, index, value) for unit in made]


def _whole(unit: Unit, index: int, item: Mapping[str, Any]) -> Unit:
    """The unit of an item that is no message; the tools it declares are counted as `tools` would be."""
    text = jsonbytes.canonical(item).decode() if items.kind(item) == items.TOOLS else unit.text
    return msgspec.structs.replace(unit, path=f"input[{index}]", text=text)
