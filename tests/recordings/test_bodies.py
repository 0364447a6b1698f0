"""Plain bodies, message lists and OpenAI runs."""

import json

import pytest

from pumice import recordings
from pumice.errors import BadRecording, UnknownDialect
from pumice.recordings.files import parse
from pumice.wire import get


def test_a_body_is_unrolled(fixtures, shown):
    """One call for each assistant message, then the trailing turn; each body holds what came before."""
    (found,) = recordings.open(fixtures / "anthropic.json")
    assert (found.format, found.dialect, found.model) == ("body", "anthropic", "claude-sonnet-4-5")
    assert [(call.number, call.upto, call.response is None) for call in found.calls] == [
        (1, 1, False),
        (2, 3, False),
        (3, 5, True),
    ]
    first = get("anthropic").read_response(found.calls[0].response)
    assert (first.stop, first.usage, [block.call_id for block in first.blocks]) == ("tool_use", None, ["", "t1"])
    body = json.loads(found.body(found.calls[1]))
    assert (body["system"], len(body["messages"])) == ("Be brief.", 3)


def test_only_the_last_call(fixtures):
    """`last` keeps the trailing turn alone."""
    (found,) = recordings.open(fixtures / "anthropic.json", last=True)
    assert [call.upto for call in found.calls] == [5]


def test_a_body_comes_back_byte_for_byte(fixtures):
    """The body of the last call of compact JSON is the file itself; other spellings of values stay."""
    data = (fixtures / "anthropic.json").read_bytes().rstrip()
    (found,) = parse(data, "body.json")
    assert found.body(found.calls[-1]) == data
    (chat,) = recordings.open(fixtures / "chat.json")
    assert b'"temperature":0.10' in chat.body(chat.calls[-1])
    assert b'{"role": "user", "content": "6*7?"}' in chat.body(chat.calls[-1])


def test_chat_answers(fixtures):
    """An assistant message of a chat is read back as the completion it was."""
    (found,) = recordings.open(fixtures / "chat.json")
    answer = get("openai-chat").read_response(found.calls[0].response)
    assert (answer.model, answer.stop) == ("gpt-4.1", "tool_calls")
    assert [call.upto for call in found.calls] == [2, 4]


def test_successive_bodies_of_one_run(fixtures):
    """Bodies that extend each other, markers and spelling aside, are one recording with one call each."""
    run, other = recordings.open(fixtures / "steps.jsonl")
    assert (run.format, run.stem, other.stem) == ("bodies", "steps-1", "steps-2")
    assert [(call.upto, call.response is None) for call in run.calls] == [(1, False), (3, True)]
    assert (other.format, [call.upto for call in other.calls]) == ("body", [1])
    assert other.file.endswith("steps.jsonl#2")


def test_a_list_of_messages_needs_a_dialect_when_it_shows_none():
    """Text alone could be of several dialects: the error names them, and the given one decides."""
    data = b'[{"role":"user","content":"hi"},{"role":"assistant","content":"hello"}]'
    with pytest.raises(UnknownDialect, match=r"list\.json: .*anthropic or openai-chat"):
        parse(data, "list.json")
    (found,) = parse(data, "list.json", dialect="openai-chat")
    assert (found.format, found.dialect, len(found.calls), found.fields) == ("messages", "openai-chat", 1, {})


def test_messages_one_a_line(shown):
    """A list may stand one message a line, and a broken line is told."""
    call = b'{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"n","input":{}}]}'
    data = b"\n".join([b'{"role":"user","content":"hi"}', b'{"role":', call, b""])
    (found,) = parse(data, "list.jsonl")
    assert shown(found.messages) == ["user: hi", "assistant: [t]"]
    assert found.problems[0].startswith("line 2 skipped")


def test_answers_of_a_log_of_requests_and_responses():
    """The answer beside a request is the last call's, and what the log wrote around it is in no request."""
    answer = {"id": "chatcmpl-1", "model": "gpt-4.1", "choices": [{"message": {"role": "assistant", "content": "hi"}}]}
    answer["usage"] = {"prompt_tokens": 12, "completion_tokens": 1}
    entry = {
        "messages": [{"role": "system", "content": "s"}, {"role": "user", "content": "u"}],
        "tools": [],
        "response": answer,
        "cost": 1,
    }
    (found,) = parse(json.dumps(entry).encode(), "log.json")
    assert (found.calls[0].response_id, found.model, list(found.fields)) == ("chatcmpl-1", "gpt-4.1", ["tools"])
    assert get("openai-chat").read_response(found.calls[0].response).usage.input == 12


def test_runs_in_one_file(fixtures, shown):
    """Each run is a session of its own: numbered, instructions first, the trailing turn a call."""
    first, second = recordings.open(fixtures / "runs.json")
    assert [(run.stem, len(run.calls)) for run in (first, second)] == [("runs-1", 3), ("runs-2", 1)]
    assert [call.upto for call in first.calls] == [2, 4, 6]
    assert json.loads(first.messages[0])["role"] == "system"
    assert (first.format, first.dialect, first.model) == ("openai", "openai-chat", "")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b'{"messages":[],"max_tokens":1,"model":"claude-x"}', "holds no call: 0 messages"),
        (b'{"messages":[1],"model":"claude-x"}', r"request 1: messages\[0\]: 1 is not a JSON object"),
        (b'{"messages":[{"role":"wizard","content":"x"}],"model":"claude-x"}', "role 'wizard'"),
        (b'{"messages":[{"role":"user","content":5}],"model":"claude-x"}', "request 1: "),
        (b'[{"traj":[{"role":"user"},{"content":"x"}]}]', r"messages\[1\]: a message with the role None"),
        (b'[{"traj":[]}]', "no run can be read"),
        (b'[{"traj":[{"role":"system","content":"s"}]}]', "holds no call"),
    ],
)
def test_what_is_no_request(data, words):
    """It is refused in one line that names the file and the place."""
    with pytest.raises(BadRecording, match=words) as caught:
        parse(data, "body.json")
    assert str(caught.value).startswith("body.json")
    assert "\n" not in str(caught.value)


def test_one_bad_request_among_many(fixtures):
    """It is skipped and told; the others are read."""
    data = b'{"model":"claude-x","messages":[{"role":"wizard"}]}\n' + (fixtures / "steps.jsonl").read_bytes()
    first, _ = parse(data, "steps.jsonl")
    assert first.skipped_lines == 1
    assert first.problems[0].startswith("steps.jsonl: request 1: messages[0]: a message with the role 'wizard'")
    runs = json.loads((fixtures / "runs.json").read_bytes())
    (left,) = parse(json.dumps([{"traj": []}, runs[0]]).encode(), "runs.json")
    assert left.problems == ("runs.json[0]: holds no call; expected messages of a user.",)
