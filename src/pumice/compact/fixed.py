"""How much the numbers a policy fixes may keep: on a small window a number of steps or tokens may be all there is."""

from pumice.compact import triggers
from pumice.compact.layout import Brief

SHARE = 0.6
"""Share of the size at which a cut becomes necessary. Numbers published for large windows come to less there; on a small one
they would leave no room for what stands in any case, and the next cut would follow at once."""


def most(brief: Brief) -> int:
    """Tokens a fixed number of newest steps, rounds, results or tokens keeps at most, and at least what the target holds."""
    acts_at = triggers.act_at(brief.room, brief.policy.budget) - brief.room.head
    return max(brief.target, round(SHARE * min(brief.limit, max(0, acts_at))))
