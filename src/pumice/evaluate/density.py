"""How dense views are: what of them nobody uses, what stands twice, what is read again, and which tool it comes from (F-A7)."""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from pumice import wire
from pumice.commit import effects
from pumice.domain.block import Block, Kind
from pumice.domain.book import Size
from pumice.domain.effect import Effect
from pumice.evaluate import sources
from pumice.evaluate.follow import follow
from pumice.evaluate.judge import Seen
from pumice.evaluate.replay import Plan, Tick, no_tick
from pumice.evaluate.view import Reader
from pumice.measure import entities
from pumice.measure.calibration import Calibration
from pumice.measure.density import Density, Shown, by_tool, density, newest_uses, rereads, used_at
from pumice.recordings.recording import Recording

DIGITS = 4


class Shares(msgspec.Struct, frozen=True):
    """Figures of a call or of many; null where there is nothing to take a share of."""

    tokens: int
    unreferenced_share: float | None
    repeated_share: float | None
    reread_rate: float | None


class CallShares(Shares, frozen=True):
    call: int


class ToolShares(msgspec.Struct, frozen=True):
    """What one tool puts into a session."""

    tool: str
    reads: int
    rereads: int
    tokens: int
    """Its calls and results once each, as they came."""
    carried: int
    """The same in every view they stood in: what resending them takes."""
    unreferenced: int
    """Of these, tokens no later response took an entity from."""


class PolicyDensity(msgspec.Struct, frozen=True):
    pooled: Shares
    by_call: tuple[CallShares, ...]
    tools: tuple[ToolShares, ...]


class SessionDensity(msgspec.Struct, frozen=True):
    """The density of one session's views, under each policy."""

    file: str
    format: str
    calls: int
    policies: dict[str, PolicyDensity]


def measure(file: Path, plan: Plan, tick: Tick = no_tick) -> list[SessionDensity]:
    """The density of every session of a file under the plan's policies.

    A block of a view counts as referenced when the answer to the view or any later one uses an entity of its text; a read
    counts as a re-read when one before has fetched the same file from the same line on, or asked the same query. Raises
    BadRecording, UnknownDialect, StoreError.
    """
    return [
        SessionDensity(
            file=recording.file,
            format=recording.format,
            calls=runs.calls,
            policies={name: one.track.result() for name, one in runs.policies.items()},
        )
        for recording, runs in follow(file, plan, Watch, tick)
    ]


class Watch:
    """Follows one policy through one session."""

    def __init__(self, recording: Recording) -> None:
        dialect = wire.get(recording.dialect)
        self._reader = Reader(dialect, recording.model)
        self._factor = Calibration.start(recording.model).factor
        self._newest = newest_uses(_responses(recording))
        self._known: dict[tuple[str, str], Shown] = {}
        self._calls: list[tuple[int, Density]] = []
        self._carried: Counter[str] = Counter()
        self._unused: Counter[str] = Counter()
        history = ((source.block, source.size) for source in sources.read(recording, dialect))
        self._history = list(self._blocks(history))

    def add(self, seen: Seen) -> None:
        """Take a view in."""
        view = self._reader.read(seen.body)
        parts = (part for shown in view.messages for part in zip(shown.message.blocks, shown.sizes, strict=True))
        blocks = list(self._blocks(parts))
        self._calls.append((seen.call, density(blocks, since=seen.call)))
        self._carried += by_tool(blocks)
        self._unused += by_tool(block for block in blocks if block.used_at < seen.call)

    def result(self) -> PolicyDensity:
        """The figures of all views so far; reads are those of the history, each once."""
        reads, again = rereads(block.fetch for block in self._history)
        views = sum((found for _, found in self._calls), Density())
        once = by_tool(self._history)
        return PolicyDensity(
            pooled=Shares(*_shares(msgspec.structs.replace(views, reads=reads, rereads=again))),
            by_call=tuple(CallShares(*_shares(found), call) for call, found in self._calls),
            tools=tuple(self._tool(tool, once[tool]) for tool in sorted(once, key=lambda tool: (-self._carried[tool], tool))),
        )

    def _tool(self, tool: str, tokens: int) -> ToolShares:
        reads, again = rereads(block.fetch for block in self._history if block.tool == tool)
        return ToolShares(tool, reads, again, tokens, self._carried[tool], self._unused[tool])

    def _blocks(self, parts: Iterable[tuple[Block, Size]]) -> Iterator[Shown]:
        """Blocks in their order; what a result was about is told by its call."""
        waiting: dict[str, list[Block]] = {}
        for block, size in parts:
            call = None
            if block.kind is Kind.CALL:
                waiting.setdefault(block.call_id, []).append(block)
            elif block.kind is Kind.RESULT and waiting.get(block.call_id):
                call = waiting[block.call_id].pop(0)
            yield self._shown(block, call, size)

    def _shown(self, block: Block, call: Block | None, size: Size) -> Shown:
        key = (block.hash, call.hash if call else "")
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = Shown(
                content=f"{block.kind}:{block.tool}:{block.text}" if block.text else block.hash,
                tokens=size.tokens(self._factor),
                used_at=used_at(entities.names(block.text), self._newest),
                fetch=_fetched(call, block) if call else "",
                tool=(call or block).tool,
            )
        return known


def _responses(recording: Recording) -> Iterator[tuple[int, frozenset[str]]]:
    """Each call's number with the entities its response says or passes to a tool."""
    dialect = wire.get(recording.dialect)
    for call in recording.calls:
        blocks = dialect.read_response(call.response).blocks if call.response else ()
        if blocks:
            yield call.number, entities.names("\n".join(block.text for block in blocks))


def _fetched(call: Block, result: Block) -> str:
    """What a read fetched: a file from a line on, or all that its call asked for; nothing for anything else."""
    use = effects.describe(call, result)
    if use.effect is not Effect.READ or effects.failed(result):
        return ""
    return f"{use.tool} {use.target} {use.first_line}" if use.is_file_read else f"{use.tool} {call.text}"


def _shares(found: Density) -> tuple[int, float | None, float | None, float | None]:
    return found.tokens, _rounded(found.unreferenced_share), _rounded(found.repeated_share), _rounded(found.reread_rate)


def _rounded(share: float | None) -> float | None:
    return None if share is None else round(share, DIGITS)
