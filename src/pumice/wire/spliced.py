"""What dialects do alike: a body opened around its raw messages, told unit by unit, and spliced again."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

from pumice.domain.message import Head, Message, Request
from pumice.wire import envelope
from pumice.wire.dialect import Unit
from pumice.wire.units import message_units


class Spliced(ABC):
    """A dialect without what is its API's own; what `Dialect` says of a method is not said again."""

    name: str
    field = "messages"
    inside = "messages[{}].content"
    """Path of what a message holds, its index left open."""

    def open(self, body: bytes, before: Request | None = None) -> Request:
        found = envelope.read(body, before, field=self.field)
        return Request(
            self.name,
            found.model,
            self.head(found.fields),
            found.messages,
            found.fields,
            found.body,
            self.max_output(found.fields),
            found.ends,
            self.field,
            found.is_text,
            self.is_delta(found.fields),
        )

    @abstractmethod
    def head(self, fields: Mapping[str, bytes], /) -> Head:
        """System text and tools of these top-level fields."""

    @abstractmethod
    def max_output(self, fields: Mapping[str, bytes], /) -> int | None:
        """The cap on the answer that they name."""

    def is_delta(self, _fields: Mapping[str, bytes], /) -> bool:
        """Whether they name input that the provider holds."""
        return False

    @abstractmethod
    def head_units(self, head: Head, /) -> list[Unit]:
        """The head's units in the order a cache reads them."""

    @abstractmethod
    def read_message(self, raw: bytes) -> Message: ...

    def loose(self, raw: bytes) -> bytes | None:
        return raw

    def lead_role(self, _lead: Sequence[bytes], /) -> str:
        return ""

    def close(self, request: Request, messages: Sequence[bytes], *, fields: Mapping[str, bytes | None] | None = None) -> bytes:
        return envelope.close(request, messages, fields or {})

    def units(self, body: bytes) -> list[Unit]:
        request = self.open(body)
        found = self.head_units(request.head)
        for index, raw in enumerate(request.messages):
            found += self.message_units(raw, index)
        return found

    def message_units(self, raw: bytes, index: int) -> list[Unit]:
        """The units of one message."""
        return message_units(self.read_message(raw), index, self.inside)
