"""What a cut owes to what it leaves in view: ties between the items of a response, and items that stand for the past.

In some dialects the items of a response are messages of their own, tied to each other by the ids they are stored under
(provider-contracts K-R3 to K-R5, K-R9): one that is edited or left out must not leave the others pointing at it.
"""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from pumice.compile.assemble import is_whole
from pumice.domain.block import Kind, Role
from pumice.domain.decision import Cut, Decision, Outcome
from pumice.domain.group import Group, Node


class Ties(msgspec.Struct, frozen=True):
    """Nodes of a cut's path whose response is not shown as it came."""

    loose: frozenset[int] = frozenset()
    """Shown without what ties them to it."""
    gone: frozenset[int] = frozenset()
    """Reasoning that nothing follows any more."""


def of(groups: Sequence[Group], lead: int, cut: Cut | None, decisions: Mapping[str, Decision]) -> Ties:
    """The ties a cut has broken."""
    loose: set[int] = set()
    gone: set[int] = set()
    was_whole = True
    for group in groups if cut else ():
        said = [node for node in group.nodes if node.is_part and node.role == Role.ASSISTANT and lead <= node.index < cut.until]
        is_intact = all(is_whole(decisions.get(block.id)) for node in said for block in node.blocks)
        # Calls whose outputs came one by one are several groups, and only the first of them begins with the reasoning.
        if said and not (is_intact and (was_whole or _reasons(said[0]))):
            loose.update(node.index for node in said)
            gone.update(_left_alone(said, decisions))
        was_whole = group.is_user or is_intact
    return Ties(frozenset(loose), frozenset(gone))


def front(nodes: Sequence[Node], lead: int, cut: Cut | None) -> int:
    """The node in front of which a preface stands: behind the head, and behind the newest item that stands for the past.

    Of what is in front of such an item its provider shows nothing (K-R13).
    """
    covered = nodes[: cut.until] if cut else ()
    past = (node.index + 1 for node in covered if node.role == Role.ASSISTANT and any(block.stays for block in node.blocks))
    return max(past, default=lead)


def _reasons(node: Node) -> bool:
    return any(block.kind is Kind.REASONING for block in node.blocks)


def _left_alone(said: Sequence[Node], decisions: Mapping[str, Decision]) -> Iterator[int]:
    """Reasoning items from the end of a response on that stand for nothing which is shown."""
    follows = False
    for node in reversed(said):
        if _reasons(node) and not follows:
            yield node.index
        else:
            follows = any(_shows(decisions.get(block.id)) for block in node.blocks)


def _shows(decision: Decision | None) -> bool:
    return decision is None or decision.outcome not in (Outcome.FOLD, Outcome.DROP)
