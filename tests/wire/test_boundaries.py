"""Bodies opened beside the one before: the same as opened alone, whatever came before."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pumice import wire
from pumice.errors import BadRequest
from pumice.wire import boundaries

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "messages", "role"]), inner, max_size=3),
    max_leaves=6,
)
MESSAGES = st.lists(VALUES, max_size=6)
FIELDS = st.dictionaries(st.sampled_from(["model", "system", "x", "métadata"]), st.text(max_size=4), max_size=3)
STYLES = st.sampled_from([(",", ":"), (", ", ": "), (" ,\n", " :\t")])


def _body(before: dict[str, Any], messages: Any, after: dict[str, Any], style: tuple[str, str]) -> bytes:
    return json.dumps({**before, "messages": messages, **after}, separators=style, ensure_ascii=False).encode()


@given(FIELDS, MESSAGES, MESSAGES, MESSAGES, FIELDS, FIELDS, STYLES, STYLES)
def test_what_came_before_changes_nothing(
    head: dict[str, Any],
    common: list[Any],
    old: list[Any],
    new: list[Any],
    old_tail: dict[str, Any],
    new_tail: dict[str, Any],
    style: tuple[str, str],
    other: tuple[str, str],
) -> None:
    """A body opened beside another one has the same fields in the same order, the same messages and the same ends."""
    dialect = wire.get("openai-chat")
    before = dialect.open(_body(head, common + old, old_tail, style))
    for chosen in (style, other):
        body = _body(head, common + new, new_tail, chosen)
        alone, beside = dialect.open(body), dialect.open(body, before)
        assert beside == alone
        assert list(beside.fields) == list(alone.fields)


@given(st.integers(0, 12), st.binary(max_size=3))
def test_a_damaged_tail_is_refused_as_if_read_alone(cut: int, junk: bytes) -> None:
    """What follows the shared messages is read as strictly as the whole."""
    dialect = wire.get("openai-chat")
    whole = b'{"messages":[{"a":1},{"b":2}],"model":"m"}'
    body = whole[: len(whole) - cut] + junk
    found = []
    for before in (None, dialect.open(whole)):
        try:
            found.append(dialect.open(body, before))
        except BadRequest as error:
            found.append(str(error))
    assert found[0] == found[1]


@pytest.mark.parametrize(
    "body",
    [
        b'{"messages":[1],"messages":[2,3]}',
        b'{"messages":[2,3],"messages":[2,3]}',
        b'{"metadata":{"messages":[2,3]},"messages":[2,3]}',
        b'{"x":"\\"messages\\":[9","messages":[2,3],"x":1}',
        b'{"messages":[2,3],"a":1,"a":2}',
    ],
)
def test_keys_that_stand_twice_or_deeper_mislead_nobody(body: bytes) -> None:
    """A second list of messages, the same key deeper inside or in a string are read like in a body of their own."""
    dialect = wire.get("openai-chat")
    for before in (body, b'{"messages":[2,3]}', b'{"messages":[2]}'):
        assert dialect.open(body, dialect.open(before)) == dialect.open(body)


@pytest.mark.parametrize("behind", [b"null", b"[2]"])
def test_a_value_that_came_once_behind_the_messages_is_gone_with_its_request(behind: bytes) -> None:
    """What stood twice in one body says nothing of the next, which has it once."""
    dialect = wire.get("openai-chat")
    odd = b'{"tools":[1],"messages":[{"a":1}],"tools":' + behind + b"}"
    clean = b'{"tools":[1],"messages":[{"a":1},{"b":2}]}'
    assert dialect.open(clean, dialect.open(odd)) == dialect.open(clean)
    assert dialect.open(clean, dialect.open(odd)).fields["tools"] == b"[1]"


def test_only_the_tail_is_read() -> None:
    """Of a body that goes on where the last one ended, the messages in front are the very same objects."""
    dialect = wire.get("openai-chat")
    before = dialect.open(b'{"model":"m","messages":[{"a":1},{"b":2}],"tools":[]}')
    after = dialect.open(b'{"model":"m","messages":[{"a":1},{"b":2},{"c":3}],"tools":[]}', before)
    assert boundaries.shared(before, after.body) == 2
    assert [new is old for new, old in zip(after.messages, before.messages, strict=False)] == [True, True]
    assert after.fields["tools"] is before.fields["tools"]
