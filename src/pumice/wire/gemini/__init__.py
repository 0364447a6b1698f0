"""Gemini generateContent, both ways (K §4)."""

from collections.abc import Mapping, Sequence

import msgspec

from pumice.domain.block import Block
from pumice.domain.message import Head, Message, Request, Response
from pumice.wire import jsonbytes
from pumice.wire.dialect import Unit
from pumice.wire.gemini import forms, head, keys, read, repair, rewrite, stream
from pumice.wire.repair import Repaired
from pumice.wire.spliced import Spliced
from pumice.wire.values import mapping


class Gemini(Spliced):
    """`POST /v1beta/models/{model}:generateContent`: parts in contents of user and model; the model stands in the address."""

    name = "gemini"
    field = "contents"
    inside = "contents[{}].parts"
    system_field = "systemInstruction"

    def head(self, fields: Mapping[str, bytes], /) -> Head:
        return head.of(keys.get(fields, self.system_field) or b"", fields.get("tools", b""))

    def max_output(self, fields: Mapping[str, bytes], /) -> int | None:
        config = jsonbytes.decode(keys.get(fields, "generationConfig") or b"null")
        found = keys.get(mapping(config), "maxOutputTokens")
        return found if isinstance(found, int) and not isinstance(found, bool) else None

    def head_units(self, found: Head, /) -> list[Unit]:
        return head.units(found)

    def read_message(self, raw: bytes) -> Message:
        return read.message(raw)

    def read_response(self, body: bytes) -> Response:
        return stream.whole(body)

    def stream(self) -> stream.Stream:
        return stream.Stream()

    def rewrite(self, message: Message, forms: Mapping[int, str | None]) -> bytes | None:
        return rewrite.message(message, forms)

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
