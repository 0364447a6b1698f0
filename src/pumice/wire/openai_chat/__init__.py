"""OpenAI Chat Completions, both ways (K §2)."""

from collections.abc import Mapping, Sequence

from pumice.domain.block import Block
from pumice.domain.message import Message, Request, Response
from pumice.wire import envelope, jsonbytes
from pumice.wire.dialect import Unit
from pumice.wire.forms import aborted_message
from pumice.wire.openai_chat import head, read, repair, response, rewrite, stream
from pumice.wire.repair import Repaired
from pumice.wire.units import message_units


class OpenAIChat:
    """`POST /v1/chat/completions`: tool calls beside the content, each result a message of its own."""

    name = "openai-chat"
    field = "messages"
    system_field = ""

    def open(self, body: bytes, before: Request | None = None) -> Request:
        found = envelope.read(body, before)
        return Request(
            self.name,
            found.model,
            head.of(found.fields.get("tools", b""), found.fields.get("functions", b"")),
            found.messages,
            found.fields,
            found.body,
            envelope.number(found.fields, "max_completion_tokens", "max_tokens"),
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
        return aborted_message(call.call_id)

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
