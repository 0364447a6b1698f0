"""A task of thirty and more steps: with nothing done, cut off, and with notes and compaction."""

from pumice.domain.policy import Policy
from pumice.evaluate.experiments import noted
from pumice.evaluate.experiments.experiment import (
    CONTINUES,
    COST,
    CUTS,
    FAR,
    HONEST,
    LINE,
    LOST,
    OVER,
    PEAK,
    RULES,
    Experiment,
    table,
)
from pumice.evaluate.experiments.means import whole
from pumice.evaluate.lab import Arm, Lab, written
from pumice.evaluate.product import EngineDriver

STEPS = 30
NOTHING, CUT_OFF, NOTED, DEFAULT = "no management", "truncation", "notes + compaction", "the default"
BOTH = "notes + the default"


def long_task(lab: Lab, *, truncating: Policy, noting: Policy, default: Policy) -> Experiment:
    """The policies are a sliding window, one for agents that keep notes, and the one that holds where none is named."""
    rows = [
        lab.under(whole(), name=NOTHING).row(NOTHING),
        lab.under(truncating, name=CUT_OFF).row(CUT_OFF),
        _with_notes(lab, noting, NOTED).row(NOTED),
        lab.under(default, name=DEFAULT).row(DEFAULT),
        _with_notes(lab, default, BOTH).row(BOTH),
    ]
    columns = (COST, HONEST, PEAK, OVER, CUTS, FAR, LINE, RULES, CONTINUES, LOST)
    calls = len(lab.recording.calls)
    short = "" if calls >= STEPS else f"only {calls} calls: too few to be a long task"
    over = f"with {NOTHING} {rows[0]['overflows']} of {calls} calls do not fit the window"
    lost = ", ".join(f"{row['name']} {row['lost']}" for row in rows)
    return table("long-task", f"A task of {calls} calls: what stays known?", columns, rows, over, f"names lost: {lost}", short)


def _with_notes(lab: Lab, policy: Policy, name: str) -> Arm:
    """The session as an agent that keeps notes would have had it."""
    notes = noted.notes_of(lab.script)
    recording = noted.with_notes(lab.recording, notes)
    driver = noted.Noting(EngineDriver(recording, policy, lab.options), recording, notes)
    return lab.by(driver, name=name, told=written(recording))
