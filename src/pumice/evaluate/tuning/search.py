"""The search: from the best policies known one knob at a time, raced on one recording before all are replayed.

The same seed, knobs and figures give the same trials. A candidate that costs more and finds less than one that was replayed
in full, on the recording both have, is dropped there (successive halving in its smallest form).
"""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from pumice.errors import BadPolicy
from pumice.evaluate.tuning.knobs import Knob, Value

TRIES = 60
"""Draws of a candidate before everything near is taken to be known."""
NEAR = 0.75
"""Share of the steps that go to a neighbouring value; the others go anywhere on the knob."""
TWO = 0.3
"""Share of the candidates in which two knobs move."""
Changes = Mapping[str, Value]


class Point(msgspec.Struct, frozen=True):
    """What a policy comes to on some recordings."""

    cost: float
    """Of the full history's."""
    honest: float
    far: float | None
    line: float | None
    rules: float | None
    """Constraint survival."""
    faults: int
    """Overflows, violations and altered values."""
    cuts: int

    @property
    def recall(self) -> float:
        """Mean of far and line recall; nothing asked for is nothing lost."""
        known = [value for value in (self.far, self.line) if value is not None]
        return sum(known) / len(known) if known else 1.0

    @property
    def place(self) -> tuple[float, float]:
        """Where it lies, to a tenth of a percent: less is chance."""
        return round(self.cost, 3), round(self.recall, 3)

    def beats(self, other: "Point") -> bool:
        """Costs no more and finds no less, and one of them truly."""
        (cost, recall), (their_cost, their_recall) = self.place, other.place
        return cost <= their_cost and recall >= their_recall and self.place != other.place


class Measured(NamedTuple):
    """A policy on one recording and, unless it was dropped there, on all of them."""

    first: Point
    whole: Point | None


Measure = Callable[[Changes, Callable[[Point], bool]], Measured]
"""Replays the changed policy; after the first recording the function given says whether to go on. Raises BadPolicy."""


class Trial(msgspec.Struct, frozen=True):
    number: int
    """From 0, which is the policy as it is."""
    changes: dict[str, Value]
    first: Point
    whole: Point | None
    is_front: bool = False
    """No other trial costs no more and finds no less."""


def search(knobs: Sequence[Knob], start: Changes, trials: int, seed: int, measure: Measure) -> list[Trial]:
    """The policy as it is (values of the knobs in `start`), then so many candidates; fewer when nothing new is near."""
    chance = random.Random(seed)  # noqa: S311 - repeatable, not secret
    made = [_trial(0, {}, measure({}, lambda _: True))]
    seen = {frozenset[tuple[str, Value]]()}
    for number in range(1, trials + 1):
        changes = _candidate(chance, knobs, start, front(made), seen)
        if changes is None:
            break
        known = [trial.first for trial in made if trial.whole is not None]

        def is_worth_it(point: Point, known: Sequence[Point] = known) -> bool:
            return not any(other.beats(point) for other in known)

        try:
            made.append(_trial(number, changes, measure(changes, is_worth_it)))
        except BadPolicy:
            continue
    best = {trial.number for trial in front(made)}
    return [msgspec.structs.replace(trial, is_front=trial.number in best) for trial in made]


def _trial(number: int, changes: Changes, measured: Measured) -> Trial:
    return Trial(number, dict(changes), measured.first, measured.whole)


def front(trials: Sequence[Trial]) -> list[Trial]:
    """The trials nothing beats, cheapest first; of equals the one that changes least.

    Only those that keep to the window, the rules and a person's words as well as the policy as it is.
    """
    base = trials[0].whole
    fit = [(trial.whole, trial) for trial in trials if trial.whole is not None and _is_sound(trial.whole, base)]
    kept: dict[tuple[float, float], Trial] = {}
    for point, trial in sorted(fit, key=lambda one: (one[0].place[0], len(one[1].changes), one[1].number)):
        if not any(other.beats(point) for other, _ in fit):
            kept.setdefault(point.place, trial)
    return list(kept.values())


def _is_sound(point: Point, base: Point | None) -> bool:
    if base is None:
        return point.faults == 0
    return point.faults <= base.faults and (point.rules is None or base.rules is None or point.rules >= base.rules)


def best(trials: Sequence[Trial]) -> Trial:
    """The trial that finds most of those that cost no more than the policy as it is; of equals the cheapest."""
    base = trials[0]
    assert base.whole is not None
    limit = base.whole.place[0]
    known = [(trial.whole.place, trial) for trial in front(trials) if trial.whole is not None and trial.whole.place[0] <= limit]
    return max(known, key=lambda pair: (pair[0][1], -pair[0][0]), default=(base.whole.place, base))[1]


def _candidate(
    chance: random.Random,
    knobs: Sequence[Knob],
    start: Changes,
    parents: Sequence[Trial],
    seen: set[frozenset[tuple[str, Value]]],
) -> dict[str, Value] | None:
    """Changes nobody has tried, one or two steps from a policy nothing beats; None when none is found."""
    for _ in range(TRIES):
        parent = chance.choice(parents).changes if parents else {}
        changes = {**parent}
        for knob in chance.sample(list(knobs), min(len(knobs), 2 if chance.random() < TWO else 1)):
            changes[knob.key] = _moved(chance, knob, changes.get(knob.key, start[knob.key]))
        changes = {key: value for key, value in changes.items() if value != start[key]}
        taken = frozenset(changes.items())
        if taken not in seen:
            seen.add(taken)
            return changes
    return None


def _moved(chance: random.Random, knob: Knob, now: Value) -> Value:
    at = knob.values.index(now)
    if chance.random() >= NEAR:
        return chance.choice(knob.values)
    near = [place for place in (at - 1, at + 1) if 0 <= place < len(knob.values)]
    return knob.values[chance.choice(near)]
