"""A path of turns as the messages it was sent as: results stand together right behind their response."""

from collections.abc import Iterator, Sequence
from math import inf

import msgspec

from pumice.recordings.records import Kind, Part
from pumice.recordings.turns import Result, Turn


class Step(msgspec.Struct, frozen=True):
    """One message of a path: a turn's own, or the results of a response together in one user message."""

    turn: Turn
    parts: tuple[Part, ...]
    role: str
    line: int
    at: float | None = None
    is_results: bool = False


def steps(path: Sequence[Turn]) -> Iterator[Step]:
    """The messages of a path: results right behind their response, or where they came if the model had gone on."""
    late: list[Step] = []
    for turn, horizon in zip(path, _horizons(path), strict=True):
        while late and late[0].line < turn.first.line:
            yield late.pop(0)
        parts = tuple(part for part in turn.parts if not part.is_blank)
        yield Step(turn, parts, "assistant" if turn.kind is Kind.ASSISTANT else "user", turn.first.line, turn.first.at)
        if turn.results:
            yield from _results(turn, [result for result in turn.results if result.line < horizon])
            late += _results(turn, [result for result in turn.results if result.line > horizon])
            late.sort(key=lambda step: step.line)
    yield from late


def _horizons(path: Sequence[Turn]) -> list[float]:
    """For each turn the line at which the model spoke next: a result that comes later was not seen then."""
    horizons: list[float] = []
    spoken = inf
    for turn in reversed(path):
        horizons.append(spoken)
        spoken = turn.first.line if turn.is_call else spoken
    return horizons[::-1]


def _results(turn: Turn, results: Sequence[Result]) -> list[Step]:
    if not results:
        return []
    newest = results[-1]
    return [Step(turn, tuple(result.part for result in results), "user", newest.line, newest.at, is_results=True)]
