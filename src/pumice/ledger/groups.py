"""Grow the groups of a branch: one model response with all its results, or one user message."""

from collections.abc import Iterable, Sequence

from pumice.domain.block import Kind, Role
from pumice.domain.group import Group, Node


def is_open(group: Group) -> bool:
    """Whether a call of the group still waits for its result: such a group is never cut."""
    return bool(pending(group))


def pending(group: Group) -> tuple[str, ...]:
    """Call ids of the group without a result yet, in order; a reused id waits once per occurrence."""
    waiting: list[str] = []
    for block in group.blocks:
        if block.kind is Kind.CALL:
            waiting.append(block.call_id)
        elif block.kind is Kind.RESULT and block.call_id in waiting:
            waiting.remove(block.call_id)
    return tuple(waiting)


def is_sound(group: Group) -> bool:
    """Whether a group that is over pairs as providers ask: each call one result, each id once, no result without a call."""
    calls = [block.call_id for block in group.blocks if block.kind is Kind.CALL]
    results = [block.call_id for block in group.blocks if block.kind is Kind.RESULT]
    return len(set(calls)) == len(calls) and sorted(calls) == sorted(results)


def joins(group: Group, node: Node) -> bool:
    """Whether a node belongs to the group before it: results of its calls, and what the client says in between."""
    if node.role == Role.SYSTEM:
        return True
    if group.is_user:
        return False
    if node.role == Role.TOOL or any(block.kind is Kind.RESULT for block in node.blocks):
        return True
    # A response may come in several messages; once results have come, what the model says next is its next response,
    # also where a call was never answered.
    may_go_on = node.is_part or is_open(group)
    return node.role == Role.ASSISTANT and may_go_on and all(known.role == Role.ASSISTANT for known in group.nodes)


def extend(groups: Sequence[Group], nodes: Iterable[Node]) -> tuple[Group, ...]:
    """The groups of a branch after some more nodes; only the newest group can change."""
    grown = list(groups)
    for node in nodes:
        if grown and joins(grown[-1], node):
            last = grown[-1]
            grown[-1] = Group(last.index, (*last.nodes, node), last.is_user)
        else:
            grown.append(Group(len(grown), (node,), node.role != Role.ASSISTANT))
    return tuple(grown)
