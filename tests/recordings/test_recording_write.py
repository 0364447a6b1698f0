"""A smaller session in the format of the recording."""

import json

import pytest

from pumice import recordings
from pumice.recordings.files import parse


@pytest.mark.parametrize(
    "name",
    ["claude.jsonl", "pi.jsonl", "runs.json", "anthropic.json", "chat.json", "steps.jsonl", "gemini.json", "gemini.jsonl"],
)
def test_written_and_read_again(fixtures, name):
    """The same messages come back, with their calls, bills and times; written twice it is the same file."""
    found = recordings.open(fixtures / name)[0]
    written = recordings.write(found, found.messages)
    again = parse(written, name, dialect=found.dialect)[0]
    assert again.messages == found.messages
    kept = [call for call in found.calls if found.format != "bodies" or call.number > 1]
    assert [call.upto for call in again.calls[-len(kept) :]] == [call.upto for call in kept]
    assert [(call.response_id, call.model, call.at) for call in again.calls] == [
        (call.response_id, call.model, call.at) for call in found.calls
    ]
    assert recordings.write(again, again.messages) == written


def test_bodies_and_lists_keep_their_bytes(fixtures):
    """Nothing but the messages changes in a body; a list stays a list."""
    data = (fixtures / "anthropic.json").read_bytes()
    (body,) = parse(data, "body.json")
    assert recordings.write(body, body.messages) == data
    shorter = json.loads(recordings.write(body, body.messages[-1:]))
    assert list(shorter) == ["model", "max_tokens", "messages", "system", "tools"]
    assert len(shorter["messages"]) == 1
    (listed,) = parse(b'[{"role": "user", "content": "a"}]', "list.json", dialect="anthropic")
    assert recordings.write(listed, listed.messages) == b'[{"role": "user", "content": "a"}]\n'


def test_a_smaller_claude_code_session(fixtures):
    """Records keep session, folder and version, are chained anew, and say what no person typed."""
    (found,) = recordings.open(fixtures / "claude.jsonl")
    preface = b'{"role":"user","content":"<pumice:digest>\\nfolded\\n</pumice:digest>"}'
    changed = found.messages[3].replace(b"ascii", b"ASCII")
    written = recordings.write(found, [preface, changed, *found.messages[4:]])
    lines = [json.loads(line) for line in written.splitlines()]
    assert [line["parentUuid"] for line in lines] == [None, *(line["uuid"] for line in lines[:-1])]
    assert {(line["sessionId"], line["cwd"], line["version"]) for line in lines} == {("s-1", "/src", "2.1.20")}
    assert [line.get("isMeta", False) for line in lines] == [True, False, False, False]
    assert "usage" not in lines[1]["message"]
    assert lines[3]["message"]["id"] == "msg_3"
    again = parse(written, "x")[0]
    assert len(again.messages) == 4
    assert again.injected == {0}
    assert recordings.write(again, again.messages) == written


def test_results_and_words_in_one_message(fixtures, shown):
    """They come back as two messages that say the same to the provider."""
    (found,) = recordings.open(fixtures / "claude.jsonl")
    mixed = found.messages[2].removesuffix(b"]}") + b',{"type":"text","text":"and more"}]}'
    again = parse(recordings.write(found, [*found.messages[:2], mixed]), "x")[0]
    assert again.messages[2] == found.messages[2]
    assert shown(again.messages[3:]) == ["user: and more"]


def test_a_smaller_chat_session_of_pi():
    """A pi session of an OpenAI model is written in pi's shapes too."""
    entries = [
        {"role": "user", "content": "6*7?"},
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "Let me see."},
                {"type": "toolCall", "id": "c1", "name": "mul", "arguments": {"a": 6}},
            ],
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
    again = parse(recordings.write(found, found.messages), "pi.jsonl")[0]
    assert (again.messages, again.calls[0].response) == (found.messages, found.calls[0].response)
