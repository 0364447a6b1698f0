"""The lab: one recorded session at one window, replayed under policies and other drivers, each policy once."""

import asyncio
from collections import Counter
from collections.abc import Callable

import msgspec

from pumice import wire
from pumice.compile.manifest import by_partition
from pumice.domain.block import Kind
from pumice.domain.manifest import Manifest
from pumice.domain.policy import Policy
from pumice.evaluate import rules, script
from pumice.evaluate.driver import Driver
from pumice.evaluate.experiments.experiment import Value
from pumice.evaluate.judge import Seen
from pumice.evaluate.options import Options
from pumice.evaluate.product import EngineDriver
from pumice.evaluate.result import cost_share, policy_result
from pumice.evaluate.run import Run, run
from pumice.evaluate.script import Script
from pumice.recordings.recording import Recording

NAMED = 3
"""Lost names that are shown as examples, the most often missed first."""
NAME_CHARS = 40
Step = Callable[[str], None]
"""Told the name of each arm when it is done."""


class Arm(msgspec.Struct, frozen=True):
    """What came of a session under one arm."""

    run: Run
    peak: int
    """Tokens of the largest request."""
    parts: dict[str, int]
    """Its tokens by partition, where it has a manifest."""
    lost: Counter[str]
    """Names the responses used that did not stand in the view, by how often."""
    lost_of_results: Counter[str]
    """Of these, the ones a tool's result held last."""

    def row(self, name: str, *, of_results: bool = False) -> dict[str, Value]:
        """Its figures under their keys; names lost of tool results alone where asked."""
        score = self.run.score
        found = policy_result(score)
        lost = self.lost_of_results if of_results else self.lost
        return {
            "name": name,
            "cost": _rounded(cost_share(found.cost_usd, found.full_cost_usd)),
            "cost_usd": found.cost_usd,
            "honest": _rounded(cost_share(found.honest_cost_usd, found.full_cost_usd)),
            "view": round(found.input_tokens / max(1, score.calls)),
            "peak": self.peak,
            "cuts": found.epochs,
            "overflows": found.overflows,
            "hit": found.cache_hit_share,
            "invalidated": found.invalidated_tokens,
            "far": found.far_recall,
            "line": found.line_recall,
            "reach": found.reachable_recall,
            "rules": found.constraint_survival,
            "continuation": found.continuation,
            "lost": len(lost),
            "examples": ", ".join(name[:NAME_CHARS] for name in ranked(lost)[:NAMED]) or None,
        }


def ranked(lost: Counter[str]) -> list[str]:
    """Names by how often they were missed, then by the alphabet."""
    return sorted(lost, key=lambda name: (-lost[name], name))


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


class Lab:
    """Replays arms; an arm asked for twice is replayed once."""

    def __init__(self, told: Script, window: int, step: Step) -> None:
        self.recording = told.recording
        self.options = Options(window=window)
        self.script = told
        self._step = step
        self._arms: dict[bytes, Arm] = {}

    @property
    def window(self) -> int:
        return self.options.window or 0

    def under(self, policy: Policy, *, name: str = "") -> Arm:
        """The session under a policy."""
        key = msgspec.msgpack.encode(msgspec.structs.replace(policy, name=""))
        if key not in self._arms:
            self._arms[key] = self.by(EngineDriver(self.recording, policy, self.options), name=name or policy.name)
        return self._arms[key]

    def by(self, driver: Driver, *, name: str, told: Script | None = None) -> Arm:
        """The session, or one made from it, by any driver."""
        told, watch = told or self.script, _Watch()
        done = asyncio.run(run(told, driver, wire.get(told.recording.dialect), self.options, watch))
        self._step(name)
        results = {need.entity for need in watch.missing if told.sources[need.source].block.kind is Kind.RESULT}
        lost = Counter(need.entity for need in watch.missing)
        return Arm(done, watch.peak, watch.parts, lost, Counter({entity: lost[entity] for entity in results}))


def written(recording: Recording) -> Script:
    """The script of a session."""
    return script.write(recording, wire.get(recording.dialect), rules.finder(recording))


class _Watch:
    """What a run's own figures do not tell."""

    def __init__(self) -> None:
        self.peak = 0
        self._largest: Manifest | None = None
        self.missing: list[script.Need] = []

    def __call__(self, seen: Seen) -> None:
        if seen.tokens >= self.peak:
            self.peak, self._largest = seen.tokens, seen.manifest
        self.missing += seen.missing

    @property
    def parts(self) -> dict[str, int]:
        return by_partition(self._largest) if self._largest is not None else {}
