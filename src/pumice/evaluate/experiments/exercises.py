"""The three exercises: put system into the cut list, lower the trigger, truncate instead of summing up."""

from pumice.evaluate.experiments.experiment import COST, CUTS, EXAMPLES, FAR, HONEST, LINE, LOST, VIEW, Experiment, Value, table
from pumice.evaluate.experiments.partitions import REFUSED, refusal, saying
from pumice.evaluate.experiments.trigger import ACTS, acting, changed, named
from pumice.evaluate.lab import Lab

SUMMED, CUT_OFF = "old steps summed up", "old steps cut off"


def exercises(lab: Lab) -> Experiment:
    """Each as a change of one word of a policy, beside what was before."""
    high, low = (lab.under(acting(act), name=named(act)).row(named(act)) for act in (ACTS[0], ACTS[-1]))
    summed = lab.under(saying({"order": ("summarize",)}), name=SUMMED).row(SUMMED)
    cut = lab.under(saying({"order": ("recent",)}), name=CUT_OFF).row(CUT_OFF)
    refused: dict[str, Value] = {"name": "system in the cut list", "refused": refusal()}
    columns = (COST, HONEST, VIEW, CUTS, FAR, LINE, LOST, EXAMPLES, REFUSED)
    said = ("system stands in no cut list: the policy is refused", changed(high, low), changed(summed, cut))
    return table(
        "exercises", "One word of a policy is changed: what happens?", columns, [refused, high, low, summed, cut], *said
    )
