"""The parts of a policy that say when to make room, and how much."""

import msgspec


class Budget(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    window: int | None = None
    """Tokens; None takes the argument or the model table."""
    reserve_output: int | float | None = None
    """Tokens, or below 1 a share of the window; None follows F-A2."""
    safety: int | float | None = None
    """As `reserve_output`."""
    warn: float = 0.50
    """Share of `of` from which the manifest warns."""
    act: float = 0.80
    """Share of `of` at which a cut is necessary."""
    act_at: int | None = None
    """The same in tokens; the lower of the two holds."""
    of: str = "usable"
    to: float = 0.40
    """Share of `of` a cut goes down to at most."""
    to_under_50k: float | None = None
    """The same on windows below 50,000 tokens; None takes `to`."""
    turns_ahead: int | None = None
    """A cut leaves room for so many calls of measured growth, if that is less than `to` leaves; None: `to` alone."""
    min_gain: str | float = 0.10
    """Share of the view a cut must free, or `economics`: what it costs must come back."""
    max_view: int | None = None
    """Tokens of the complete request that no share goes above: quality falls before a window is full."""


class Triggers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What makes a cut due besides the budget, each on its own (F-C1); None: not asked."""

    turns: int | None = None
    """Turns of a person since the last cut."""
    tool_rounds: int | None = None
    minutes: float | None = None
    cost_usd: float | None = None
    """Cost of the session, in dollars."""
    on_cost: str = "warn"
    """`warn`, `harder` (the next policy in `degrade`) or `cheapest` (summaries by the cheapest model)."""
    degrade: tuple[str, ...] = ()
    """Names of policies, harder from one to the next."""
    phase: bool = True
    """The end of a phase makes a cut due."""
    model: bool = True
    """A change of the model makes one due where the view is above `to`: its cache is cold anyway."""


class Cold(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    growth: float = 1.3
    ttl: str | int = "provider"
    """Seconds, or the provider's own."""


class Questions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is asked of a model while a cut is made."""

    wait_seconds: float = 60.0
    """How long a cut that may wait does so for the answers; a necessary one never does."""


class Breaker(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    max_consecutive_failures: int = 3
    half_open_after: int = 10
    """Calls after which an open breaker lets one try through."""
    on_open: str = "unload_only"
    """`unload_only`: no summaries, offload and the floor only; `human`: the same, and a call for review."""
