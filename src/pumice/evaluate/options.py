"""What a replay is asked to assume."""

from collections.abc import Mapping

import msgspec

from pumice.domain.policy import Policy


class Options(msgspec.Struct, frozen=True):
    window: int | None = None
    """Tokens; None takes the policy's or the model's."""
    model: str | None = None
    """Model to price and budget for instead of the recorded one."""
    ttl: float | None = None
    """Seconds after which a cache that was not used is cold; None for never."""
    head: int = 0
    """Calibrated tokens of system prompt and tools that no recording shows, added to every policy alike."""
    steps: Mapping[str, Policy] = {}
    """Policies that others step down to when a session has cost too much, by name."""
