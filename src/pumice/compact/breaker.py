"""The breaker: after failures in a row no summaries are tried for a while, offload and the floor only (F-D4)."""

import msgspec

from pumice.domain.policy import Breaker as Limits


class Breaker(msgspec.Struct, frozen=True):
    """What a lane remembers of failed passes; every step gives a new one."""

    failures: int = 0
    """In a row."""
    opened_at: int | None = None
    """Call at which it opened, or last let a try through; None while it is closed."""
    refused: str = ""
    """Hash of the input that failed last: it is never tried twice."""


def allows(breaker: Breaker, limits: Limits, *, call: int, given: str) -> bool:
    """Whether a pass over `given` (the hash of its input) may use more than offload and the floor at this call."""
    if given == breaker.refused and given:
        return False
    return breaker.opened_at is None or call - breaker.opened_at >= limits.half_open_after


def failed(breaker: Breaker, limits: Limits, *, call: int, given: str, is_quota: bool = False) -> Breaker:
    """After a pass that failed or was refused by validation; a quota error opens at once."""
    failures = breaker.failures + (limits.max_consecutive_failures if is_quota else 1)
    is_open = breaker.opened_at is not None or failures >= limits.max_consecutive_failures
    return Breaker(failures, call if is_open else None, given)


def succeeded(_breaker: Breaker) -> Breaker:
    """After a pass that worked, or when asked to: closed, nothing remembered."""
    return Breaker()
