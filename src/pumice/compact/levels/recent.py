"""Level recent: what stays by its place alone, in the shape the policy names; a sliding window when cut at every call."""

from collections.abc import Mapping

from pumice.compact.layout import Brief, Layout
from pumice.compact.levels.level import Level
from pumice.compact.recent import by_round, ends, hybrid
from pumice.compact.showing import smaller

SHAPES: Mapping[str, Level] = {
    "oldest": ends.oldest,
    "middle": ends.middle,
    "tool_rounds": by_round.tool_rounds,
    "hybrid": hybrid.hybrid,
}


def lay_out(brief: Brief, before: Layout) -> Layout:
    """In the shape the policy names."""
    return smaller(brief, before, SHAPES[brief.policy.recent.shape](brief, before))
