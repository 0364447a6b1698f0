"""Prove a planned cut on the text it leads to, before it is committed (F-D3); provider rules are the engine's to check."""

from collections.abc import Mapping

from pumice.compact.proofs import form, kept, told
from pumice.compact.proofs.case import Case, Finding, Proof
from pumice.domain.policy import Policy

__all__ = ["CHECKS", "Case", "Finding", "check"]

FORM: Mapping[str, Proof] = {
    "budget_fits": form.budget,
    "pairs_whole": form.pairs,
    "pointers_resolve": form.pointers,
    "sections_present": form.sections,
}
"""What holds for a cut whatever its policy keeps."""
CHECKS: Mapping[str, Proof] = {
    **FORM,
    "pins_present": kept.pins,
    "goal_present": kept.goal,
    "plan_present": kept.plan,
    "next_step_present": kept.next_step,
    "permissions_present": kept.permissions,
    "approvals_present": kept.approvals,
    "children_present": kept.children,
    "open_items_present": kept.open_items,
    "evidence_present": kept.evidence,
    "decision_fields_present": kept.decision_fields,
    "status_consistent": told.statuses,
    "sources_present": told.sources,
    "key_entities_present": told.key_entities,
}
"""Every check by the name a policy lists it under."""


def check(case: Case, policy: Policy) -> tuple[Finding, ...]:
    """Everything wrong with a cut, in a fixed order; empty when it may stand.

    All checks always run. A policy that does not pin (a plain sliding window, for comparison) promises no words: of it only
    form is asked, and what it lists itself.
    """
    asked = (
        CHECKS if policy.keep.pins != "none" else {name: CHECKS[name] for name in CHECKS if name in (*FORM, *policy.validate)}
    )
    return tuple(Finding(name, message) for name, proof in asked.items() for message in proof(case))
