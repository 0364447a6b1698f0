"""The parts of a policy that say what stays in view, and in which form it first comes into it."""

import msgspec


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
    """Windows up to this size show the newest request only."""
    share: float = 0.35
    """Share of the target all of a person's words may take together (frontier §5.5 step 1)."""


class Pins(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    whole_up_to: int = 300
    """Tokens up to which the message of a rule stands whole; 300 at most."""
    budget: int = 2000


class Pointers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    share: float = 0.20


class Preface(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    place: str = "front"


class MediaKeep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    images: int = 3
    """Newest images that stay at an epoch."""


class Reasoning(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    newest: int | None = None
    """Groups that keep their reasoning; None: as the provider's rules allow (F-B9)."""


class FewShot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    examples: int = 3
    tokens: int = 1000
    """An example above this becomes a pointer."""


class Notes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Notes the agent keeps by `update_notes`; resident with the highest priority (F-C14)."""

    tokens: int = 2000


class Reminder(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    after: int | None = None
    """Groups after which goal and open items are quoted again; None: never."""
