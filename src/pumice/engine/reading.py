"""Read client messages: the identity of what was sent, and the form the store may hold."""

import json
from collections.abc import Callable
from typing import Any

import msgspec

from pumice.domain.message import Message
from pumice.domain.ports import Redactor
from pumice.engine.branch import Arrival
from pumice.wire.dialect import Dialect

Identity = Callable[[bytes], bytes]


class Reader:
    """Decodes messages of one dialect for one store."""

    def __init__(self, dialect: Dialect, redactor: Redactor, identity: Identity) -> None:
        self.dialect = dialect
        self._redact = redactor
        self._identity = identity

    def read(self, raw: bytes) -> Message:
        """A message as the client sent it, its key the store's identity of it."""
        message = self.dialect.read_message(raw)
        return msgspec.structs.replace(message, key=self._identity(message.key))

    def identify(self, text: str) -> str:
        """The store's identity of a text, hex."""
        return self._identity(text.encode("utf-8", "surrogatepass")).hex()

    def arrive(self, message: Message) -> Arrival:
        """A message with secrets replaced for everything but the wire."""
        hits = sum(len(self._redact(block.text).kinds) for block in message.blocks)
        if not hits:
            return Arrival(message, message.raw)
        held = self.dialect.read_message(self._replaced(message.raw))
        return Arrival(msgspec.structs.replace(held, key=message.key), message.raw, hits)

    def clean(self, raw: bytes) -> bytes:
        """JSON with secrets replaced; the same bytes when there are none."""
        return self._replaced(raw) if self._redact(raw.decode("utf-8", "replace")).kinds else raw

    def _replaced(self, raw: bytes) -> bytes:
        return json.dumps(self._walk(json.loads(raw)), ensure_ascii=True, separators=(",", ":")).encode()

    def _walk(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._redact(value).text
        if isinstance(value, list):
            return [self._walk(item) for item in value]
        if isinstance(value, dict):
            return {key: self._walk(item) for key, item in value.items()}
        return value
