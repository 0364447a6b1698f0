"""What each partition takes of usable against its share of the policy (F-B3)."""

from collections.abc import Mapping

from pumice.domain.manifest import Share
from pumice.domain.policy import Shares


def of(taken: Mapping[str, int], shares: Shares, usable: int) -> tuple[Share, ...]:
    """A row per partition, in the policy's order; what is over a share is borrowed from those that leave some of theirs."""
    rows = [(name, taken.get(name, 0), round(getattr(shares, name) * usable)) for name in shares.__struct_fields__]
    return tuple(Share(name, tokens, share, max(0, tokens - share)) for name, tokens, share in rows)
