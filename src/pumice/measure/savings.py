"""What pumice has saved or cost over many calls: accounts added up, by whatever they are told apart by (F-H14)."""

from collections.abc import Callable, Iterable

import msgspec

from pumice.domain.account import Account

DIGITS = 6


class Savings(msgspec.Struct, frozen=True):
    """Accounts added up. Money is that of the calls whose model has a known price; None where none has."""

    calls: int = 0
    unpriced: int = 0
    """Calls whose money nobody knows."""
    full_tokens: int = 0
    """Input of the client's own requests."""
    sent_tokens: int = 0
    read_tokens: int = 0
    """Of what was sent, read from the provider's cache."""
    output_tokens: int = 0
    cost_usd: float | None = None
    full_cost_usd: float | None = None
    asked_usd: float = 0.0
    """Of the cost: questions pumice put to models."""
    read_backs: int = 0
    read_back_usd: float = 0.0
    """Of the cost: what read-backs came to."""
    observed: int = 0
    """Calls that were only observed."""
    observed_usd: float | None = None
    """What these would have cost, had they been shaped."""
    observed_full_usd: float | None = None
    """What they did cost."""

    @property
    def saved_usd(self) -> float | None:
        """Below 0 where pumice cost more than it saved."""
        if self.cost_usd is None or self.full_cost_usd is None:
            return None
        return round(self.full_cost_usd - self.cost_usd, DIGITS)

    @property
    def is_loss(self) -> bool:
        """Whether it cost more than half a cent more: below that, it is rounding."""
        return self.saved_usd is not None and self.saved_usd < -0.005


def add_up(rows: Iterable[Account]) -> Savings:
    """All rows together."""
    listed = list(rows)
    priced = [row for row in listed if row.saved_usd is not None]
    seen = [row for row in priced if row.observed_usd is not None]
    return Savings(
        calls=len(listed),
        unpriced=len(listed) - len(priced),
        full_tokens=sum(row.full or 0 for row in listed),
        sent_tokens=sum(row.sent or 0 for row in listed),
        read_tokens=sum(row.read or 0 for row in listed),
        output_tokens=sum(row.output or 0 for row in listed),
        cost_usd=_sum(row.cost_usd for row in priced),
        full_cost_usd=_sum(row.full_cost_usd for row in priced),
        asked_usd=_sum(row.asked_usd for row in listed) or 0.0,
        read_backs=sum(row.read_backs for row in listed),
        read_back_usd=_sum(row.read_back_usd for row in listed) or 0.0,
        observed=sum(row.observed is not None for row in listed),
        observed_usd=_sum(row.observed_usd for row in seen),
        observed_full_usd=_sum(row.cost_usd for row in seen),
    )


def apart(rows: Iterable[Account], name: Callable[[Account], str]) -> dict[str, Savings]:
    """Rows added up by name, names in the order they first come."""
    groups: dict[str, list[Account]] = {}
    for row in rows:
        groups.setdefault(name(row), []).append(row)
    return {found: add_up(listed) for found, listed in groups.items()}


def _sum(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return round(sum(known), DIGITS) if known else None
