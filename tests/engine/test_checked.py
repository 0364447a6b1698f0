"""Rules checked from the unchanged beginning on find what a check of the whole finds."""

import json

from hypothesis import given
from hypothesis import strategies as st

from pumice import wire
from pumice.engine.checked import Checked
from pumice.wire import rules

MESSAGES = st.lists(
    st.sampled_from(
        [
            {"role": "user", "content": "hi"},
            {"role": "user", "content": []},
            {"role": "assistant", "content": "done "},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "Read", "input": {}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c", "content": "x"}]},
        ]
    ),
    max_size=6,
)


@given(st.lists(MESSAGES, min_size=1, max_size=4))
def test_a_sequence_of_requests_is_checked_like_each_alone(requests: list[list[dict[str, object]]]) -> None:
    """Whatever was checked before, the violations are those of the request itself."""
    checked = Checked()
    for messages in requests:
        body = json.dumps({"model": "claude-sonnet-4-5", "max_tokens": 9, "messages": messages}).encode()
        request = wire.get("anthropic").open(body)
        checked = checked.then(request.messages, request)
        assert checked.end.finish(request.fields) == rules.check(body, "anthropic")
