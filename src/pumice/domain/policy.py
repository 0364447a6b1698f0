"""A policy: every choice of the engine as small frozen parts with their units."""

import msgspec


class Budget(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    window: int | None = None
    """Tokens; None takes the argument or the model table."""
    reserve_output: int | None = None
    safety: int | None = None
    """Tokens; None follows F-A2."""
    act: float = 1.0
    """Share of `of` at which a cut is necessary."""
    of: str = "usable"
    to: float = 0.70
    """Share of `of` a cut goes down to at most."""
    to_under_50k: float = 0.60
    min_gain: str = "economics"


class FirstSight(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    over: str = "window/30"
    """Threshold in tokens, or a share of the window as `window/N`."""
    min: int = 1000
    max: int = 4000
    show: float = 0.75
    """Share of the threshold an excerpt may take."""
    only_if_below: float = 0.70
    """An excerpt above this share of its original is not used."""
    spare: tuple[str, ...] = ("file_read",)


class Keep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pins: str = "whole"
    """`none` keeps neither pins nor a person's words: a plain window, for comparison."""
    last_groups: int = 1
    reads: int = 3
    reads_share: float = 0.5
    groups: int = 5
    groups_share: float = 0.6
    state_tokens: int = 1000


class UserWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    tokens: int = 20000
    above_window: int = 50000


class Pins(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    whole_up_to: int = 300
    """Tokens up to which the message of a rule stands whole; 300 at most."""
    budget: int = 2000


class Pointers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    share: float = 0.20


class Lines(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    price: float = 0.0012
    overhead: int = 3
    piece_chars: int = 400
    """Fixed: very long lines are judged by 200 characters on either side of a name, so pieces are cut that way."""
    whole_block_at: float = 0.85


class Cold(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    growth: float = 1.3
    ttl: str | int = "provider"
    """Seconds, or the provider's own."""


class Preface(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    place: str = "front"


class MediaKeep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    images: int = 3
    """Newest images that stay at an epoch."""


class Breaker(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    max_consecutive_failures: int = 3
    half_open_after: int = 10
    """Calls after which an open breaker lets one try through."""


class Policy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    budget: Budget = Budget()
    first_sight: FirstSight | None = None
    """None: nothing is excerpted on arrival."""
    keep: Keep = Keep()
    user_words: UserWords = UserWords()
    pins: Pins = Pins()
    pointers: Pointers = Pointers()
    lines: Lines = Lines()
    cold: Cold | None = None
    preface: Preface = Preface()
    media: MediaKeep = MediaKeep()
    breaker: Breaker = Breaker()
    order: tuple[str, ...] = ()
    """Levels, cheapest first; empty: the full history is sent."""
    every_call: bool = False
    """The cut is made anew at every call (sliding windows)."""
