"""Bytes of the client stay as the client wrote them."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pumice import wire
from pumice.errors import BadRequest

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
spellings = st.sampled_from([{"ensure_ascii": True}, {"ensure_ascii": False}, {"separators": (",", ":")}, {"indent": 1}])


@pytest.mark.parametrize("name", list(wire.dialects))
@settings(max_examples=60, deadline=None)
@given(
    messages=st.lists(json_values, max_size=5), extra=st.dictionaries(st.text(), json_values, max_size=4), spelling=spellings
)
def test_untouched_request_goes_through_byte_for_byte(name, messages, extra, spelling):
    """Opened and closed without a change, a body is the client's own bytes; with one, every other value is."""
    dialect = wire.get(name)
    extra = {key: value for key, value in extra.items() if key not in ("model", "system", "tools", "functions")}
    body = json.dumps({"model": "m", **extra, dialect.field: messages}, **spelling).encode("utf-8", "surrogatepass")
    request = dialect.open(body)
    assert dialect.close(request, request.messages) == request.body
    changed = dialect.close(request, [*request.messages, b"{}"])
    again = dialect.open(changed)
    assert again.messages[:-1] == request.messages
    assert {**again.fields, dialect.field: b""} == {**request.fields, dialect.field: b""}
    assert list(again.fields) == list(request.fields)


def test_spelling_of_numbers_escapes_and_order_is_kept():
    """Key order, number spelling and escapes of values that are not looked at do not change."""
    body = b'{ "z": 1.0e2, "model": "m", "messages": [ {"role":"user","content":"\\u00e9"} ], "a": [1.50, "\\/"] }'
    dialect = wire.get("anthropic")
    request = dialect.open(body)
    assert dialect.close(request, request.messages) == body
    out = dialect.close(request, [*request.messages, dialect.user("x")], fields={"a": None, "new": b"2"})
    assert out.startswith(b'{"z":1.0e2,"model":"m","messages":[{"role":"user","content":"\\u00e9"},')
    assert out.endswith(b'],"new":2}')


@pytest.mark.parametrize("text", [b'"\\ud800x"', b'"\xed\xa0\x80"'])
def test_lone_surrogates_go_the_slow_way(text):
    """What msgspec refuses but `json` reads is carried on with escapes."""
    for name, dialect in wire.dialects.items():
        message = dialect.user("X").replace(b'"X"', text)
        request = dialect.open(b'{"model":"m","' + dialect.field.encode() + b'":[' + message + b"]}")
        read = dialect.read_message(request.messages[0])
        assert read.blocks[0].text.startswith("\ud800"), name
        again = dialect.rewrite(read, {0: read.blocks[0].text}) or b""
        assert dialect.read_message(again).blocks[0].text == read.blocks[0].text


def test_not_a_number_survives():
    """NaN and infinity, which are no JSON, come out as they went in."""
    body = b'{"model":"m","temperature":NaN,"messages":[{"role":"assistant","content":[{"type":"x","v":Infinity}]}]}'
    dialect = wire.get("anthropic")
    request = dialect.open(body)
    assert dialect.close(request, request.messages) == body
    assert dialect.read_message(request.messages[0]).blocks[0].raw == b'{"type":"x","v":Infinity}'


@pytest.mark.parametrize(
    "body", [b"", b"nonsense", b"[1]", b'{"model":"m"}', b'{"messages":{}}', b'{"model":1,"messages":[]}', b"[" * 99999]
)
def test_what_is_no_request_is_one_typed_error(body):
    """Anything else raises BadRequest, never another exception."""
    for dialect in wire.dialects.values():
        with pytest.raises(BadRequest):
            dialect.open(body)
