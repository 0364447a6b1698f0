"""Anthropic Messages, both ways (K §1)."""

from collections.abc import Mapping, Sequence

from pumice.domain.block import Block
from pumice.domain.message import Message, Request, Response
from pumice.wire import envelope, jsonbytes
from pumice.wire.anthropic import head, read, repair, response, rewrite, stream
from pumice.wire.dialect import Unit
from pumice.wire.forms import aborted_result
from pumice.wire.repair import Repaired
from pumice.wire.units import message_units


class Anthropic:
    """`POST /v1/messages`: content blocks, results inside user messages, `cache_control` markers."""

    name = "anthropic"
    field = "messages"
    system_field = "system"

    def open(self, body: bytes, before: Request | None = None) -> Request:
        found = envelope.read(body, before)
        return Request(
            self.name,
            found.model,
            head.of(found.fields.get("system", b""), found.fields.get("tools", b"")),
            found.messages,
            found.fields,
            found.body,
            envelope.number(found.fields, "max_tokens"),
            found.ends,
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
        return raw

    def remark(self, lost: bytes, onto: bytes) -> bytes:
        return rewrite.remark(lost, onto)

    def unmarked(self, raw: bytes) -> bytes:
        return rewrite.unmarked(raw)

    def user(self, text: str) -> bytes:
        return jsonbytes.encode({"role": "user", "content": [{"type": "text", "text": text}]})

    def headed(self, request: Request, text: str, /) -> Mapping[str, bytes]:
        return {"system": head.with_block(request.fields.get("system", b""), text)}

    def lead_role(self, _lead: Sequence[bytes], /) -> str:
        return ""

    def system(self, text: str, role: str) -> bytes:
        return jsonbytes.encode({"role": role, "content": [{"type": "text", "text": text}]})

    def headless(self, request: Request, text: str, /) -> Request:
        system = head.without_block(request.fields.get("system", b""), text)
        return request if system is None else self.open(self.close(request, request.messages, fields={"system": system}))

    def aborted(self, call: Block) -> bytes:
        return jsonbytes.encode({"role": "user", "content": [aborted_result(call.call_id)]})

    def repair(self, messages: Sequence[bytes]) -> Repaired:
        return repair.messages(messages)

    def close(self, request: Request, messages: Sequence[bytes], *, fields: Mapping[str, bytes | None] | None = None) -> bytes:
        return envelope.close(request, messages, fields or {})

    def units(self, body: bytes) -> list[Unit]:
        request = self.open(body)
        found = head.units(request.head)
        for index, raw in enumerate(request.messages):
            found += message_units(self.read_message(raw), index)
        return found
