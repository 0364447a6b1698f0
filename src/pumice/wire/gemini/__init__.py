"""Gemini generateContent, both ways (K §4)."""

from collections.abc import Mapping, Sequence

import msgspec

from pumice.domain.block import Block
from pumice.domain.message import Message, Request, Response
from pumice.wire import envelope, jsonbytes
from pumice.wire.dialect import Unit
from pumice.wire.gemini import forms, head, keys, read, repair, rewrite, stream
from pumice.wire.repair import Repaired
from pumice.wire.units import message_units
from pumice.wire.values import mapping

_PARTS = "contents[{}].parts"


class Gemini:
    """`POST /v1beta/models/{model}:generateContent`: parts in contents of user and model; the model stands in the address."""

    name = "gemini"
    field = "contents"
    system_field = "systemInstruction"

    def open(self, body: bytes, before: Request | None = None) -> Request:
        found = envelope.read(body, before, field=self.field)
        fields = found.fields
        return Request(
            self.name,
            found.model,
            head.of(keys.get(fields, self.system_field) or b"", fields.get("tools", b"")),
            found.messages,
            fields,
            found.body,
            _max_output(keys.get(fields, "generationConfig") or b"null"),
            found.ends,
            self.field,
        )

    def read_message(self, raw: bytes) -> Message:
        return read.message(raw)

    def read_response(self, body: bytes) -> Response:
        return stream.whole(body)

    def stream(self) -> stream.Stream:
        return stream.Stream()

    def rewrite(self, message: Message, forms: Mapping[int, str | None]) -> bytes | None:
        return rewrite.message(message, forms)

    def loose(self, raw: bytes) -> bytes | None:
        return raw

    def remark(self, lost: bytes, onto: bytes) -> bytes:  # noqa: ARG002 - this API has no markers
        return onto

    def unmarked(self, raw: bytes) -> bytes:
        return raw

    def user(self, text: str) -> bytes:
        return forms.said("user", text)

    def headed(self, request: Request, text: str, /) -> Mapping[str, bytes]:
        """Nothing beside `cachedContent`, which holds the instruction itself (K-G14)."""
        if keys.get(request.fields, "cachedContent"):
            return {}
        name = keys.spelled(request.fields, self.system_field)
        return {name: head.with_part(request.fields.get(name, b""), text)}

    def lead_role(self, _lead: Sequence[bytes], /) -> str:
        return ""

    def system(self, text: str, role: str) -> bytes:
        return forms.said(role, text)

    def headless(self, request: Request, text: str, /) -> Request:
        name = keys.spelled(request.fields, self.system_field)
        system = head.without_part(request.fields.get(name, b""), text)
        if system is None:
            return request
        opened = self.open(self.close(request, request.messages, fields={name: system}))
        return msgspec.structs.replace(opened, model=request.model)

    def aborted(self, call: Block) -> bytes:
        return forms.aborted(call)

    def repair(self, messages: Sequence[bytes]) -> Repaired:
        return repair.contents(messages)

    def close(self, request: Request, messages: Sequence[bytes], *, fields: Mapping[str, bytes | None] | None = None) -> bytes:
        return envelope.close(request, messages, fields or {})

    def units(self, body: bytes) -> list[Unit]:
        request = self.open(body)
        found = head.units(request.head)
        for index, raw in enumerate(request.messages):
            found += message_units(self.read_message(raw), index, _PARTS)
        return found


def _max_output(config: bytes) -> int | None:
    found = keys.get(mapping(jsonbytes.decode(config)), "maxOutputTokens")
    return found if isinstance(found, int) and not isinstance(found, bool) else None
