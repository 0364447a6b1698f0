"""Prefix: how often a view does not go on from the one before, and how much a cache then held for nothing."""

import msgspec

from pumice.evaluate.share import Share
from pumice.evaluate.view import View


class Prefix(msgspec.Struct, frozen=True):
    moved: Share = Share()
    """Calls whose view does not extend the one before, of those that have one before."""
    invalidated: int = 0
    """Calibrated tokens of earlier views that the next one has no use for."""


class Prefixes:
    """Follows one session under one policy."""

    def __init__(self) -> None:
        self._before: View | None = None

    def see(self, view: View, factor: float) -> Prefix:
        """What moved between the view before and this one."""
        before, self._before = self._before, view
        if before is None:
            return Prefix()
        lost = before.size.tokens(factor) - before.sums[view.shared].tokens(factor)
        return Prefix(Share(int(not view.extends), 1), lost)
