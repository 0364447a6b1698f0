"""What clients ask of a provider's history, read from real shapes: the defaults are the provider's own."""

from typing import Any

import pytest

from pumice.domain.edits import ClearThinking, ClearTools, Measure, Trigger
from pumice.wire.emulated import anthropic, anthropic_edits, openai_responses
from pumice.wire.emulated.asked import Compact, Unacceptable

TOOLS, THINKING, COMPACT = anthropic_edits.TOOLS, anthropic_edits.THINKING, anthropic_edits.COMPACT


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        ({"type": TOOLS}, ClearTools(Trigger(100_000, Measure.TOKENS), 3, 0, (), False)),
        (
            {
                "type": TOOLS,
                "trigger": {"type": "tool_uses", "value": 9},
                "keep": {"type": "tool_uses", "value": 0},
                "clear_at_least": {"type": "input_tokens", "value": 5_000},
                "exclude_tools": ["web_search"],
                "clear_tool_inputs": ["Bash"],
            },
            ClearTools(Trigger(9, Measure.USES), 0, 5_000, ("web_search",), ("Bash",)),
        ),
        ({"type": TOOLS, "keep": None, "clear_tool_inputs": True, "exclude_tools": None}, ClearTools(inputs=True)),
        ({"type": "clear_tool_uses_20990101"}, None),
        ({"type": THINKING}, ClearThinking(None)),
        ({"type": THINKING, "keep": "all"}, ClearThinking(None)),
        ({"type": THINKING, "keep": {"type": "all"}}, ClearThinking(None)),
        ({"type": THINKING, "keep": {"type": "thinking_turns", "value": 2}}, ClearThinking(2)),
        ({"type": COMPACT}, Compact(150_000)),
        (
            {
                "type": COMPACT,
                "trigger": {"type": "input_tokens", "value": 50_000},
                "instructions": "Keep ids.",
                "pause_after_compaction": True,
            },
            Compact(50_000, "Keep ids.", True),
        ),
    ],
)
def test_an_edit_means_what_the_provider_says(edit: Any, expected: Any) -> None:
    """Every field, and what holds where it is left out (provider-contracts §1.5.1, §1.5.2)."""
    assert anthropic_edits.read(0, edit) == expected


@pytest.mark.parametrize(
    ("at", "edit"),
    [
        (1, {"type": THINKING}),
        (0, {"type": TOOLS, "trigger": {"type": "minutes", "value": 1}}),
        (0, {"type": TOOLS, "trigger": {"type": "tool_uses", "value": -1}}),
        (0, {"type": TOOLS, "clear_tool_inputs": "Bash"}),
        (0, {"type": TOOLS, "exclude_tools": [1]}),
        (0, {"type": COMPACT, "trigger": {"type": "tool_uses", "value": 60_000}}),
    ],
)
def test_what_the_provider_would_refuse_names_its_path(at: int, edit: Any) -> None:
    """clear_thinking comes first, a compaction counts tokens, and numbers are from 0 on."""
    with pytest.raises(Unacceptable, match=rf"context_management\.edits\.{at}"):
        anthropic_edits.read(at, edit)


def test_a_block_takes_what_was_before_it() -> None:
    """The newest compaction block counts; its cache marker stays; a request without one is the very same."""
    old = b'{"role":"assistant","content":[{"type":"compaction","content":"first"}]}'
    new = (
        b'{"role":"assistant","content":[{"type":"text","text":"x"},{"type":"compaction","content":"<pumice:compaction>",'
        b'"cache_control":{"type":"ephemeral"}},{"type":"text","text":"y"}]}'
    )
    user = b'{"role":"user","content":"\\"compaction\\" is a word"}'
    found, is_carried = anthropic.carried([user, old, user, new, user])
    assert is_carried
    assert [b"ephemeral" in raw for raw in found] == [True, False, False]
    assert list(found[1:]) == [b'{"role":"assistant","content":[{"type":"text","text":"y"}]}', user]
    assert anthropic.carried([user, user]) == ([user, user], False)


def test_an_item_leaves_messages_of_people_before_it() -> None:
    """Calls and answers before the newest item of ours go; a foreign item takes nothing."""
    user, call = b'{"role":"user","content":"a"}', b'{"type":"function_call","call_id":"c","name":"n","arguments":"{}"}'
    ours = b'{"type":"compaction","encrypted_content":"<pumice:sealed>\\nx\\n</pumice:sealed>"}'
    theirs = b'{"type":"compaction","encrypted_content":"gAAA"}'
    assert list(openai_responses.carried([user, call, ours, user, call, ours, call])) == [user, user, ours, call]
    assert openai_responses.carried(kept := [user, call, theirs]) is kept
