"""Opening bodies one after the other gives what opening each alone gives."""

import json
import math
from typing import Any

import pytest

from pumice import wire
from pumice.engine.opening import Opener, as_bytes
from pumice.errors import UnknownDialect


def body(count: int, **fields: Any) -> dict[str, Any]:
    messages = [{"role": "user" if at % 2 == 0 else "assistant", "content": f"message {at}"} for at in range(count)]
    return {"model": "claude-sonnet-4-5", "messages": messages, "max_tokens": 100, **fields}


@pytest.mark.parametrize("shape", [dict, bytes, str])
def test_a_growing_body_is_opened_like_a_new_one(shape: type) -> None:
    """Dict, bytes and text, longer or shorter than the one before, are opened the same as by themselves."""
    opener = Opener()
    for count in (1, 3, 5, 5, 2, 7):
        written = json.dumps(body(count, stream=count > 3), ensure_ascii=False)
        given = {dict: json.loads, bytes: str.encode, str: str}[shape](written)
        assert opener.open(given, "anthropic", "main") == wire.get("anthropic").open(as_bytes(given))


def test_numbers_json_cannot_hold_are_found_in_new_messages_and_fields() -> None:
    """Infinity in what is new is written as it is, not as null, even after a body that was sent before."""
    opener = Opener()
    opener.open(body(2), "anthropic", "main")
    for given in (body(2, temperature=math.inf), body(2) | {"messages": [*body(2)["messages"], {"n": math.inf}]}):
        assert b"Infinity" in opener.open(given, "anthropic", "main").body


def test_a_body_that_goes_on_needs_no_name_for_its_dialect() -> None:
    """What begins like the last body under the same model is of its dialect; anything else is told by the body itself."""
    opener = Opener()
    unclear = {"messages": [{"role": "user", "content": "hi"}]}
    with pytest.raises(UnknownDialect):
        opener.open(unclear, None, "main")
    opener.open(unclear, "openai-chat", "main")
    assert opener.open(unclear, None, "main").dialect == "openai-chat"
    assert opener.open(body(2, system="s"), None, "main").dialect == "anthropic"
    with pytest.raises(UnknownDialect):
        opener.open(unclear, None, "helper")
