"""Anthropic Messages, both ways (K §1)."""

from collections.abc import Mapping, Sequence

from pumice.domain.block import Block
from pumice.domain.message import Head, Message, Request, Response
from pumice.wire import envelope, jsonbytes
from pumice.wire.anthropic import head, read, repair, response, rewrite, stream
from pumice.wire.dialect import Unit
from pumice.wire.forms import aborted_result
from pumice.wire.repair import Repaired
from pumice.wire.spliced import Spliced


class Anthropic(Spliced):
    """`POST /v1/messages`: content blocks, results inside user messages, `cache_control` markers."""

    name = "anthropic"
    system_field = "system"

    def head(self, fields: Mapping[str, bytes], /) -> Head:
        return head.of(fields.get("system", b""), fields.get("tools", b""))

    def max_output(self, fields: Mapping[str, bytes], /) -> int | None:
        return envelope.number(fields, "max_tokens")

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

    def remark(self, lost: bytes, onto: bytes) -> bytes:
        return rewrite.remark(lost, onto)

    def unmarked(self, raw: bytes) -> bytes:
        return rewrite.unmarked(raw)

    def user(self, text: str) -> bytes:
        return jsonbytes.encode({"role": "user", "content": [{"type": "text", "text": text}]})

    def headed(self, request: Request, text: str, /) -> Mapping[str, bytes]:
        return {"system": head.with_block(request.fields.get("system", b""), text)}

    def system(self, text: str, role: str) -> bytes:
        return jsonbytes.encode({"role": role, "content": [{"type": "text", "text": text}]})

    def headless(self, request: Request, text: str, /) -> Request:
        system = head.without_block(request.fields.get("system", b""), text)
        return request if system is None else self.open(self.close(request, request.messages, fields={"system": system}))

    def aborted(self, call: Block) -> bytes:
        return jsonbytes.encode({"role": "user", "content": [aborted_result(call.call_id)]})

    def repair(self, messages: Sequence[bytes]) -> Repaired:
        return repair.messages(messages)
