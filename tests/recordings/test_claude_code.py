"""Claude Code logs, trap by trap."""

import json

from pumice.wire import get


def test_one_response_over_several_lines(claude, block, shown):
    """Lines that share a message id are one assistant message and one call, whose usage is that of the last line."""
    log = claude().user("u1", "hello").says("a1", "m1", block("I look.")).says("a2", "m1", block(call="c1"), tokens=900)
    recording = log.result("r1", "c1", "out").says("a3", "m2", block("Done.")).read()[0]
    assert shown(recording.messages) == ["user: hello", "assistant: I look. [c1]", "user: c1=out", "assistant: Done."]
    assert [(call.number, call.upto, call.response_id) for call in recording.calls] == [(1, 1, "m1"), (2, 3, "m2")]
    usage = get("anthropic").read_response(recording.calls[0].response).usage
    assert (usage.input, usage.cache_read, usage.cache_write) == (1403, 500, 900)


def test_results_between_the_lines_of_a_response(claude, block, shown):
    """Results stand together in one user message behind the whole response, in the order they came."""
    log = claude().user("u1", "go").says("a1", "m1", block(call="c1")).result("r1", "c1", "one")
    log.says("a2", "m1", block(call="c2")).says("a3", "m1", block(call="c3")).result("r3", "c3", "three", parent="a3")
    recording = log.result("r2", "c2", "two", parent="a2").says("a4", "m2", block("ok"), parent="r2").read()[0]
    assert shown(recording.messages)[1:3] == ["assistant: [c1] [c2] [c3]", "user: c1=one c3=three c2=two"]
    assert len(recording.calls) == 2


def test_lines_that_are_no_messages(claude, block, shown):
    """Progress, snapshots, queues, summaries, synthetic answers and API errors are in no message and no call."""
    log = claude().raw('{"type":"summary","summary":"s","leafUuid":"x"}').user("u1", "hi")
    log.record("progress", "p1", data={"message": {"type": "user", "message": {"role": "user", "content": "inner"}}})
    log.raw('{"type":"file-history-snapshot","messageId":"u1","snapshot":{}}')
    log.raw('{"type":"queue-operation","operation":"enqueue","content":"later","sessionId":"s-1"}')
    log.says("a0", "m0", block("API Error"), isApiErrorMessage=True)
    synthetic = {"model": "<synthetic>", "id": "x", "role": "assistant", "content": [block("No response requested.")]}
    log.record("assistant", "a1", message=synthetic)
    recording = log.says("a2", "m1", block("hello")).read()[0]
    assert shown(recording.messages) == ["user: hi", "assistant: hello"]
    assert (len(recording.calls), recording.skipped_lines, recording.problems) == (1, 0, ())


def test_a_corrupt_line_is_told_and_skipped(claude, block, shown):
    """A line that is no record is counted and named with what was expected; the rest is read."""
    log = claude().user("u1", "hi").raw('{"type":"user","uuid":"u2"').raw('{"type":"user","uuid":"u3"}').raw("[1]")
    recording = log.says("a1", "m1", block("hello")).read()[0]
    assert shown(recording.messages) == ["user: hi", "assistant: hello"]
    assert recording.skipped_lines == 3
    assert [problem.split(" skipped")[0] for problem in recording.problems] == ["line 2", "line 3", "line 4"]
    assert all("expected a Claude Code record" in problem for problem in recording.problems)


def test_typed_words_beside_a_result(claude, block, shown):
    """What a person typed into a record of results is a user message of its own."""
    log = claude().user("u1", "go").says("a1", "m1", block(call="c1"))
    answer = {"tool_use_id": "c1", "type": "tool_result", "content": "out"}
    recording = log.user("u2", [answer, block("my name is Ann")]).says("a2", "m2", block("hi Ann")).read()[0]
    assert shown(recording.messages)[2:4] == ["user: c1=out", "user: my name is Ann"]


def test_calls_answered_late_or_never(claude, block, shown):
    """A result the model had not seen stands where it came; a call without a result stays without one."""
    log = claude().user("u1", "go").says("a1", "m1", block(call="c1"), block(call="c2")).result("r1", "c1", "one")
    log.says("a2", "m2", block("moving on")).result("r2", "c2", "two", parent="a1")
    recording = log.says("a3", "m3", block(call="c9"), parent="a2").read()[0]
    expected = ["user: go", "assistant: [c1] [c2]", "user: c1=one", "assistant: moving on", "user: c2=two", "assistant: [c9]"]
    assert shown(recording.messages) == expected
    assert [call.upto for call in recording.calls] == [1, 3, 5]


def test_results_twice_and_of_no_call(claude, block, shown):
    """A second result of one call is left out and told; a result of no known call is kept and told."""
    log = claude().user("u1", "go").says("a1", "m1", block(call="c1")).result("r1", "c1", "one").result("r2", "c1", "again")
    recording = log.result("r3", "ghost", "boo").says("a2", "m2", block("ok")).read()[0]
    assert shown(recording.messages)[2:] == ["user: c1=one", "user: ghost=boo", "assistant: ok"]
    assert recording.problems == (
        "line 4: a second result of call c1: ignored",
        "line 5: a result of no known call",
    )


def test_reused_call_ids_in_one_response(claude, block, shown):
    """Two calls under one id take two results, in order."""
    log = claude().user("u1", "go").says("a1", "m1", block(call="x"), block(call="x")).result("r1", "x", "a")
    recording = log.result("r2", "x", "b").read()[0]
    assert shown(recording.messages)[2] == "user: x=a x=b"
    assert recording.problems == ()


def test_a_record_that_stands_twice(claude, block, shown):
    """A record whose uuid was seen before is ignored and told."""
    log = claude().user("u1", "hi")
    log.raw(log.lines[0])
    recording = log.says("a1", "m1", block("hello")).read()[0]
    assert shown(recording.messages) == ["user: hi", "assistant: hello"]
    assert recording.problems == ("line 2 repeats record u1: ignored",)


def test_reasoning_keeps_its_place(claude, block, shown):
    """Signed thinking stays in the message as recorded; a response of thinking alone is no call and no message."""
    thinking = {"type": "thinking", "thinking": "hm", "signature": "c2ln"}
    log = claude().user("u1", "hi").says("a1", "m1", thinking).user("u2", "[Request interrupted by user]").user("u3", "again")
    recording = log.says("a2", "m2", thinking).says("a3", "m2", block(call="c1")).read()[0]
    assert json.loads(recording.messages[-1])["content"][0] == thinking
    assert shown(recording.messages)[:3] == ["user: hi", "user: [Request interrupted by user]", "user: again"]
    assert len(recording.calls) == 1
    assert recording.problems[0].startswith("line 2: a response without words or calls")


def test_blank_texts_and_images(claude, block, shown):
    """White space alone, which providers refuse, is left out; an image passes untouched."""
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}
    log = claude().user("u1", [image]).says("a1", "m1", block("\n\n")).says("a2", "m1", block("I see."))
    recording = log.read()[0]
    assert json.loads(recording.messages[0])["content"] == [image]
    assert shown(recording.messages) == ["user: image", "assistant: I see."]


def test_what_the_client_wrote_itself(claude, block):
    """Meta records and command output are sent, and known as no person's words."""
    log = claude().user("u1", [block("Base directory for this skill: /x")], isMeta=True).user("u2", "never push")
    log.user("u3", "<local-command-stdout>ok</local-command-stdout>").user("u4", "<command-name>/fix</command-name> tests only")
    recording = log.says("a1", "m1", block("yes")).read()[0]
    assert len(recording.messages) == 5
    assert recording.injected == {0, 2}


def test_a_trailing_turn_is_a_call(claude, block):
    """Words or results nothing answered yet are a call without a response; the client's own markup is none."""
    log = claude().user("u1", "go").says("a1", "m1", block(call="c1")).result("r1", "c1", "out")
    trailing = log.read()[0].calls[-1]
    assert (trailing.number, trailing.upto, trailing.response, trailing.response_id) == (2, 3, None, None)
    assert trailing.model == "claude-opus-4-5"
    log.user("u2", "<command-name>/exit</command-name>")
    assert len(log.read()[0].calls) == 1


def test_times_are_those_of_the_request(claude, block):
    """A call left when its newest input came."""
    log = claude().user("u1", "go").says("a1", "m1", block(call="c1")).result("r1", "c1", "out").says("a2", "m2", block("ok"))
    first, second = log.read()[0].calls
    assert second.at - first.at == 2.0


def test_lines_only_the_slow_reader_reads(claude, block):
    """Lone surrogates and NaN come through, as escapes and as written."""
    log = (
        claude()
        .user("u1", "hi")
        .raw(
            '{"type":"assistant","uuid":"a1","parentUuid":"u1","sessionId":"s-1","message":{"model":"m","id":"m1","role":'
            '"assistant","content":[{"type":"text","text":"\\ud83d"},{"type":"tool_use","id":"c1","name":"n","input":{"x":NaN}}]}}'
        )
    )
    recording = log.read()[0]
    assert recording.skipped_lines == 0
    assert b'"\\ud83d"' in recording.messages[1]
    assert b'"x":NaN' in recording.messages[1]
    assert len(get("anthropic").read_message(recording.messages[1]).blocks) == 2


def test_a_log_that_begins_with_an_answer(claude, block, shown):
    """What the model answered is not known, so the response and its results are left out and told."""
    log = claude().says("a1", "m1", block(call="c1"), parent="gone").result("r1", "c1", "out").user("u1", "go on")
    recording = log.says("a2", "m2", block("ok")).read()[0]
    assert shown(recording.messages) == ["user: go on", "assistant: ok"]
    assert recording.problems == ("line 1: a response before any user message: left out",)
