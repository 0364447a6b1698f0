"""What there is to count of a compiled call: how full the view is, the epochs it began, and the alerts that stand (F-G1)."""

from collections.abc import Mapping

import msgspec


class Seen(msgspec.Struct, frozen=True):
    """Figures and names out of short lists: nothing of what was said."""

    dialect: str
    policy: str
    place: str
    """Which conversation; never a label."""
    occupancy: float
    """Tokens of the view over those that are usable."""
    epochs: tuple[str, ...] = ()
    """Causes of the epochs that began with this call."""
    levels: tuple[str, ...] = ()
    """Levels that took something out of view in the cuts of these epochs."""
    left: Mapping[str, int] = {}
    """Blocks that left the view with them, by the level that decided it."""
    alerts: tuple[str, ...] = ()
    """Kinds of the alerts that stand, each once."""
    failed: int = 0
    """Passes that were planned and did not prove."""
    is_declined: bool = False
    """A pass was planned and would not have paid."""
    is_open: bool = False
    """The breaker is open."""
