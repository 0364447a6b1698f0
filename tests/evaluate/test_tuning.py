"""The search for thresholds: repeatable, never off the knobs, and what it calls best is no dearer and no poorer."""

from collections.abc import Callable

import pytest
import small_sessions as small
from hypothesis import given
from hypothesis import strategies as st

from pumice.domain.policy.limits import CHOICES, FORMS, RANGES
from pumice.errors import BadPolicy
from pumice.evaluate.lab import written
from pumice.evaluate.tuning import knobs
from pumice.evaluate.tuning.knobs import Knob
from pumice.evaluate.tuning.search import Changes, Measured, Point, Trial, best, front, search
from pumice.evaluate.tuning.tune import tune
from pumice.faces import settings

KNOBS = (Knob("lines.price", (1, 2, 3, 4)), Knob("keep.reads", (0, 1, 2)))
START = {"lines.price": 2, "keep.reads": 1}


def at(cost: float, recall: float, *, rules: float | None = 1.0, faults: int = 0) -> Point:
    return Point(cost, cost, recall, recall, rules, faults, 1)


def landscape(changes: Changes) -> Point:
    """Dearer and richer with reads; a higher price is cheaper and, beyond 3, poorer."""
    price, reads = int(changes.get("lines.price", 2)), int(changes.get("keep.reads", 1))
    return at(0.5 + 0.05 * reads - 0.04 * price, 0.8 + 0.02 * reads - (0.2 if price > 3 else 0.0))


def measured(changes: Changes, goes_on: Callable[[Point], bool]) -> Measured:
    point = landscape(changes)
    return Measured(point, point if goes_on(point) else None)


@pytest.mark.parametrize("seed", range(5))
def test_the_same_seed_gives_the_same_trials(seed: int) -> None:
    """And all values lie on the knobs, none tried twice, none that is the policy's own."""
    made = search(KNOBS, START, 12, seed, measured)
    assert made == search(KNOBS, START, 12, seed, measured)
    assert made[0].changes == {} and made[0].whole is not None
    tried = [frozenset(trial.changes.items()) for trial in made]
    assert len(set(tried)) == len(tried) <= 12
    values = {knob.key: knob.values for knob in KNOBS}
    assert all(value in values[key] and value != START[key] for trial in made for key, value in trial.changes.items())


def test_all_there_is_is_found_and_then_it_ends() -> None:
    """Twelve policies lie on two knobs; asking for a hundred gives no more."""
    made = search(KNOBS, START, 100, 3, measured)
    assert len(made) <= 12
    found = best(made)
    assert found.whole is not None and found.whole.cost <= landscape({}).cost
    assert found.changes == {"lines.price": 3, "keep.reads": 2} or found.changes == {"lines.price": 3}


def test_what_is_dearer_and_poorer_on_one_session_is_not_replayed_on_all() -> None:
    """It keeps its first figures, and stands on no front."""
    made = search(KNOBS, START, 12, 1, measured)
    dropped = [trial for trial in made if trial.whole is None]
    assert dropped
    assert not any(trial.is_front for trial in dropped)


def test_values_that_do_not_go_together_are_passed_over() -> None:
    """A policy that is refused is no trial."""

    def refuse(changes: Changes, goes_on: Callable[[Point], bool]) -> Measured:
        if changes.get("keep.reads") == 2:
            raise BadPolicy("$.keep.reads: 2 given.")
        return measured(changes, goes_on)

    assert all(trial.changes.get("keep.reads") != 2 for trial in search(KNOBS, START, 12, 1, refuse))


points = st.builds(at, st.integers(1, 20).map(lambda cost: cost / 10), st.integers(0, 10).map(lambda recall: recall / 10))


@given(st.lists(points, min_size=1, max_size=12))
def test_nothing_beats_the_front_and_the_best_is_no_dearer(found: list[Point]) -> None:
    """Whatever the figures: the front is what nobody beats, each place once; the best finds at least what the first does."""
    trials = [Trial(number, {}, point, point) for number, point in enumerate(found)]
    kept = [trial.whole for trial in front(trials) if trial.whole is not None]
    assert kept and not any(other.beats(point) for point in kept for other in found)
    assert len({point.place for point in kept}) == len(kept)
    chosen = best(trials).whole
    assert chosen is not None and chosen.cost <= found[0].cost and chosen.recall >= found[0].recall


def test_recall_is_not_bought_with_rules_or_overflows() -> None:
    """A trial that loses a person's words or breaks the window stands on no front."""
    base = Trial(0, {}, at(0.5, 0.8), at(0.5, 0.8))
    worse = (at(0.3, 0.9, rules=0.9), at(0.3, 0.9, faults=1))
    trials = [base, *(Trial(number, {}, point, point) for number, point in enumerate(worse, 1))]
    assert front(trials) == [base]


def test_knobs_hold_values_a_policy_takes() -> None:
    """Every value of every task builds a policy of every preset it works for."""
    for task, listed in knobs.TASKS.items():
        for knob in listed:
            low, high = RANGES.get(knob.key, (None, None))
            words = (*CHOICES.get(knob.key, ()), *FORMS.get(knob.key, ()))
            assert words or (low is not None and high is not None and all(low <= float(one) <= high for one in knob.values))
        for name in ("balanced", "claude-code", "oldest-out"):
            policy = settings.policy(name)
            for knob in knobs.of(task, policy, 60_000):
                for value in knob.values:
                    assert knobs.changed(policy, {knob.key: value}, name="tuned")


def test_a_knob_that_changes_nothing_is_left_alone() -> None:
    """What a policy has no use for is not searched: prices of lines without lines, the target of another window."""
    keys = {name: {knob.key for knob in knobs.of("coding", settings.policy(name), 60_000)} for name in ("balanced", "codex")}
    assert "lines.price" in keys["balanced"] and "summarize.tokens" not in keys["balanced"]
    assert "lines.price" not in keys["codex"] and "summarize.tokens" in keys["codex"]
    small_window = {knob.key for knob in knobs.of("coding", settings.policy("balanced"), 30_000)}
    assert "budget.to_under_50k" in small_window and "budget.to" not in small_window


def test_a_policy_is_tuned_on_recordings() -> None:
    """The first trial is the policy as it is; every trial that was replayed in full has its figures over all sessions."""
    steps = [message for number in range(1, 12) for message in small.read(number, f"f{number}.py", f"row_{number} = 1\n" * 300)]
    told = [written(small.recording(small.user("Read."), *steps[: 2 * many], small.said("row_1"))) for many in (11, 7)]
    ticks: list[float] = []
    found = tune(
        told,
        settings.policy("balanced"),
        task="coding",
        window=12_000,
        trials=3,
        seed=1,
        step=lambda share, _: ticks.append(share),
    )
    assert (found.calls, len(found.files), found.trials[0].changes) == (20, 2, {})
    assert ticks == sorted(ticks) and ticks[-1] <= 1.0
    assert all(trial.whole is None or trial.whole.faults == 0 for trial in found.trials)
    assert found.best in {trial.number for trial in found.trials}
