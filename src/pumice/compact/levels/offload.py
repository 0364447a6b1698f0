"""Level offload: what is big or old goes to the workspace, and what stays of it points there (F-C4)."""

from collections.abc import Mapping

from pumice.compact.layout import Brief, Layout
from pumice.compact.levels.level import Level
from pumice.compact.offload import judged, lines, results

STYLES: Mapping[str, Level] = {"judged": judged.lay_out, "lines": lines.lay_out, "results": results.lay_out}


def lay_out(brief: Brief, before: Layout) -> Layout:
    """In the style the policy names."""
    return STYLES[brief.policy.offload.style](brief, before)
