"""Tune a policy: the search over recordings, and what it tells."""

from collections.abc import Callable, Sequence

import msgspec

from pumice.domain.policy import Policy
from pumice.domain.policy import read as policy_read
from pumice.evaluate.lab import Lab
from pumice.evaluate.result import cost_share, policy_result
from pumice.evaluate.score import Score
from pumice.evaluate.script import Script
from pumice.evaluate.tuning import knobs as tuning_knobs
from pumice.evaluate.tuning.knobs import Knob
from pumice.evaluate.tuning.search import Changes, Measured, Point, Trial, best, search

Step = Callable[[float, str], None]
"""Told how much of the work is done at most, and at which trial."""
DIGITS = 6


class Tuned(msgspec.Struct, frozen=True):
    """What `pumice tune --json` prints."""

    policy: str
    task: str
    window: int
    seed: int
    files: tuple[str, ...]
    calls: int
    knobs: dict[str, tuple[int | float | str, ...]]
    trials: tuple[Trial, ...]
    best: int
    """Number of the trial that finds most at no higher cost than the policy as it is."""


class Tuner:
    """Measures changed policies on recordings, the first one alone where that tells enough."""

    def __init__(self, told: Sequence[Script], policy: Policy, window: int, step: Callable[[], None]) -> None:
        self._policy = policy
        self._step = step
        labs = [Lab(one, window, lambda _: None) for one in told]
        self._labs = sorted(labs, key=lambda lab: (not _outgrows(lab), len(lab.recording.calls)))
        """Recordings longer than the window first, the shortest of them in front."""

    def measure(self, changes: Changes, goes_on: Callable[[Point], bool]) -> Measured:
        """Replay the changed policy. Raises BadPolicy where values do not go together."""
        policy = tuning_knobs.changed(self._policy, changes, name=self._policy.name)
        scores: list[Score] = []
        first: Point | None = None
        for lab in self._labs:
            scores.append(lab.under(policy).run.score)
            self._step()
            first = first or point(scores[:1])
            if len(scores) == 1 and len(self._labs) > 1 and not goes_on(first):
                return Measured(first, None)
        assert first is not None
        return Measured(first, point(scores))


def _outgrows(lab: Lab) -> bool:
    """Whether the history is longer than the window."""
    full = max((moment.full.tokens(moment.rate.factor) for moment in lab.script.moments), default=0)
    return full > lab.window


def point(scores: Sequence[Score]) -> Point:
    """The figures of a policy over some recordings, pooled; where a model has no known prices, tokens stand for dollars."""
    found = policy_result(sum(scores, Score()))
    cost, honest = (cost_share(usd, found.full_cost_usd) for usd in (found.cost_usd, found.honest_cost_usd))
    tokens = found.input_tokens / max(1, found.full_tokens)
    return Point(
        cost=round(tokens if cost is None else cost, DIGITS),
        honest=round(tokens if honest is None else honest, DIGITS),
        far=found.far_recall,
        line=found.line_recall,
        rules=found.constraint_survival,
        faults=found.overflows + found.violations + found.altered_values,
        cuts=found.epochs,
    )


def tune(
    told: Sequence[Script], policy: Policy, *, task: str, window: int, trials: int, seed: int, step: Step, name: str = ""
) -> Tuned:
    """Search the knobs of a task; `told` are the scripts of the recordings."""
    knobs: Sequence[Knob] = tuning_knobs.of(task, policy, window)
    values = dict(policy_read.values(policy))
    done: list[None] = []

    def tick() -> None:
        done.append(None)
        step(min(1.0, len(done) / ((trials + 1) * len(told))), f"trial {len(done) // len(told)}")

    tuner = Tuner(told, policy, window, tick)
    made = search(knobs, {knob.key: values[knob.key] for knob in knobs}, trials, seed, tuner.measure)
    return Tuned(
        policy=name or policy.name,
        task=task,
        window=window,
        seed=seed,
        files=tuple(one.recording.file for one in told),
        calls=sum(len(one.recording.calls) for one in told),
        knobs={knob.key: knob.values for knob in knobs},
        trials=tuple(made),
        best=best(made).number,
    )
