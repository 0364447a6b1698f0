"""The script a provider double plays, and what it hands back."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Protocol

import msgspec

from pumice.domain.message import Request, Violation
from pumice.measure import tokens
from pumice.measure.cache import Hit
from pumice.wire import jsonbytes


class Use(msgspec.Struct, frozen=True):
    """A tool call the model makes."""

    name: str
    input: Mapping[str, Any] = {}
    id: str = ""
    """Empty: the double counts its own."""


class Say(msgspec.Struct, frozen=True):
    """One answer of the model."""

    text: str = ""
    calls: tuple[Use, ...] = ()
    thinking: str = ""
    """Signed reasoning before the text, in dialects that show it, unless the request turns thinking off."""


Step = Say | Callable[[Request], Say]
"""What is said, or who says it once the request is seen."""


class Reply(msgspec.Struct, frozen=True):
    """What came over the wire."""

    status: int
    body: bytes
    is_stream: bool = False

    def chunks(self, size: int = 64) -> Iterator[bytes]:
        """The body in pieces, split wherever the size falls."""
        return (self.body[start : start + size] for start in range(0, len(self.body), size))


class Answer(msgspec.Struct, frozen=True):
    """Everything a dialect needs to write an answer."""

    number: int
    """Of the answer, from 1: ids are made of it."""
    request: Request
    step: Say
    hit: Hit
    dropped: tuple[str, ...] = ()
    """Paths of reasoning the provider left out of its input."""

    def call_id(self, place: int, prefix: str) -> str:
        return self.step.calls[place].id or f"{prefix}{self.number:04d}{place:02d}"

    @property
    def output_tokens(self) -> int:
        inputs = [jsonbytes.encode(call.input).decode() for call in self.step.calls]
        return tokens.count("\n".join([self.step.thinking, self.step.text, *inputs]))


class Shape(Protocol):
    """How one dialect writes what the double says."""

    def refusal(self, violation: Violation, /) -> Reply: ...

    def mismatched(self, request: Request, /) -> Iterable[Violation]:
        """Reasoning that no longer stands for what is before it."""
        ...

    def may_drop(self, request: Request, /) -> bool:
        """Whether the request lets such reasoning be left out instead of refused."""
        ...

    def plain(self, answer: Answer, /) -> Reply: ...

    def stream(self, answer: Answer, /) -> Reply: ...


def pieces(text: str, size: int = 12) -> Iterator[str]:
    """A text as a model streams it."""
    return (text[start : start + size] for start in range(0, len(text), size))


def sse(events: list[tuple[str, dict[str, Any]]]) -> bytes:
    """Events as server-sent ones; an empty name is left out."""
    lines = [(f"event: {name}\n" if name else "") + f"data: {jsonbytes.encode(value).decode()}\n\n" for name, value in events]
    return "".join(lines).encode()
