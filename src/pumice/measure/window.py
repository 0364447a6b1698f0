"""The usable window: how much of a model's window a request may take, and where each number comes from."""

import re
from typing import Any

import msgspec

from pumice.domain.manifest import Usable
from pumice.domain.policy import Budget
from pumice.errors import InvalidInput
from pumice.measure import models
from pumice.measure.models import ModelFacts

MAX_RESERVE, RESERVE_SHARE = 20_000, 0.10
"""Output reserve where none is set: tokens, share of the window (F-A2)."""
MAX_SAFETY, SAFETY_SHARE = 13_000, 0.065
"""Safety margin for the next observation where none is set."""
_NUMBER = r"(\d[\d,_]{2,12})"
_LIMITS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"> {_NUMBER}(?: tokens)? max",
        rf"context limit: [\d,]+ \+ [\d,]+ > {_NUMBER}",
        rf"{_NUMBER} maximum context",
        rf"maximum (?:allowed )?(?:context|prompt|input|token|number)[a-z ]{{0,40}}[:=(]? ?{_NUMBER}",
        rf"context (?:size|window|length)(?: of| is)?(?: only)?[:=]? ?\(?{_NUMBER}",
        rf"limit (?:of|is) {_NUMBER} tokens",
        rf"n_ctx[\"']?\s*[:=]\s*{_NUMBER}",
    )
)
"""How providers and local servers name the limit a request was over; the request's own size stands elsewhere in the text."""


class _Window(msgspec.Struct, frozen=True):
    tokens: int
    source: str
    warnings: tuple[str, ...] = ()


def usable(
    budget: Budget = Budget(),  # noqa: B008 - frozen
    *,
    model: str = "",
    window: int | None = None,
    learned: int | None = None,
    output_cap: int | None = None,
) -> Usable:
    """The usable window of a request: window − output reserve − safety margin (F-A2).

    The window is `window` > the policy's > the model table's > 128,000 with a warning; `learned`, what the provider's error
    named (`learn_limit`), lowers the latter two. Reserves the policy does not set are min(20,000, 10%) and min(13,000,
    6.5%). `output_cap` is the request's own: where the provider refuses input plus cap above the model's window, the
    reserve grows to it. Reserves over half the window shrink in proportion, with a warning. Raises InvalidInput for a
    window that is not positive or a negative reserve.
    """
    _check(budget, window, output_cap)
    facts = models.facts(model)
    chosen = _choose(budget, facts, model, window, learned)
    reserve, safety, shrunk = _reserves(budget, chosen.tokens, facts, output_cap)
    limit = facts.max_input if chosen.tokens <= facts.window else None
    binding = limit is not None and limit < chosen.tokens - reserve
    return Usable(
        chosen.tokens,
        reserve,
        safety,
        chosen.source,
        (*chosen.warnings, *shrunk),
        limit if binding else None,
    )


def check_size(name: str, given: Any) -> None:
    """Refuse a size in tokens that is none; raises InvalidInput, which says what was given."""
    if given is not None and (not isinstance(given, int) or isinstance(given, bool) or given <= 0):
        raise InvalidInput(f"{name}={given!r} given, expected whole tokens above 0.", hint="Leave it out for the default.")


def learn_limit(error: str) -> int | None:
    """The limit in tokens a provider's "too long" error names; None when it names none."""
    for pattern in _LIMITS:
        found = pattern.search(error)
        if found is not None:
            return int(re.sub(r"[,_]", "", found[1])) or None
    return None


def _check(budget: Budget, window: int | None, output_cap: int | None) -> None:
    for name, value, least in (
        ("window", window, 1),
        ("budget.window", budget.window, 1),
        ("budget.reserve_output", budget.reserve_output, 0),
        ("budget.safety", budget.safety, 0),
        ("max output of the request", output_cap, 0),
    ):
        if value is not None and value < least:
            raise InvalidInput(
                f"{name} is {value!r} tokens, expected {least} or more.",
                hint="Give a size in tokens, or leave it out for the default.",
            )


def _choose(budget: Budget, facts: ModelFacts, model: str, window: int | None, learned: int | None) -> _Window:
    if window is not None:
        return _Window(window, "argument")
    if budget.window is not None:
        return _Window(budget.window, "policy")
    if learned is not None and 0 < learned < facts.window:
        return _Window(learned, "provider error")
    if facts.known:
        return _Window(facts.window, facts.source)
    whose = f"Model {model!r} is unknown: its" if model else "No model is named: the"
    warning = f"{whose} window counts as {facts.window:,} tokens; set budget.window to change it."
    return _Window(facts.window, facts.source, (warning,))


def _reserves(budget: Budget, window: int, facts: ModelFacts, output_cap: int | None) -> tuple[int, int, tuple[str, ...]]:
    reserve, safety = _tokens(budget.reserve_output, window), _tokens(budget.safety, window)
    if reserve is None:
        reserve = max(min(MAX_RESERVE, int(window * RESERVE_SHARE)), _asked(window, facts, output_cap))
    if safety is None:
        safety = min(MAX_SAFETY, int(window * SAFETY_SHARE))
    if 2 * (reserve + safety) <= window:
        return reserve, safety, ()
    scale = (window // 2) / (reserve + safety)
    less = int(reserve * scale), int(safety * scale)
    warning = (
        f"An output reserve of {reserve:,} and a safety margin of {safety:,} leave less than half of {window:,} tokens: "
        f"they count as {less[0]:,} and {less[1]:,}."
    )
    return *less, (warning,)


def _tokens(set_value: int | float | None, window: int) -> int | None:
    """A reserve as a policy sets it: tokens, or below 1 a share of the window."""
    if set_value is None:
        return None
    return round(set_value * window) if set_value < 1 else int(set_value)


def _asked(window: int, facts: ModelFacts, output_cap: int | None) -> int:
    """Reserve that keeps input plus the asked output inside the model's real window, where more is refused (K-A25)."""
    if output_cap is None or facts.stops_at_window:
        return 0
    real = facts.window if facts.known else window
    return max(0, output_cap - (real - window))
