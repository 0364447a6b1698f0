"""The script of a recording: before each call what was known, and what its response then needed; views are judged by it."""

from collections.abc import Iterable, Sequence

import msgspec

from pumice.domain.block import Kind
from pumice.domain.book import Size
from pumice.domain.message import Response
from pumice.evaluate import again, sources
from pumice.evaluate.again import Again, Done
from pumice.evaluate.factor import Rate, rates
from pumice.evaluate.lines import Line, line_at
from pumice.evaluate.rules import FindRules, Laid
from pumice.evaluate.sizing import running
from pumice.evaluate.sources import Source
from pumice.measure import entities
from pumice.recordings.recording import RecordedCall, Recording
from pumice.wire.dialect import Dialect

FAR = 10
"""The newest groups, whose entities are near."""
LAST_READS = 3


class Need(msgspec.Struct, frozen=True):
    """An entity the recorded response used and the history held."""

    entity: str
    source: int
    """Position of the newest block that held it."""
    line: Line
    """The newest line that held it."""
    is_far: bool


class Moment(msgspec.Struct, frozen=True):
    """What is known just before a call, and what its response needed."""

    call: RecordedCall
    sources: int
    """How many blocks the history has."""
    needs: tuple[Need, ...]
    fresh: tuple[str, ...]
    """Entities the history holds now and did not at the call before."""
    reads: tuple[int, ...]
    """Sources of the newest three file reads, newest last."""
    rules: tuple[Laid, ...]
    """Constraints that became active since the call before."""
    repeats: tuple[int, ...]
    """Sources whose text a result of this response brought again."""
    redone: tuple[Done, ...]
    """What had made a change that this response makes again."""
    asked: tuple[int, ...]
    """Answers a person had given to what this response asks again."""
    full: Size
    """Size of the full history."""
    rate: Rate
    """What a counted token is worth."""
    output: int | None
    """Tokens of the recorded response; None where the recording does not say."""
    is_after_compaction: bool
    """The recorded client had compacted before."""


class Script(msgspec.Struct, frozen=True):
    recording: Recording
    sources: tuple[Source, ...]
    moments: tuple[Moment, ...]
    factor: float
    """The token factor after the last call."""


def write(recording: Recording, dialect: Dialect, find_rules: FindRules, *, model: str | None = None) -> Script:
    """The script of a recording, replayed as if `model` had been called where one is named."""
    scribe = _Scribe(recording, dialect, find_rules)
    known = rates(recording, scribe.sources, dialect, model=model)
    moments = tuple(scribe.moment(call, rate) for call, rate in zip(recording.calls, known, strict=False))
    return Script(recording, scribe.sources, moments, known[-1].factor)


class _Scribe:
    """Walks the session once; costs what is new at each call."""

    def __init__(self, recording: Recording, dialect: Dialect, find_rules: FindRules) -> None:
        self.sources = sources.read(recording, dialect)
        self._dialect = dialect
        self._find_rules = find_rules
        self._sums = running(source.size for source in self.sources)
        self._starts = _starts(self.sources, len(recording.messages))
        self._results = _results(self.sources)
        self._newest: dict[str, tuple[int, int]] = {}
        """Entity → newest block that held it, and where in its text."""
        self._texts: dict[str, int] = {}
        """Text of a result → the newest that brought it."""
        self._reads: list[int] = []
        self._rules: dict[str, Laid] = {}
        self._again = Again()
        self._known = 0
        self._compacted = False

    def moment(self, call: RecordedCall, rate: Rate) -> Moment:
        upto = self._starts[call.upto]
        self._compacted = self._compacted or call.recorded is not None
        fresh, rules = self._learn(upto)
        response = self._dialect.read_response(call.response) if call.response else None
        blocks = again.of_response(self.sources, upto) if response else ()
        return Moment(
            call=call,
            sources=upto,
            needs=tuple(self._needs(response, upto)) if response else (),
            fresh=tuple(fresh),
            reads=tuple(self._reads[-LAST_READS:]),
            rules=tuple(rules),
            repeats=tuple(self._repeats(upto)),
            redone=self._again.redone(blocks),
            asked=self._again.asked(blocks),
            full=self._sums[upto],
            rate=rate,
            output=_output(response),
            is_after_compaction=self._compacted,
        )

    def _learn(self, upto: int) -> tuple[list[str], list[Laid]]:
        """Take in the blocks before `upto`; returns new entities and new rules."""
        fresh: list[str] = []
        rules: list[Laid] = []
        for at in range(self._known, upto):
            source = self.sources[at]
            self._again.learn(at, source)
            if source.teaches:
                fresh += self._place(at, source.block.text)
            if source.block.kind is Kind.RESULT and source.block.text:
                self._texts[source.block.text] = at
                if source.use is not None and source.use.is_file_read:
                    self._reads.append(at)
            for rule in self._find_rules(source):
                if rule.text not in self._rules:
                    self._rules[rule.text] = rule
                    rules.append(rule)
        self._known = max(self._known, upto)
        return fresh, rules

    def _place(self, at: int, text: str) -> list[str]:
        fresh = []
        for entity in entities.find(text):
            if entity.text not in self._newest:
                fresh.append(entity.text)
            self._newest[entity.text] = (at, entity.start)
        return fresh

    def _needs(self, response: Response, upto: int) -> Iterable[Need]:
        said = "\n".join(block.text for block in response.blocks)
        groups = self.sources[upto - 1].group + 1 if upto else 0
        for name in sorted(entities.names(said) & self._newest.keys()):
            at, start = self._newest[name]
            source = self.sources[at]
            line = line_at(source.block.text, start, start + len(name))
            yield Need(name, at, line, source.group < groups - FAR)

    def _repeats(self, upto: int) -> Iterable[int]:
        """Results of the response's calls come right after it; those whose text had been seen."""
        for result in self._results.get(upto, ()):
            seen = self._texts.get(self.sources[result].block.text)
            if seen is not None:
                yield seen


def _output(response: Response | None) -> int | None:
    """Tokens of a recorded response; no response has none, one without usage has some unknown number."""
    if response is None:
        return 0
    return response.usage.output if response.usage else None


def _starts(found: Sequence[Source], messages: int) -> list[int]:
    """How many blocks come before message 0, 1, 2, …"""
    counts = [0] * (messages + 1)
    for source in found:
        counts[source.message + 1] += 1
    for index in range(messages):
        counts[index + 1] += counts[index]
    return counts


def _results(found: Sequence[Source]) -> dict[int, list[int]]:
    """Results by the place of their call's response: the number of blocks before it."""
    first_of_response: dict[int, int] = {}
    callers: dict[str, int] = {}
    results: dict[int, list[int]] = {}
    for at, source in enumerate(found):
        first = first_of_response.setdefault(source.answer, at)
        if source.block.kind is Kind.CALL:
            callers[source.block.call_id] = first
        elif source.block.kind is Kind.RESULT and source.block.call_id in callers:
            results.setdefault(callers[source.block.call_id], []).append(at)
    return results
