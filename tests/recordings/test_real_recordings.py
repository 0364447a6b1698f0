"""Real sessions of real clients: what the readers make of them, in figures."""

import json

import pytest

from pumice import recordings
from pumice.domain.block import Kind
from pumice.measure import tokens
from pumice.wire import get

CALLS = {"13": 73, "25": 169, "43": 258, "54": 31, "5c": 199, "7d": 122, "98": 97, "d3": 16, "fc": 133}
"""Model calls of each session by the first letters of its name, 1,098 in all (frontier §1)."""


def _open(data, name):
    (found,) = (recordings.open(path) for path in (data / "claude-code").glob(f"{name}-*.jsonl"))
    assert len(found) == 1
    return found[0]


def _size(recording):
    """Tokens of the full history by frontier's count: o200k × 1.25 + 8 per block, reasoning left out."""
    reader = get(recording.dialect)
    blocks = [block for raw in recording.messages for block in reader.read_message(raw).blocks]
    counted = tokens.count_many([block.text for block in blocks if block.kind is not Kind.REASONING])
    return sum(round(count * 1.25) + 8 for count in counted)


def _check_pairs(recording):
    """Every result stands in the message right behind its call, and only calls at a cut have none."""
    reader = get(recording.dialect)
    open_calls: set[str] = set()
    dangling = 0
    for raw in recording.messages:
        blocks = reader.read_message(raw).blocks
        results = {block.call_id for block in blocks if block.kind is Kind.RESULT}
        assert results <= open_calls
        dangling += len(open_calls - results)
        open_calls = {block.call_id for block in blocks if block.kind is Kind.CALL}
    return dangling


@pytest.mark.parametrize("name", ["7d", "d3"])
def test_two_sessions(data, name):
    """Calls are counted, pairs stand together, and the one corrupt line is told."""
    recording = _open(data, name)
    assert len(recording.calls) == CALLS[name]
    assert _check_pairs(recording) == 0
    assert recording.skipped_lines == (name == "7d")
    assert [problem.split(":")[0] for problem in recording.problems] == (["line 172 skipped"] if name == "7d" else [])


@pytest.mark.recordings
def test_all_nine_sessions(data):
    """Calls, sizes, growth and the head that the logs do not show are those of frontier.md within 2 percent."""
    read = {name: _open(data, name) for name in CALLS}
    assert {name: len(recording.calls) for name, recording in read.items()} == CALLS
    sizes = {name: _size(recording) for name, recording in read.items()}
    assert min(sizes.values()) == pytest.approx(79_000, rel=0.02)
    assert max(sizes.values()) == pytest.approx(282_000, rel=0.02)
    assert sum(sizes.values()) == pytest.approx(1_540_000, rel=0.02)
    assert sum(sizes.values()) / sum(CALLS.values()) == pytest.approx(1_400, rel=0.02)
    assert all(27_000 <= recording.unseen_head_tokens <= 44_000 for recording in read.values())
    assert sum(map(_check_pairs, read.values())) == 2


@pytest.mark.recordings
def test_compactions_of_the_nine(data):
    """After each of the eight boundaries the client sent a summary first, and less than the full history."""
    boundaries = 0
    for recording in (_open(data, name) for name in CALLS):
        firsts = [call.recorded[0] for call in recording.calls if call.recorded]
        boundaries += len(dict.fromkeys(firsts))
        assert all(b"This session is being continued" in first for first in firsts)
        assert not any(first in recording.messages for first in firsts)
    assert boundaries == 8


@pytest.mark.recordings
def test_responses_of_the_nine(data):
    """Every recorded answer is read with its id, its bill and the message it became."""
    reader = get("anthropic")
    for recording in (_open(data, name) for name in CALLS):
        for call in recording.calls:
            answer = reader.read_response(call.response)
            assert (answer.id, answer.model) == (call.response_id, call.model)
            assert answer.usage.input > 0
            assert answer.messages[0].key == reader.read_message(recording.messages[call.upto]).key


@pytest.mark.recordings
@pytest.mark.parametrize("name", [*CALLS, "pi"])
def test_real_logs_written_and_read_again(data, name):
    """A log written from its own messages is read back as the same messages, calls, bills and times."""
    if name == "pi":
        (found,) = recordings.open(data / "pi-sessions" / "large-session.jsonl")
    else:
        found = _open(data, name)
    again = recordings.files.parse(recordings.write(found, found.messages), "again")[0]
    assert again.messages == found.messages
    assert [(call.upto, call.response, call.at) for call in again.calls] == [
        (call.upto, call.response, call.at) for call in found.calls
    ]


def test_the_pi_session(data):
    """431 answered calls; 22 aborted or failed turns are told and left out; every pair stands together."""
    (found,) = recordings.open(data / "pi-sessions" / "large-session.jsonl")
    assert (len(found.calls), found.skipped_lines, len(found.problems)) == (431, 0, 22)
    assert _check_pairs(found) == 0
    assert found.dialect == "anthropic"


def test_the_airline_runs(data):
    """120 sessions, the policy first in each, one call an assistant message and the trailing turn."""
    runs = recordings.open(data / "tau-bench" / "gpt-4o-airline.json")
    assert len(runs) == 120
    assert sum(len(run.calls) for run in runs) == 1481 + 120
    assert all(json.loads(run.messages[0])["content"].startswith("# Airline Agent Policy") for run in runs)
    assert (runs[0].stem, runs[-1].stem) == ("gpt-4o-airline-1", "gpt-4o-airline-120")


def test_gemini_cli_sessions(data):
    """Calls with their bills and what every tool gave; a remark of the client parts no answer from its calls."""
    paths = sorted((data / "gemini-cli-entire").iterdir())
    found = [recordings.open(path)[0] for path in paths]
    assert [(len(one.calls), len(one.messages), one.skipped_lines) for one in found] == [(4, 8, 0), (5, 10, 0), (10, 20, 0)]
    for one in found:
        assert (one.format, one.dialect, one.model) == ("gemini-cli", "gemini", "gemini-2.5-flash")
        usages = [get("gemini").read_response(call.response).usage for call in one.calls]
        assert all(usage is not None and usage.input > 11_000 for usage in usages)
        assert one.unseen_head_tokens > 12_000
        again = recordings.files.parse(recordings.write(one, one.messages), "again.json")[0]
        assert again.messages == one.messages


def test_formats_of_later(data):
    """Logs that are not read yet are recognised by name."""
    for folder, name in (("inspect-logs", "inspect"), ("cline-session", "cline")):
        path = sorted((data / folder).iterdir())[0]
        with pytest.raises(recordings.files.BadRecording, match=f"format {name}, not supported yet"):
            recordings.open(path)


def test_requests_of_one_run(data):
    """OpenHands' logs of one run, one a line, are one session whose calls have their answers."""
    paths = sorted((data / "openhands-llm-logs").glob("llm-logs*.json"))
    lines = [json.dumps(json.loads(path.read_bytes())) for path in paths]
    (found,) = recordings.files.parse("\n".join(lines).encode(), "run.jsonl")
    assert [call.upto for call in found.calls] == [2, 4, 6, 8, 10, 12]
    assert all(call.response_id and call.response for call in found.calls)
