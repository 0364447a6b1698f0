"""Run the experiments on a session: which there are, what they need, and what comes out."""

from collections.abc import Callable, Mapping, Sequence

import msgspec

from pumice.domain.policy import Policy
from pumice.evaluate.experiments.clock import PLACES, clock
from pumice.evaluate.experiments.exercises import exercises
from pumice.evaluate.experiments.experiment import Experiment
from pumice.evaluate.experiments.long_task import long_task
from pumice.evaluate.experiments.means import means
from pumice.evaluate.experiments.partitions import ORDERS, cut_order, partitions
from pumice.evaluate.experiments.trigger import ACTS, trigger
from pumice.evaluate.lab import Lab, written
from pumice.evaluate.script import Script
from pumice.recordings.recording import Recording

LEAST_WINDOW, ROUND = 8_000, 5_000
"""Tokens."""
Step = Callable[[float, str], None]
"""Told how much of the work is done, and which arm was the last."""


class Policies(msgspec.Struct, frozen=True):
    """What the long task is held to."""

    truncating: Policy
    noting: Policy
    default: Policy


class Bench(msgspec.Struct, frozen=True):
    """All experiments on one session."""

    file: str
    model: str
    calls: int
    window: int
    experiments: tuple[Experiment, ...]


Make = Callable[[Lab, Policies], Experiment]
EXPERIMENTS: Mapping[str, tuple[Make, int]] = {
    "partitions": (lambda lab, _: partitions(lab), 1),
    "cut-order": (lambda lab, _: cut_order(lab), len(ORDERS)),
    "clock": (lambda lab, _: clock(lab), len(PLACES)),
    "means": (lambda lab, _: means(lab), 5),
    "trigger": (lambda lab, _: trigger(lab), len(ACTS)),
    "long-task": (
        lambda lab, given: long_task(lab, truncating=given.truncating, noting=given.noting, default=given.default), 5,
    ),
    "exercises": (lambda lab, _: exercises(lab), 4),
}  # fmt: skip
"""By name, each with how many arms it has; one that another has had is not replayed again."""


def run(recording: Recording, names: Sequence[str], policies: Policies, step: Step, *, window: int | None = None) -> Bench:
    """The named experiments in order. Without a window, one of about half of the session, so that room has to be made."""
    arms = sum(EXPERIMENTS[name][1] for name in names)
    done: list[str] = []

    def tick(arm: str) -> None:
        done.append(arm)
        step(min(1.0, len(done) / arms), arm)

    told = written(recording)
    lab = Lab(told, window or half_of(told), tick)
    made = tuple(EXPERIMENTS[name][0](lab, policies) for name in names)
    return Bench(recording.file, recording.model, len(recording.calls), lab.window, made)


def half_of(told: Script) -> int:
    """A window of about half of a session's full history, in round numbers."""
    full = max((moment.full.tokens(moment.rate.factor) for moment in told.moments), default=0)
    return max(LEAST_WINDOW, full // 2 // ROUND * ROUND)
