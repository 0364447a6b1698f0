"""The size of a request's head: system text, tools and what stands beside them, part by part."""

import hashlib
from collections.abc import Collection

import msgspec

from pumice.compile.manifest import HeadPart
from pumice.domain.decision import Outcome
from pumice.domain.diet import Diet
from pumice.domain.message import Head
from pumice.measure import tokens
from pumice.wire import tools as definitions


class HeadSize(msgspec.Struct, frozen=True):
    """The head as counted: system, tools and what every request costs."""

    text: int
    parts: tuple[HeadPart, ...]

    @property
    def fixed(self) -> int:
        """What its parts cost besides their text: the overhead of each block the model is shown."""
        return sum(part.fixed for part in self.parts if part.stands or part.pointer)

    def at(self, factor: float) -> int:
        """Tokens of it by a calibrated counter."""
        return round(self.text * factor) + self.fixed

    def plus(self, parts: tuple[HeadPart, ...]) -> "HeadSize":
        """The head with more parts."""
        return HeadSize(self.text + sum(part.tokens for part in parts), (*self.parts, *parts)) if parts else self


def head_size(head: Head, dialect: str, *, diet: Diet | None = None, loaded: Collection[str] = ()) -> HeadSize:
    """Count a head part by part; of deferred tools only those that a search has `loaded`."""
    system = [HeadPart(f"system[{at}]", 0, _digest(raw)) for at, raw in enumerate(head.system)]
    tools = definitions.read(head, dialect)
    parts = [*system, *(_tool_part(tool, diet, loaded) for tool in tools)]
    counts = tokens.count_many([raw.decode("utf-8", "replace") for raw in (*head.system, *(tool.raw for tool in tools))])
    sized = [
        msgspec.structs.replace(part, tokens=part.tokens or count) if part.stands else part
        for part, count in zip(parts, counts, strict=True)
    ]
    return HeadSize(sum(part.tokens for part in sized), tuple(sized))


def _tool_part(tool: definitions.Tool, diet: Diet | None, loaded: Collection[str]) -> HeadPart:
    part = HeadPart(f"tool:{tool.name}", definitions.SEARCH_TOKENS if tool.is_search else 0, _digest(tool.raw))
    is_ours = diet is not None and bool(diet.deferred)
    if tool.is_search and is_ours:
        return msgspec.structs.replace(part, outcome=Outcome.PLACED, source="pumice", reason="finds the deferred tools")
    if not tool.is_deferred:
        return part
    who = "tools.defer_unused_over" if is_ours else "the client"
    if tool.name in loaded:
        return msgspec.structs.replace(part, reason=f"deferred by {who}, and found by a search")
    return msgspec.structs.replace(part, outcome=Outcome.FOLD, reason=f"deferred by {who}: a search loads it")


def _digest(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()
