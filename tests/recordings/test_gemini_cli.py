"""Gemini CLI sessions: the old JSON file, and the log of lines that has taken its place."""

import json

import pytest

from pumice import recordings
from pumice.recordings.files import parse
from pumice.recordings.sniff import sniff
from pumice.wire import get, rules
from pumice.wire.gemini.signatures import SKIP

DIALECT = get("gemini")


@pytest.fixture
def old(fixtures):
    return recordings.open(fixtures / "gemini.json")[0]


@pytest.fixture
def log(fixtures):
    return recordings.open(fixtures / "gemini.jsonl")[0]


def parts(raw: bytes) -> list[dict]:
    return json.loads(raw)["parts"]


def usage(call) -> tuple[int, int, int]:
    found = DIALECT.read_response(call.response).usage
    return found.input, found.cache_read, found.output


def test_each_answer_is_a_call_with_its_bill(old):
    """What was billed, when the request left, and that the head is in no recording."""
    assert [(call.number, call.upto, call.model) for call in old.calls] == [(1, 1, M), (2, 3, M), (3, 5, M)]
    assert [usage(call) for call in old.calls] == [(12874, 0, 71), (13010, 12800, 56), (13100, 13000, 12)]
    assert [call.at for call in old.calls] == sorted(call.at for call in old.calls)
    assert all(call.response_id is None and call.recorded is None for call in old.calls)
    assert 12_000 < old.unseen_head_tokens < 12_874


M = "gemini-2.5-pro"


def test_calls_stand_in_their_answer_and_results_behind_it(old):
    """Parallel calls in one content, all they gave in the next; a remark of the client is no message."""
    roles = [json.loads(raw)["role"] for raw in old.messages]
    assert roles == ["user", "model", "user", "model", "user", "model"]
    assert [list(part) for part in parts(old.messages[1])] == [["text"], ["functionCall"], ["functionCall"]]
    results = [part["functionResponse"] for part in parts(old.messages[2])]
    assert [(one["id"], list(one["response"])) for one in results] == [("read_file-1-a", ["output"]), ("glob-1-b", ["error"])]
    assert [list(part) for part in parts(old.messages[3])] == [["text"], ["functionCall"]], "parted by a remark"
    assert rules.check(old.body(old.calls[-1]), "gemini") == ()


def test_a_message_written_again_is_the_same_one(log):
    """The newest line of an id holds; what was taken back is left out and told."""
    assert [call.upto for call in log.calls] == [2, 4, 6, 8, 10]
    assert log.problems == ("2 messages that were taken back: left out",)
    assert not any(b"Rust" in raw for raw in log.messages)
    assert b"session_context" in log.messages[0]
    assert usage(log.calls[0]) == (9100, 0, 90)
    assert rules.check(log.body(log.calls[-1]), "gemini") == ()


def test_signed_parts_of_a_synchronised_history_are_kept(log):
    """Answers have their signatures where the file has them; what is there twice under one id counts once."""
    made = parts(log.messages[2])
    assert [part.get("thoughtSignature") for part in made] == [None, "c2lnbmVk", None]
    assert [part["functionResponse"]["id"] for part in parts(log.messages[3])] == [
        "run_shell_command_1700_0",
        "run_shell_command_1700_1",
    ]


def test_masked_results_and_summaries_stand_only_in_what_was_sent(log):
    """The history keeps the whole log; after the client's own compaction its calls saw less."""
    assert b"crc32" in log.messages[3]
    assert [call.recorded is not None for call in log.calls] == [False, False, False, True, True]
    masked, compacted = (b"\n".join(call.recorded) for call in log.calls[3:])
    assert b"tool_output_masked" in masked
    assert b"crc32" not in masked
    assert b"state_snapshot" in compacted
    assert b"Got it." in compacted
    assert b"Why does the build fail?" not in compacted
    assert not any(b"state_snapshot" in raw for raw in log.messages)
    assert [json.loads(raw)["role"] for raw in log.calls[4].recorded[-3:]] == ["user", "model", "user"]


def test_a_session_without_signatures_gets_the_stand_in_where_its_model_asks(old):
    """Old files keep none; the client itself sends the documented stand-in then (K-G10)."""
    told = recordings.write(old, old.messages).replace(b"gemini-2.5-pro", b"gemini-3-pro-preview")
    found = parse(told, "x.json")[0]
    assert [parts(raw)[1].get("thoughtSignature") for raw in found.messages[1:4:2]] == [SKIP, SKIP]
    assert rules.check(found.body(found.calls[-1]), "gemini") == ()


def test_a_smaller_session_keeps_its_form(old, log):
    """What stands around the messages stays; the form is told without its name, and a preface of ours comes back as it was."""
    preface = DIALECT.user("<pumice:digest>\nfolded\n</pumice:digest>")
    for found in (old, log):
        written = recordings.write(found, [preface, *found.messages[-4:]])
        assert sniff(written, "x") == "gemini-cli"
        again = parse(written, "x")[0]
        assert (again.outer, again.messages_at) == (found.outer, found.messages_at)
        assert again.messages == (preface, *found.messages[-4:])
        assert [usage(call) for call in again.calls[-1:]] == [usage(call) for call in found.calls[-1:]]
    assert list(json.loads(recordings.write(old, old.messages)))[:2] == ["sessionId", "projectHash"]


def test_damage_is_told_and_passed_over(fixtures):
    """A line that broke off, and records nobody knows, cost themselves alone."""
    data = (fixtures / "gemini.jsonl").read_bytes()
    found = parse(data + b'{"odd":1}\n{"id":"late","type":"us', "x.jsonl")[0]
    assert found.messages == recordings.open(fixtures / "gemini.jsonl")[0].messages
    assert found.skipped_lines == 2
    whole = json.loads((fixtures / "gemini.json").read_bytes())
    whole["messages"][1] = {"id": 7}
    assert "messages[1] skipped" in parse(json.dumps(whole).encode(), "x.json")[0].problems[0]


def test_a_plain_body_is_unrolled():
    """A request body without a name of a model: one call for each answer in it."""
    contents = [json.loads(DIALECT.user("a")), {"role": "model", "parts": [{"text": "b"}]}, json.loads(DIALECT.user("c"))]
    (found,) = parse(json.dumps({"contents": contents}).encode(), "body.json")
    assert (found.dialect, found.format, [call.upto for call in found.calls]) == ("gemini", "body", [1, 3])
    assert DIALECT.read_response(found.calls[0].response).blocks[0].text == "b"
    assert json.loads(recordings.write(found, found.messages)) == {"contents": contents}
