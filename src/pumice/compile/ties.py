"""What a cut owes to what it leaves in view: ties between the items of a response, and items that stand for the past.

In some dialects the items of a response are messages of their own, tied to each other by the ids they are stored under
(provider-contracts K-R3 to K-R5, K-R9): one that is edited or left out must not leave the others pointing at it.
"""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from pumice.compile.assemble import is_whole
from pumice.domain.block import Block, Kind, Role
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
    is_intact = True
    until = cut.until if cut else 0
    for group in groups if cut else ():
        # Calls whose outputs came one by one are several groups, and only the first of them begins with the reasoning.
        is_intact = is_intact or group.is_user
        said = [node for node in group.nodes if node.is_part and node.role == Role.ASSISTANT and lead <= node.index < until]
        for run in _runs(said):
            is_intact = _is_intact(run, decisions, behind_intact=is_intact)
            if not is_intact:
                loose.update(node.index for node in (*run.reasons, *run.rest))
                gone.update(() if _shows(run.rest, decisions) else (node.index for node in run.reasons))
    return Ties(frozenset(loose), frozenset(gone))


def front(nodes: Sequence[Node], lead: int, cut: Cut | None) -> int:
    """The node in front of which a preface stands: behind the head, and behind the newest item that stands for the past.

    Of what is in front of such an item its provider shows nothing (K-R13).
    """
    covered = nodes[: cut.until] if cut else ()
    past = (node.index + 1 for node in covered if node.role == Role.ASSISTANT and any(block.stays for block in node.blocks))
    return max(past, default=lead)


class _Run(msgspec.Struct, frozen=True):
    """Reasoning, and what a model said behind it."""

    reasons: tuple[Node, ...]
    rest: tuple[Node, ...]


def _runs(said: Sequence[Node]) -> Iterator[_Run]:
    at = 0
    while at < len(said):
        first = next((place for place in range(at, len(said)) if not _reasons(said[place])), len(said))
        end = next((place for place in range(first, len(said)) if _reasons(said[place])), len(said))
        yield _Run(tuple(said[at:first]), tuple(said[first:end]))
        at = end


def _is_intact(run: _Run, decisions: Mapping[str, Decision], *, behind_intact: bool) -> bool:
    """Whether stored reasoning may keep its id: it and what follows it directly stand whole, nothing behind it is edited."""
    if any(_outcome(block, decisions) is Outcome.EXCERPT for node in run.rest for block in node.blocks):
        return False
    if not run.reasons:
        return behind_intact
    return bool(run.rest) and all(
        is_whole(decisions.get(block.id)) for node in (*run.reasons, run.rest[0]) for block in node.blocks
    )


def _reasons(node: Node) -> bool:
    return any(block.kind is Kind.REASONING for block in node.blocks)


def _shows(nodes: Sequence[Node], decisions: Mapping[str, Decision]) -> bool:
    away = (Outcome.FOLD, Outcome.DROP)
    return any(_outcome(block, decisions) not in away for node in nodes for block in node.blocks)


def _outcome(block: Block, decisions: Mapping[str, Decision]) -> Outcome:
    decision = decisions.get(block.id)
    return Outcome.KEEP if decision is None else decision.outcome
