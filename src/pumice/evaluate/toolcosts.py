"""What the tool definitions of recorded sessions cost, which of them nobody used, and whether they stood still (F-A6)."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec

from pumice import recordings, wire
from pumice.domain.block import Kind
from pumice.domain.book import BLOCK_OVERHEAD
from pumice.domain.message import Request
from pumice.evaluate import sources
from pumice.evaluate.factor import rates
from pumice.measure import cost, prices, tokens
from pumice.measure.cache import Hit
from pumice.recordings.recording import Recording
from pumice.wire import jsonbytes, volatile
from pumice.wire import tools as definitions

DIGITS = 6


class ToolCost(msgspec.Struct, frozen=True):
    """One definition."""

    tool: str
    tokens: int
    """In every request; 0 for one that the client defers."""
    calls: int
    """How often the session called it."""
    usd: float | None
    """Over all calls: written to the cache once, read from it then; null where the model's prices are not known."""
    can_wait: bool
    """The provider could search for it instead."""


class Moved(msgspec.Struct, frozen=True):
    """A call whose definitions differ from those of the call before, so that nothing of the request was cached."""

    call: int
    path: str
    kind: str
    """tool_order, tools, key_order, or what kind of text changed."""


class Saving(msgspec.Struct, frozen=True):
    """What deferring the unused ones would have saved, and the part of a policy that does it."""

    tokens: int
    """A request, the search that finds them taken off."""
    usd: float | None
    tools: dict[str, Any]


class SessionTools(msgspec.Struct, frozen=True):
    """The definitions of one session, dearest first."""

    file: str
    model: str
    calls: int
    tokens: int
    usd: float | None
    unused: int
    unused_tokens: int
    stable: bool | None
    """Null where the recording shows the definitions of one call only."""
    moved: tuple[Moved, ...]
    saving: Saving | None
    refusal: str
    """Why nothing can be deferred; empty where it can, or where there is nothing to defer."""
    unseen_head_tokens: int
    """Billed before the first message and shown nowhere: definitions may be among it."""
    tools: tuple[ToolCost, ...]


def measure(file: Path, *, dialect: str | None = None, model: str | None = None) -> list[SessionTools]:
    """The tool definitions of every session of a file; `model` prices as for another one.

    Raises BadRecording, UnknownDialect.
    """
    return [of_session(recording, model=model) for recording in recordings.open(file, dialect=dialect)]


def of_session(recording: Recording, *, model: str | None = None) -> SessionTools:
    """The tool definitions of one session."""
    name = model or recording.model
    request = wire.get(recording.dialect).open(recording.body(None, ()))
    used = _used(recording)
    till, factor = _Till(name, len(recording.calls)), _factor(recording, model)
    listed = _listed(request, used, till, factor)
    unused = [tool for tool in listed if not tool.calls]
    refusal = definitions.refusal(request, name) if unused else ""
    moved = tuple(_moved(recording))
    return SessionTools(
        file=recording.file,
        model=name,
        calls=len(recording.calls),
        tokens=sum(tool.tokens for tool in listed),
        usd=till.usd(sum(tool.tokens for tool in listed)),
        unused=len(unused),
        unused_tokens=sum(tool.tokens for tool in unused),
        stable=None if len(_recorded(recording)) < 2 else not moved,
        moved=moved,
        saving=None if refusal else _saving(listed, till, factor),
        refusal=refusal,
        unseen_head_tokens=recording.unseen_head_tokens,
        tools=tuple(sorted(listed, key=lambda tool: (-tool.tokens, tool.tool))),
    )


class _Till:
    """Prices tokens that stand in the prefix of every call: new once, from the cache then."""

    def __init__(self, model: str, calls: int) -> None:
        self._prices = prices.of(model)
        self._calls = calls

    def usd(self, size: int) -> float | None:
        if self._prices is None:
            return None
        hits = [Hit(0, size), *[Hit(size, 0)] * (self._calls - 1)] if self._calls else []
        return round(cost.of_session(cost.of_call(hit, self._prices) for hit in hits).total, DIGITS)


def _factor(recording: Recording, model: str | None) -> float:
    """The token factor after the last call, as a replay learns it."""
    dialect = wire.get(recording.dialect)
    return rates(recording, sources.read(recording, dialect), dialect, model=model)[-1].factor


def _used(recording: Recording) -> Counter[str]:
    read = wire.get(recording.dialect).read_message
    blocks = (block for raw in recording.messages for block in read(raw).blocks)
    return Counter(block.tool for block in blocks if block.kind is Kind.CALL)


def _listed(request: Request, used: Mapping[str, int], till: _Till, factor: float) -> list[ToolCost]:
    found = definitions.of(request)
    counts = tokens.count_many([tool.raw.decode("utf-8", "replace") for tool in found])
    sizes = [_size(tool, count, factor) for tool, count in zip(found, counts, strict=True)]
    return [
        ToolCost(tool.name, size, used.get(tool.name, 0), till.usd(size), tool.can_wait)
        for tool, size in zip(found, sizes, strict=True)
    ]


def _size(tool: definitions.Tool, count: int, factor: float) -> int:
    if tool.is_deferred:
        return 0
    return round((definitions.SEARCH_TOKENS if tool.is_search else count) * factor) + BLOCK_OVERHEAD


def _saving(listed: Sequence[ToolCost], till: _Till, factor: float) -> Saving | None:
    """None where the search would cost more than it saves."""
    waits = [tool for tool in listed if tool.can_wait and not tool.calls]
    search = round(definitions.SEARCH_TOKENS * factor) + BLOCK_OVERHEAD
    saved = sum(tool.tokens for tool in waits) - search
    if saved <= 0:
        return None
    kept = [tool for tool in listed if tool.calls]
    over = sum(tool.tokens for tool in kept)
    return Saving(saved, till.usd(saved), {"defer_unused_over": over, "keep": [tool.tool for tool in kept]})


def _recorded(recording: Recording) -> list[tuple[int, bytes]]:
    return [(call.number, call.tools) for call in recording.calls if call.tools is not None]


def _moved(recording: Recording) -> Iterator[Moved]:
    """Where loaded definitions were not what they had been; deferred ones may come and go."""
    for (_, before), (call, after) in pairwise(_recorded(recording)):
        if before != after:
            found = volatile.in_tools(_loaded(before), _loaded(after))
            yield from (Moved(call, item.path, item.kind) for item in found)


def _loaded(raw: bytes) -> list[Any]:
    return [tool for tool in jsonbytes.decode(raw) or [] if not (isinstance(tool, dict) and tool.get("defer_loading") is True)]
