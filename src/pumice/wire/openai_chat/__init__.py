"""OpenAI Chat Completions, both ways (K §2)."""

from collections.abc import Mapping, Sequence

from pumice.domain.block import Block
from pumice.domain.message import Head, Message, Response
from pumice.wire import envelope
from pumice.wire.dialect import Unit
from pumice.wire.forms import aborted_message
from pumice.wire.openai import OpenAI
from pumice.wire.openai_chat import head, read, repair, response, rewrite, stream
from pumice.wire.repair import Repaired


class OpenAIChat(OpenAI):
    """`POST /v1/chat/completions`: tool calls beside the content, each result a message of its own."""

    name = "openai-chat"
    system_field = ""

    def head(self, fields: Mapping[str, bytes], /) -> Head:
        return head.of(fields.get("tools", b""), fields.get("functions", b""))

    def max_output(self, fields: Mapping[str, bytes], /) -> int | None:
        return envelope.number(fields, "max_completion_tokens", "max_tokens")

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

    def lead_role(self, lead: Sequence[bytes], /) -> str:
        return head.lead_role(lead)

    def aborted(self, call: Block) -> bytes:
        return aborted_message(call.call_id)

    def repair(self, messages: Sequence[bytes]) -> Repaired:
        return repair.messages(messages)
