"""Probes: the same questions before and after a cut, so that a loss is seen where it happens (F-D6)."""

from pumice.compact.probes.answers import Known
from pumice.compact.probes.asked import Question, compare, continuation, questions, run
from pumice.compact.probes.read import Probe, ProbeSet, names, of, own, shipped
from pumice.compact.probes.sight import Sight

__all__ = [
    "Known",
    "Probe",
    "ProbeSet",
    "Question",
    "Sight",
    "compare",
    "continuation",
    "names",
    "of",
    "own",
    "questions",
    "run",
    "shipped",
]
