"""pi logs."""

import json

import pytest

from pumice.errors import BadRecording
from pumice.recordings.files import parse
from pumice.wire import get


@pytest.fixture
def session(fixtures):
    (found,) = parse((fixtures / "pi.jsonl").read_bytes(), "pi.jsonl")
    return found


def test_a_session_in_anthropic_blocks(session, shown):
    """pi's own shapes become tool_use, tool_result and signed thinking; results of one response stand in one message."""
    assert shown(session.messages) == [
        "user: 读一下 app.py",
        "assistant: thinking I read both. [c1] [c2]",
        "user: c2=1 c1=2",
        "assistant: It is not there.",
        "user: $ touch app.py\n",
        "user: and now?",
        "assistant: Now it is.",
    ]
    failed = json.loads(session.messages[2])["content"][1]
    assert failed["is_error"] is True
    assert failed["content"][1] == {
        "type": "image",
        "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="},
    }
    assert session.injected == {4}


def test_calls_and_their_bills(session):
    """Usage is told in the provider's words; the model is each call's own; aborted turns are no calls, and told."""
    assert [(call.upto, call.model) for call in session.calls] == [
        (1, "claude-sonnet-4-5"),
        (3, "claude-sonnet-4-5"),
        (6, "claude-opus-4-5"),
    ]
    usage = get("anthropic").read_response(session.calls[1].response).usage
    assert (usage.input, usage.output, usage.cache_read) == (1798, 5, 1704)
    assert session.problems == ("line 3: an assistant turn that ended in 'aborted': left out",)
    assert session.unseen_head_tokens > 1600


def test_what_pi_sent_after_a_compaction(session, shown):
    """The summary, then what it kept, then what came after."""
    assert session.calls[1].recorded is None
    assert shown(session.calls[2].recorded) == [
        "user: The file was missing.",
        "assistant: It is not there.",
        "user: $ touch app.py\n",
        "user: and now?",
    ]


def test_an_abandoned_branch(fixtures, shown):
    """A prompt under an older entry continues there; what was left has a recording of its own."""
    lines = (fixtures / "pi.jsonl").read_text().splitlines()
    again = {"type": "message", "id": "f1", "parentId": "e7", "message": {"role": "user", "content": "look again"}}
    reply = {
        "role": "assistant",
        "content": [{"type": "text", "text": "Same."}],
        "model": "claude-opus-4-5",
        "stopReason": "stop",
    }
    answer = {"type": "message", "id": "f2", "parentId": "f1", "message": reply}
    data = "\n".join([*lines, json.dumps(again), json.dumps(answer)]).encode()
    main, branch = parse(data, "pi.jsonl")
    assert shown(main.messages)[-3:] == ["assistant: It is not there.", "user: look again", "assistant: Same."]
    assert [call.model for call in branch.calls] == ["claude-opus-4-5"]
    assert shown(branch.messages)[-1] == "assistant: Now it is."


def test_a_session_of_an_openai_model():
    """It is read in the dialect its calls were made in."""
    entries = [
        {
            "role": "user",
            "content": [{"type": "text", "text": "6*7?"}, {"type": "image", "data": "aGk=", "mimeType": "image/png"}],
        },
        {
            "role": "assistant",
            "content": [{"type": "toolCall", "id": "c1", "name": "mul", "arguments": {"a": 6, "b": 7}}],
            "api": "openai-completions",
            "model": "gpt-4.1",
            "usage": {"input": 10, "output": 5, "cacheRead": 90, "cacheWrite": 0},
            "stopReason": "toolUse",
        },
        {
            "role": "toolResult",
            "toolCallId": "c1",
            "toolName": "mul",
            "content": [{"type": "text", "text": "42"}],
            "isError": False,
        },
    ]
    data = "\n".join(json.dumps({"type": "message", "message": entry}) for entry in entries).encode()
    (found,) = parse(data, "pi.jsonl")
    chat = get("openai-chat")
    assert found.dialect == "openai-chat"
    assert [message["role"] for message in map(json.loads, found.messages)] == ["user", "assistant", "tool"]
    assert json.loads(found.messages[0])["content"][1]["image_url"]["url"] == "data:image/png;base64,aGk="
    assert [block.kind.value for raw in found.messages for block in chat.read_message(raw).blocks] == [
        "text",
        "media",
        "call",
        "result",
    ]
    assert chat.read_response(found.calls[0].response).usage.input == 100
    assert found.calls[1].response is None


def test_broken_lines_and_no_messages(fixtures):
    """Broken lines are told with their number; a log without a message is refused in one line."""
    data = (fixtures / "pi.jsonl").read_bytes().replace(b'"role":"toolResult","toolCallId":"c2"', b'"role":7,"toolCallId":"c2"')
    (found,) = parse(data + b"{broken", "pi.jsonl")
    assert found.skipped_lines == 2
    assert [problem.split(":")[0] for problem in found.problems[:2]] == ["line 6 skipped", "line 13 skipped"]
    with pytest.raises(BadRecording, match=r"pi\.jsonl: line 1: 1 entries, none of them a message"):
        parse(data.splitlines()[0], "pi.jsonl")
