"""OpenAI Responses, both ways (K §3): every item of the input is one message of the ledger."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from pumice.domain.block import Block
from pumice.domain.message import Message, Request, Response
from pumice.wire import envelope, jsonbytes
from pumice.wire.dialect import Unit
from pumice.wire.openai_responses import head, items, read, repair, response, rewrite, stream
from pumice.wire.repair import Repaired
from pumice.wire.units import message_units
from pumice.wire.values import mapping

_STORED = ("previous_response_id", "conversation")
"""Keys that name input the provider holds (K-R10)."""


class OpenAIResponses:
    """`POST /v1/responses`: reasoning, words, calls and outputs side by side, `instructions` in a field of their own."""

    name = "openai-responses"
    field = "input"
    system_field = "instructions"

    def open(self, body: bytes, before: Request | None = None) -> Request:
        found = envelope.read(body, before, field=self.field)
        return Request(
            self.name,
            found.model,
            head.of(found.fields.get("instructions", b""), found.fields.get("tools", b"")),
            found.messages,
            found.fields,
            found.body,
            envelope.number(found.fields, "max_output_tokens"),
            found.ends,
            self.field,
            found.is_text,
            any(found.fields.get(key, b"null") != b"null" for key in _STORED),
        )

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

    def user(self, text: str) -> bytes:
        return jsonbytes.encode({"role": "user", "content": text})

    def headed(self, _request: Request, _text: str, /) -> Mapping[str, bytes]:
        return {}

    def lead_role(self, lead: Sequence[bytes], /) -> str:
        return head.lead_role(lead)

    def system(self, text: str, role: str) -> bytes:
        return jsonbytes.encode({"role": role, "content": text})

    def headless(self, request: Request, _text: str, /) -> Request:
        return request

    def aborted(self, call: Block) -> bytes:
        return repair.aborted(mapping(jsonbytes.decode(call.raw)))

    def repair(self, messages: Sequence[bytes]) -> Repaired:
        return repair.messages(messages)

    def close(self, request: Request, messages: Sequence[bytes], *, fields: Mapping[str, bytes | None] | None = None) -> bytes:
        return envelope.close(request, messages, fields or {})

    def units(self, body: bytes) -> list[Unit]:
        request = self.open(body)
        found = head.units(request.head)
        for index, raw in enumerate(request.messages):
            made = message_units(self.read_message(raw), index, "input[{}].content")
            value = mapping(jsonbytes.decode(raw))
            found += made if items.kind(value) == items.MESSAGE else [_whole(unit, index, value) for unit in made]
        return found


def _whole(unit: Unit, index: int, item: Mapping[str, Any]) -> Unit:
    """The unit of an item that is no message; the tools it declares are counted as `tools` would be."""
    text = jsonbytes.canonical(item).decode() if items.kind(item) == items.TOOLS else unit.text
    return msgspec.structs.replace(unit, path=f"input[{index}]", text=text)
