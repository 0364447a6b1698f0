"""Groups: one response with its results, or one user message."""

from hypothesis import given
from hypothesis import strategies as st

from pumice.domain.block import Block, Kind, Origin, Role
from pumice.domain.group import Node
from pumice.ledger.groups import extend, is_open, pending


def block(kind: Kind, call: str = "") -> Block:
    role = Role.ASSISTANT if kind is Kind.CALL else Role.USER
    return Block("", kind, role, Origin.MODEL, "t", b"{}", "", call)


def node(at: int, role: Role, *blocks: Block) -> Node:
    return Node(at, role, blocks, b"", b"")


def session(*nodes: Node) -> list[list[int]]:
    return [[item.index for item in group.nodes] for group in extend((), nodes)]


def test_parallel_results_belong_to_their_response() -> None:
    """A batch of calls and its results are one group, in one message or several."""
    nodes = (
        node(0, Role.USER, block(Kind.TEXT)),
        node(1, Role.ASSISTANT, block(Kind.CALL, "a"), block(Kind.CALL, "b")),
        node(2, Role.USER, block(Kind.RESULT, "b")),
        node(3, Role.USER, block(Kind.RESULT, "a")),
        node(4, Role.USER, block(Kind.TEXT)),
    )
    assert session(*nodes) == [[0], [1, 2, 3], [4]]


def test_a_group_with_a_waiting_call_is_open() -> None:
    """A pending batch is never cut (B-D3); a reused id waits once per occurrence (B-A11)."""
    (group,) = extend((), (node(0, Role.ASSISTANT, block(Kind.CALL, "a"), block(Kind.CALL, "a")),))
    (answered,) = extend((group,), (node(1, Role.USER, block(Kind.RESULT, "a")),))
    assert pending(group) == ("a", "a")
    assert is_open(answered)
    (closed,) = extend((answered,), (node(2, Role.USER, block(Kind.RESULT, "a")),))
    assert not is_open(closed)


def test_a_call_never_answered_does_not_hold_its_group_open() -> None:
    """Once results have come, the next response is a group of its own, also where one call stays dangling."""
    nodes = (
        node(0, Role.ASSISTANT, block(Kind.CALL, "a")),
        node(1, Role.ASSISTANT, block(Kind.CALL, "b")),
        node(2, Role.USER, block(Kind.RESULT, "b")),
        node(3, Role.ASSISTANT, block(Kind.CALL, "c")),
        node(4, Role.USER, block(Kind.RESULT, "c")),
    )
    assert session(*nodes) == [[0, 1, 2], [3, 4]]


def test_system_messages_join_what_they_follow() -> None:
    """A client's own system message among the messages belongs to the group before it."""
    assert session(node(0, Role.USER, block(Kind.TEXT)), node(1, Role.SYSTEM, block(Kind.TEXT))) == [[0, 1]]


@given(st.lists(st.sampled_from([Role.USER, Role.ASSISTANT, Role.TOOL, Role.SYSTEM]), max_size=30), st.integers(0, 30))
def test_groups_grow_the_same_in_any_steps(roles: list[Role], cut: int) -> None:
    """Adding nodes one by one or all at once gives the same groups, and each node is in exactly one."""
    kinds = {Role.TOOL: Kind.RESULT, Role.ASSISTANT: Kind.CALL}
    nodes = [node(at, role, block(kinds.get(role, Kind.TEXT), "c")) for at, role in enumerate(roles)]
    whole = extend((), nodes)
    assert extend(extend((), nodes[:cut]), nodes[cut:]) == whole
    assert [item.index for group in whole for item in group.nodes] == list(range(len(nodes)))
