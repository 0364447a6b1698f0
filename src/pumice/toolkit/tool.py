"""A tool an agent is given: a name, a JSON schema, and a plain awaitable that any agent loop can call."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Protocol

import msgspec

from pumice.domain.manifest import Manifest, Row
from pumice.domain.pointer import Slice
from pumice.domain.state import Pin
from pumice.errors import InvalidInput, PumiceError

DEFINITIONS: Mapping[str, Callable[["Tool"], dict[str, Any]]] = {
    "anthropic": lambda tool: {"name": tool.name, "description": tool.description, "input_schema": tool.parameters},
    "openai-chat": lambda tool: {"type": "function", "function": tool.function},
    "openai-responses": lambda tool: {"type": "function", **tool.function, "strict": False},
    "gemini": lambda tool: {"name": tool.name, "description": tool.description, "parametersJsonSchema": tool.parameters},
}
"""How each dialect declares a tool; Gemini's is one of its `functionDeclarations`. Arguments may be left out: not strict."""


class Desk(Protocol):
    """What tools work on: a session of an engine."""

    async def read_range(self, pointer: str, offset: int = 1, limit: int = 200, unit: str = "lines") -> Slice: ...

    async def search(
        self, query: str, *, pointer: str | None = None, regex: bool = False, limit: int = 10
    ) -> Sequence[Any]: ...

    async def end_phase(self, name: str, *, agent: str = "main") -> None: ...


class Archive(Desk, Protocol):
    """A desk over a stored session, for those who do not make its calls."""

    async def tail(self, pointer: str, limit: int = 40) -> Slice: ...

    async def notes(self) -> Mapping[str, str]: ...

    async def note(self, given: Mapping[str, str]) -> None: ...

    async def pins(self) -> Sequence[Pin]: ...

    async def pin(self, text: str) -> Pin: ...

    async def manifest(self, call: int | None = None) -> Manifest: ...

    async def explain(self, block_id: str, call: int | None = None) -> Row: ...


class Told(msgspec.Struct, frozen=True):
    """What a tool's result says."""

    text: str
    is_error: bool = False


class Tool(msgspec.Struct, frozen=True):
    name: str
    description: str
    arguments: type[msgspec.Struct]
    """What it takes; its JSON schema is made of this."""
    run: Callable[[Any], Awaitable[str]]
    """The work on arguments of that type; gives the text of the result."""
    adds: bool = False
    """Whether a call adds to what is kept; every other tool only looks."""

    async def __call__(self, given: Mapping[str, Any]) -> str:
        """The text of the tool's result; what went wrong is said in it, so that the model can do better."""
        told = await self.told(given)
        return f"Error: {told.text}" if told.is_error else told.text

    async def told(self, given: Mapping[str, Any]) -> Told:
        """The tool's result, for callers that mark an error as one."""
        try:
            return Told(await self.run(self._read(given)))
        except PumiceError as error:
            return Told(str(error), is_error=True)

    def definition(self, dialect: str) -> dict[str, Any]:
        """The tool as a request of the dialect declares it. Raises InvalidInput for one that is not known."""
        if dialect not in DEFINITIONS:
            raise InvalidInput(f"dialect {dialect!r}: expected one of {', '.join(DEFINITIONS)}.")
        return DEFINITIONS[dialect](self)

    @property
    def parameters(self) -> dict[str, Any]:
        """JSON schema of the arguments, whole in one piece: not every provider follows references."""
        [shape], parts = msgspec.json.schema_components([self.arguments])
        found: dict[str, Any] = _inline(shape, parts)
        return found

    @property
    def function(self) -> dict[str, Any]:
        return {"name": self.name, "description": self.description, "parameters": self.parameters}

    def _read(self, given: Mapping[str, Any]) -> msgspec.Struct:
        try:
            return msgspec.convert(given, self.arguments)
        except msgspec.ValidationError as error:
            raise InvalidInput(f"{self.name}: {error}.", hint="Correct the arguments and call again.") from error


def _inline(shape: Any, parts: Mapping[str, Any]) -> Any:
    if isinstance(shape, list):
        return [_inline(item, parts) for item in shape]
    if not isinstance(shape, dict):
        return shape
    if "$ref" in shape:
        return _inline(parts[shape["$ref"].rpartition("/")[2]], parts)
    return {key: _inline(value, parts) for key, value in shape.items() if key != "title"}
