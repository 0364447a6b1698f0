"""Ties between the items of a response: kept while they hold, undone where a cut breaks them."""

import json
from typing import Any

import pytest

from pumice import wire
from pumice.compile import ties
from pumice.domain.decision import Cause, Cut, Decision, Outcome
from pumice.domain.group import Node
from pumice.ledger.groups import extend

R = wire.get("openai-responses")
REASON = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "x"}
COMPACTION = {"type": "compaction", "encrypted_content": "x"}


def call(ident: str) -> dict[str, Any]:
    return {"type": "function_call", "call_id": ident, "name": "f", "arguments": "{}"}


def output(ident: str) -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": ident, "output": "x"}


USER = {"role": "user", "content": "go"}
STEP = (USER, REASON, call("a"), call("b"), output("a"), output("b"))
PAIRED = (USER, REASON, call("a"), output("a"), call("b"), output("b"))


def nodes(*items: dict[str, Any]) -> list[Node]:
    found = []
    for index, item in enumerate(items):
        message = R.read_message(json.dumps(item).encode())
        (block,) = message.blocks
        named = block.__class__(f"b{index}", *(getattr(block, name) for name in block.__struct_fields__[1:]))
        found.append(Node(index, message.role, (named,), message.key, message.raw, message.is_text, message.is_part))
    return found


def broken(items: tuple[dict[str, Any], ...], *gone: int, edited: tuple[int, ...] = ()) -> tuple[set[int], set[int]]:
    away = {f"b{at}": Decision(f"b{at}", Outcome.FOLD) for at in gone}
    away |= {f"b{at}": Decision(f"b{at}", Outcome.EXCERPT, text="{}") for at in edited}
    cut = Cut(Cause.BUDGET, True, tuple(away.values()), "", len(items), 0)
    found = ties.of(extend((), nodes(*items)), 0, cut, away)
    return set(found.loose), set(found.gone)


@pytest.mark.parametrize(
    ("items", "gone", "edited", "loose", "alone"),
    [
        (STEP, (), (), set(), set()),
        (STEP, (0,), (), set(), set()),
        (STEP, (3, 5), (), set(), set()),
        (STEP, (2, 4), (), {1, 2, 3}, set()),
        (STEP, (1,), (), {1, 2, 3}, set()),
        (STEP, (), (3,), {1, 2, 3}, set()),
        (STEP, (2, 3, 4, 5), (), {1, 2, 3}, {1}),
        (PAIRED, (1, 2, 3), (), {1, 2, 4}, {1}),
        (PAIRED, (), (), set(), set()),
    ],
)
def test_what_is_not_shown_as_it_came_ties_nothing(items, gone, edited, loose, alone):
    """Reasoning keeps its id with what directly follows it; else all it led to goes without, and it with the last of that."""
    assert broken(items, *gone, edited=edited) == (loose, alone)


def test_a_preface_stands_behind_what_stands_for_the_past():
    """The newest compaction item a cut covers; without one the place behind the head."""
    found = nodes(USER, COMPACTION, USER, COMPACTION, USER)
    assert [ties.front(found, 1, Cut(Cause.BUDGET, True, (), "", until, 0)) for until in (1, 2, 3, 5)] == [1, 2, 2, 4]
    assert ties.front(found, 0, None) == 0
