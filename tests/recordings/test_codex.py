"""Codex rollouts: items as they were sent, calls with their bills, and what the client's own compaction left."""

import json

import pytest

from pumice import recordings
from pumice.recordings.files import parse
from pumice.recordings.sniff import sniff
from pumice.wire import get, rules

R = get("openai-responses")


@pytest.fixture
def log(fixtures):
    return recordings.open(fixtures / "codex.jsonl")[0]


def usage(call) -> tuple[int, int, int]:
    found = R.read_response(call.response).usage
    return found.input, found.cache_read, found.output


def kinds(raws) -> list[str]:
    return [value.get("type", "message")[:15] for value in map(json.loads, raws)]


def test_each_response_is_a_call_with_its_bill(log):
    """Reasoning, words and parallel calls are one answer; a bill told twice counts once, a compaction's not at all."""
    assert (log.format, log.dialect, log.model) == ("codex", "openai-responses", "gpt-5.5")
    assert [(call.number, call.upto, call.model) for call in log.calls] == [
        (n, upto, "gpt-5.5") for n, upto in enumerate((4, 10, 13, 15, 18, 20), 1)
    ]
    assert [usage(call) for call in log.calls[:-1]] == [
        (11200, 9600, 140),
        (11600, 11264, 90),
        (11750, 11520, 30),
        (12100, 11700, 50),
        (2000, 0, 12),
    ]
    assert log.calls[-1].response is None
    assert kinds(json.dumps(item).encode() for item in json.loads(log.calls[0].response)["output"]) == [
        "reasoning",
        "message",
        "function_call",
        "function_call",
    ]
    assert [call.at for call in log.calls] == sorted(call.at for call in log.calls)
    assert 8_000 < log.unseen_head_tokens < 11_200
    assert json.loads(log.fields["instructions"]) == "You are Codex, a coding agent."


def test_what_was_sent_is_valid_and_what_never_was_is_left_out(log):
    """Every request keeps the rules; snapshots of the client, turns that were taken back and its summary are in no history."""
    for call in log.calls:
        assert rules.check(log.body(call), "openai-responses") == ()
    whole = b"\n".join(log.messages)
    assert b"ghost_snapshot" not in whole
    assert b"Rust" not in whole
    assert b"Another language model" not in whole
    assert log.problems == ("2 items of turns that were taken back: left out",)
    assert [b"Rust" in raw for raw in log.calls[3].recorded or ()] == []


def test_only_a_persons_words_are_typed(log):
    """What the client puts in stands under the user's role all the same."""
    typed = [
        json.loads(raw)["content"][0]["text"]
        for at, raw in enumerate(log.messages)
        if b'"user"' in raw[:60] and at not in log.injected
    ]
    assert typed == ["Why does test_cart fail? Never touch migrations/.", "Add a test for it.", "Thanks. Anything left?"]


def test_a_compaction_changes_only_what_was_sent(log):
    """After it the client sends its replacement and what it adds; the history goes on whole."""
    assert [call.recorded is not None for call in log.calls] == [False, False, False, False, True, True]
    first, second = (b"\n".join(call.recorded) for call in log.calls[4:])
    assert b"Another language model" in first
    assert b"call_A6" not in first
    assert first.count(b"environment_context") == 4
    assert second.startswith(first)
    assert b"The test is added." in second
    assert b"call_A6" in log.messages[16]


def test_a_log_of_old_is_rebuilt(fixtures):
    """Without the replacement, context, a person's words and the summary stand for the rest."""
    lines = (fixtures / "codex.jsonl").read_text().splitlines()
    told = [json.loads(line) for line in lines]
    for one in told:
        one["payload"].pop("replacement_history", None)
    found = parse("\n".join(map(json.dumps, told)).encode(), "x.jsonl")[0]
    sent = [json.loads(raw) for raw in found.calls[4].recorded]
    assert [one["role"] for one in sent] == ["developer", "user", "user", "user", "user", "user", "user"]
    assert sent[5]["content"].startswith("Another language model")
    assert sent[5]["content"].endswith("a test is to be added.")


def test_a_smaller_session_is_a_rollout_again(log):
    """It keeps the session's first lines, the bills of answers that stand, and what was typed; our preface was not."""
    preface = R.user("<pumice:digest>\nfolded\n</pumice:digest>")
    written = recordings.write(log, [preface, *log.messages[9:]])
    assert sniff(written, "x") == "codex"
    again = parse(written, "x.jsonl")[0]
    assert again.outer == log.outer
    assert again.messages == (preface, *log.messages[9:])
    assert [usage(call) for call in again.calls[:-1]] == [usage(call) for call in log.calls[1:-1]]
    assert 0 in again.injected
    assert len(again.messages) - len(again.injected) > 2
    whole = parse(recordings.write(log, log.messages), "x.jsonl")[0]
    assert (whole.messages, whole.injected) == (log.messages, log.injected)


def test_damage_is_told_and_passed_over(fixtures):
    """A line that broke off, an item nobody can send and a kind nobody knows cost themselves alone."""
    data = (fixtures / "codex.jsonl").read_bytes()
    more = b'{"type":"from_next_year","payload":{}}\n{"type":"response_item","payload":{"role":"critic"}}\n{"type":"respo'
    found = parse(data + more, "x.jsonl")[0]
    assert found.messages == recordings.open(fixtures / "codex.jsonl")[0].messages
    assert found.skipped_lines == 2


def test_bodies_and_lists_of_the_api_are_read():
    """A request body, with items or one prompt, and a bare list of items: one call for each answer in it."""
    call = {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}
    output = {"type": "function_call_output", "call_id": "c", "output": "x"}
    said = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "ok"}]}
    listed = [
        {"role": "user", "content": "a"},
        {"type": "reasoning", "summary": [], "encrypted_content": "s"},
        call,
        output,
        said,
    ]
    for given, form in (({"model": "gpt-5", "input": listed}, "body"), (listed, "messages")):
        (found,) = parse(json.dumps(given).encode(), "x.json")
        assert (found.dialect, found.format, [one.upto for one in found.calls]) == ("openai-responses", form, [1, 4])
        assert kinds(json.dumps(one).encode() for one in json.loads(found.calls[0].response)["output"]) == [
            "reasoning",
            "function_call",
        ]
        assert json.loads(recordings.write(found, found.messages)) == given
    (found,) = parse(b'{"model":"gpt-5","input":"hi"}', "x.json")
    assert [one.upto for one in found.calls] == [1]
