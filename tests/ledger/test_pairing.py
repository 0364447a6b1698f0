"""Results and calls of which only one has an id."""

import json

import pytest
from msgspec.structs import replace

from pumice import wire
from pumice.domain.group import Group, Node
from pumice.ledger.groups import is_open, is_sound
from pumice.ledger.pairing import paired

GEMINI = wire.get("gemini")


def group(calls: list[tuple[str, str]], *results: list[tuple[str, str]]) -> Group:
    contents = [("model", "functionCall", calls), *(("user", "functionResponse", listed) for listed in results)]
    nodes = []
    for index, (role, kind, listed) in enumerate(contents):
        parts = [{kind: {**({"id": ident} if ident else {}), "name": name, "response": {}}} for ident, name in listed]
        read = GEMINI.read_message(json.dumps({"role": role, "parts": parts}).encode())
        named = tuple(replace(block, id=f"{index}.{at}") for at, block in enumerate(read.blocks))
        nodes.append(Node(index, read.role, named, read.key, read.raw))
    return Group(0, tuple(nodes), is_user=False)


@pytest.mark.parametrize(
    ("calls", "results"),
    [
        ([("", "f")], [[("f_1_0", "f")]]),
        ([("", "f"), ("", "f")], [[("x", "f"), ("y", "f")]]),
        ([("", "f"), ("", "g")], [[("", "g")], [("", "f")]]),
        ([("", "f"), ("", "f")], [[("", "f")], [("", "f")]]),
        ([("a", "f"), ("b", "f")], [[("", "f"), ("b", "f")]]),
    ],
)
def test_each_result_finds_its_call(calls, results) -> None:
    """By id where both have it, else by function and order, in one content or several."""
    found = paired(group(calls, *results))
    assert is_sound(found)
    assert not is_open(found)


def test_what_pairs_already_or_cannot_stays_as_it_is() -> None:
    """A group that names its calls costs nothing; a result of another function answers none."""
    for one in (group([("a", "f")], [("a", "f")]), group([("", "f")], [("", "g")]), group([("a", "f")], [("b", "f")])):
        assert paired(one) is one
