"""An incremental conversation: messages added one by one, sent as one body."""

from collections.abc import Sequence

from pumice import wire
from pumice.measure import models
from pumice.wire import jsonbytes

DEFAULT_OUTPUT = 8192
"""Output cap of an Anthropic body when the model's own is not known; the field is required there."""


class Draft:
    """The messages of one agent so far."""

    def __init__(self, dialect: str) -> None:
        self.dialect = dialect
        self.messages: list[bytes] = []

    def add(self, messages: Sequence[bytes]) -> None:
        self.messages += messages

    def body(self, model: str | None) -> bytes:
        """A request of all messages; naming the model where one is known and the dialect's address does not."""
        fields = {"model": jsonbytes.encode(model)} if model and self.dialect != "gemini" else {}
        if self.dialect == "anthropic":
            cap = models.facts(model).max_output if model else None
            fields["max_tokens"] = str(cap or DEFAULT_OUTPUT).encode()
        return jsonbytes.join_object(fields | {wire.get(self.dialect).field: jsonbytes.join_array(self.messages)})
