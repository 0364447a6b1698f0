"""The levels, by the names a policy's `order` gives them."""

from collections.abc import Mapping

from pumice.compact.levels import extract, isolate, mechanical, offload, rebuild, recall, recent, summarize
from pumice.compact.levels.level import Level

LEVELS: Mapping[str, Level] = {
    "extract": extract.lay_out,
    "isolate": isolate.lay_out,
    "mechanical": mechanical.lay_out,
    "offload": offload.lay_out,
    "rebuild": rebuild.lay_out,
    "recall": recall.lay_out,
    "recent": recent.lay_out,
    "summarize": summarize.lay_out,
}
