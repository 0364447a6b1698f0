"""The one-call form over any list of messages and any target: smaller and valid, or a typed error; twice is a no-op."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from conversations import Item, body, item, messages, raw, transcript
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import pumice
from pumice import wire
from pumice.errors import CannotFit
from pumice.wire import rules

QUICK = settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
TARGETS = (1, 100, 400, 1000, 3000, 12_000, 1_000_000)
DIALECTS = list(wire.dialects)


def broken(sent: bytes, dialect: str) -> set[str]:
    return {found.rule for found in rules.check(sent, dialect)}


def compacted(given_: Any, dialect: str, target: int, **more: Any) -> pumice.Compacted | None:
    """The result, held to what it promises; None when it cannot fit and says so."""
    try:
        made = pumice.compact(given_, dialect=dialect, target=target, **more)
    except CannotFit as error:
        assert sum(tokens for _, tokens in error.parts) > error.budget
        return None
    assert made.tokens.total <= target
    return made


@pytest.mark.parametrize("dialect", DIALECTS)
@QUICK
@given(items=transcript(), target=st.sampled_from(TARGETS))
def test_a_body_becomes_a_smaller_valid_one(dialect: str, items: list[Item], target: int) -> None:
    """Within the target, breaking no rule the client has not broken, every other field as it was."""
    sent = raw(body(items, dialect, tools=("Read", "Bash", "Edit", "query")))
    made = compacted(sent, dialect, target)
    if made is None:
        return
    assert broken(made.body, dialect) <= broken(sent, dialect)
    before, after = json.loads(sent), json.loads(made.body)
    field = wire.get(dialect).field
    assert {**after, field: 0} == {**before, field: 0}
    again = compacted(made.body, dialect, target)
    assert again is not None
    assert json.loads(again.body) == json.loads(made.body)


@pytest.mark.parametrize("dialect", DIALECTS)
@QUICK
@given(items=transcript(), more=st.lists(item(most=20), max_size=3), target=st.sampled_from(TARGETS))
def test_a_carry_goes_on_where_it_was(dialect: str, items: list[Item], more: Sequence[Item], target: int) -> None:
    """The same list again changes nothing; a longer one extends what was returned, or is cut anew within the target."""
    listed = messages(items, dialect)
    made = compacted(listed, dialect, target)
    if made is None:
        return
    carry = json.loads(json.dumps(made.carry))
    for same in (listed, made.body):
        again = compacted(same, dialect, target, carry=carry)
        assert again is not None
        assert again.body == made.body
    longer = [*made.body, *messages(more, dialect)]
    grown = compacted(longer, dialect, target, carry=carry)
    if grown is not None:
        fields = {"model": "m", "max_tokens": 1} if dialect == "anthropic" else {"model": "m"}
        sent, ours = (raw({**fields, wire.get(dialect).field: listed}) for listed in (longer, grown.body))
        assert broken(ours, dialect) <= broken(sent, dialect)


@pytest.mark.parametrize("dialect", DIALECTS)
@QUICK
@given(items=transcript(most=4))
def test_what_fits_is_what_was_given(dialect: str, items: list[Item]) -> None:
    """Below the target a sound list comes back as it is, in the shape it was given in."""
    listed = messages(items, dialect)
    made = compacted(listed, dialect, 1_000_000)
    assert made is not None
    if not made.manifest.repairs:
        assert raw(made.body) == raw(listed)
    text = json.dumps(body(items, dialect))
    shaped = compacted(text, dialect, 1_000_000)
    assert shaped is not None
    assert isinstance(shaped.body, bytes)
