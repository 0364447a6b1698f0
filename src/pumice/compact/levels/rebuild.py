"""Level rebuild: when a view can no longer be trusted, a new one from state and evidence alone (F-C9)."""

import msgspec

from pumice.compact import cuts, digest, evidence, keep
from pumice.compact.layout import Brief, Layout
from pumice.compact.section import assemble
from pumice.compact.shrink import shrink_all
from pumice.compact.standing import standing

LEVEL = "rebuild"
STATE_SHARE = 0.15
"""Share of the target task state may take here, if that is more than the policy's own: it stands for the narrative."""
_FRAME = 40
"""Tokens of the range pointers."""


def lay_out(brief: Brief, before: Layout) -> Layout:
    """Words, pins, much state, the newest evidence and the last group; nothing that was told, summarised or chosen before.

    The one level that does not build on what is left of the view: what cannot be trusted is not carried over.
    """
    groups, roomy = brief.book.groups, _roomy(brief)
    first = cuts.legal_before(groups, brief.book.state, keep.last_step(groups, max(0, len(groups) - 1)))
    old, tail = groups[:first], groups[first:]
    spent = brief.ruler.text(assemble(standing(roomy, old, tail, is_full=True).sections)) + _FRAME
    spent += sum(brief.ruler.blocks(group.blocks) for group in tail)
    forms = shrink_all(tail, spent - brief.limit, brief.ruler, LEVEL)
    pairs = {} if forms else evidence.newest(brief, first, brief.target - spent)
    fixed = standing(roomy, old, tail, pairs, is_full=True)
    return Layout(
        LEVEL,
        first_whole=first,
        pairs=pairs,
        forms=forms,
        standing=fixed.sections if old else (),
        sections=(digest.span(old),),
        reasons=dict.fromkeys(fixed.said, "old; its words stand in the preface"),
        warnings=(*before.warnings, *fixed.warnings),
        asks=before.asks,
        artifacts=before.artifacts,
    )


def _roomy(brief: Brief) -> Brief:
    """The same with more room for state."""
    policy = brief.policy
    tokens = max(policy.keep.state_tokens, round(STATE_SHARE * brief.target))
    kept = msgspec.structs.replace(policy.keep, state_tokens=tokens)
    return msgspec.structs.replace(brief, policy=msgspec.structs.replace(policy, keep=kept))
