"""Knobs: the values a search may give to which keys of a policy, by what the policy is made for."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from pumice.domain.policy import Policy
from pumice.domain.policy import read as policy_read

Value = int | float | str
SMALL_WINDOW = 50_000
"""Tokens below which `budget.to_under_50k` holds."""


def _always(policy: Policy, window: int) -> bool:  # noqa: ARG001 - as all of its kind
    return True


class Knob(msgspec.Struct, frozen=True):
    key: str
    values: tuple[Value, ...]
    """From one end to the other: neighbours differ least."""
    works: Callable[[Policy, int], bool] = _always
    """Whether it changes anything under a policy at a window; one that does not is left alone."""


def _lines(policy: Policy, _: int) -> bool:
    return "offload" in policy.order and policy.offload.style == "lines"


def _results(policy: Policy, _: int) -> bool:
    return "offload" in policy.order and policy.offload.style == "results"


def _excerpts(policy: Policy, _: int) -> bool:
    return policy.first_sight is not None


def _sums_up(policy: Policy, _: int) -> bool:
    return "summarize" in policy.order


def _keeps_words(policy: Policy, _: int) -> bool:
    return policy.keep.pins != "none"


def _has_small_target(policy: Policy, window: int) -> bool:
    return policy.budget.to_under_50k is not None and window < SMALL_WINDOW


ACT = Knob("budget.act", (0.6, 0.7, 0.8, 0.9, 1.0))
TO = Knob("budget.to", (0.3, 0.4, 0.5, 0.6, 0.7, 0.8), lambda *at: not _has_small_target(*at))
TO_SMALL = Knob("budget.to_under_50k", (0.3, 0.4, 0.5, 0.6, 0.7, 0.8), _has_small_target)
OVER = Knob("first_sight.over", ("window/100", "window/60", "window/45", "window/30", "window/20", "window/15"), _excerpts)
SHOW = Knob("first_sight.show", (0.35, 0.5, 0.75, 1.0), _excerpts)
PRICE = Knob("lines.price", (0.0004, 0.0006, 0.0009, 0.0012, 0.0018, 0.0027, 0.0036), _lines)
POINTERS = Knob("pointers.share", (0.1, 0.15, 0.2, 0.3), _lines)
READS = Knob("keep.reads", (0, 1, 2, 3, 5, 8))
GROUPS = Knob("keep.groups", (1, 3, 5, 8, 12))
STATE = Knob("keep.state_tokens", (500, 1000, 1500, 2000, 3000))
NEWEST = Knob("offload.newest", (1, 2, 3, 5, 8, 12), _results)
EXCERPT = Knob("offload.summary.head", (10, 20, 40, 80), _results)
SUMMARY = Knob("summarize.tokens", (1000, 2000, 4000, 8000), _sums_up)
WORDS = Knob("user_words.tokens", (2000, 5000, 10000, 20000, 50000), _keeps_words)
WORDS_SHARE = Knob("user_words.share", (0.2, 0.35, 0.5, 0.65), _keeps_words)

TASKS: Mapping[str, tuple[Knob, ...]] = {
    "coding": (ACT, TO, TO_SMALL, OVER, SHOW, PRICE, POINTERS, READS, GROUPS, NEWEST, EXCERPT, SUMMARY),
    "research": (ACT, TO, TO_SMALL, OVER, SHOW, PRICE, POINTERS, READS, STATE, NEWEST, EXCERPT, SUMMARY),
    "support": (ACT, TO, TO_SMALL, PRICE, GROUPS, STATE, WORDS, WORDS_SHARE, NEWEST, SUMMARY),
}
"""Code is read and changed: reads and groups; research is read once: excerpts and state; support is talk: a person's words."""


def of(task: str, policy: Policy, window: int) -> tuple[Knob, ...]:
    """The knobs of a task that change anything under a policy at a window, each with the policy's own value on it."""
    values = dict(policy_read.values(policy))
    return tuple(
        msgspec.structs.replace(knob, values=_with(knob.values, values[knob.key]))
        for knob in TASKS[task]
        if knob.works(policy, window) and knob.key in values
    )


def _with(values: Sequence[Value], own: Any) -> tuple[Value, ...]:
    """Values with the policy's own at its place; words of another form than numbers only come behind."""
    if own in values:
        return tuple(values)
    if isinstance(own, (int, float)) and all(isinstance(value, (int, float)) for value in values):
        return tuple(sorted((*values, own), key=float))
    return (*values, own)


def changed(policy: Policy, changes: Mapping[str, Value], *, name: str) -> Policy:
    """A policy with some values changed. Raises BadPolicy where they do not go together."""
    return policy_read.build(policy_read.over(dict(policy_read.values(policy)), changes), name=name)
