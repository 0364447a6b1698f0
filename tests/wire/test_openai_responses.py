"""Responses: every item one message, with what makes it the same one and what may be done to it."""

import json

import pytest

from pumice import wire
from pumice.domain.block import Kind, Role
from pumice.errors import BadRequest
from pumice.wire import sse
from pumice.wire.double import Double, Say, Use

R = wire.get("openai-responses")
MARK = {"prompt_cache_breakpoint": {"mode": "explicit"}}
CALL = {"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "shell", "arguments": '{"command": ["ls", "-l"]}'}


def read(value: object):
    return R.read_message(json.dumps(value).encode())


def rewritten(value: dict, forms: dict) -> dict | None:
    raw = R.rewrite(read(value), forms)
    return None if raw is None else json.loads(raw)


@pytest.mark.parametrize(
    ("item", "role", "kind", "text", "call_id", "tool"),
    [
        ({"role": "developer", "content": "Be brief."}, Role.SYSTEM, Kind.TEXT, "Be brief.", "", ""),
        (
            {"type": "reasoning", "summary": [{"text": "s"}], "encrypted_content": "x"},
            Role.ASSISTANT,
            Kind.REASONING,
            "",
            "",
            "",
        ),
        (CALL, Role.ASSISTANT, Kind.CALL, "ls\n-l", "c1", "shell"),
        (
            {"type": "custom_tool_call", "call_id": "c2", "name": "apply_patch", "input": "*** Begin Patch"},
            Role.ASSISTANT,
            Kind.CALL,
            "*** Begin Patch",
            "c2",
            "apply_patch",
        ),
        (
            {"type": "local_shell_call", "call_id": "c3", "action": {"type": "exec", "command": ["pwd"]}},
            Role.ASSISTANT,
            Kind.CALL,
            "exec\npwd",
            "c3",
            "local_shell",
        ),
        ({"type": "function_call_output", "call_id": "c1", "output": "a\nb"}, Role.TOOL, Kind.RESULT, "a\nb", "c1", ""),
        (
            {
                "type": "shell_call_output",
                "call_id": "c",
                "output": [{"stdout": "o", "stderr": "e", "outcome": {"type": "exit", "exit_code": 1}}],
            },
            Role.TOOL,
            Kind.RESULT,
            "o\ne",
            "c",
            "",
        ),
        ({"type": "web_search_call", "id": "ws_1", "action": {"query": "q"}}, Role.ASSISTANT, Kind.OPAQUE, "ws_1\nq", "", ""),
        ({"type": "compaction", "encrypted_content": "gAAA"}, Role.ASSISTANT, Kind.OPAQUE, "", "", ""),
        ({"type": "additional_tools", "role": "developer", "tools": [{}]}, Role.SYSTEM, Kind.OPAQUE, "", "", ""),
        ({"type": "from_next_year", "words": "w"}, Role.ASSISTANT, Kind.OPAQUE, "w", "", ""),
    ],
)
def test_items_are_read_by_kind(item, role, kind, text, call_id, tool):
    """Who speaks, what it says and which half of which pair it is."""
    message = read(item)
    block = message.blocks[0]
    assert (message.role, block.kind, block.text, block.call_id, block.tool) == (role, kind, text, call_id, tool)


def test_what_is_transport_makes_no_other_item():
    """Ids, status, nulls of an echo, key order, markers, string or list: the same item (what Codex changes between calls)."""
    same = [
        (
            {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "x"},
            {"content": None, "encrypted_content": "x", "summary": [], "type": "reasoning", "status": "completed"},
        ),
        (CALL, {**CALL, "id": None, "status": "completed", "arguments": '{ "command":["ls","-l"] }'}),
        (
            {"role": "user", "content": "hi"},
            {"type": "message", "role": "user", "id": "m", "content": [{"type": "input_text", "text": "hi", **MARK}]},
        ),
        (
            {"role": "assistant", "content": "hi"},
            {
                "type": "message",
                "role": "assistant",
                "content": [{"type": "output_text", "text": "hi", "annotations": [], "logprobs": []}],
            },
        ),
        (
            {"type": "function_call_output", "call_id": "c", "output": "x"},
            {"type": "function_call_output", "id": "fco_1", "call_id": "c", "output": [{"type": "input_text", "text": "x"}]},
        ),
    ]
    for one, other in same:
        assert read(one).key == read(other).key, one
        assert [block.hash for block in read(one).blocks] == [block.hash for block in read(other).blocks]
    assert read(CALL).key != read({**CALL, "call_id": "c2"}).key
    assert read({"role": "user", "content": "x"}).key != read({"role": "developer", "content": "x"}).key


def test_a_string_is_one_user_message_and_goes_back_as_a_string():
    """`input` given as a string leaves as one while nothing is added, whatever else changes."""
    body = b'{"model":"gpt-5","input": "h\\u00e9"}'
    request = R.open(body)
    assert [block.text for raw in request.messages for block in R.read_message(raw).blocks] == ["hé"]
    assert R.close(request, request.messages) == body
    assert (
        R.close(request, request.messages, fields={"store": b"false"}) == b'{"model":"gpt-5","input":"h\\u00e9","store":false}'
    )
    longer = json.loads(R.close(request, [*request.messages, R.user("and?")]))
    assert longer["input"] == [{"role": "user", "content": "hé"}, {"role": "user", "content": "and?"}]
    assert not request.is_delta


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"previous_response_id": "resp_1"}, True),
        ({"conversation": {"id": "conv_1"}}, True),
        ({"previous_response_id": None, "conversation": None}, False),
    ],
)
def test_a_delta_is_known(fields, expected):
    """Input that goes on from what the provider holds says nothing alone (R10)."""
    assert R.open(json.dumps({"model": "m", **fields, "input": []}).encode()).is_delta is expected


def test_edited_items_lose_the_id_they_are_stored_under():
    """R5: what says something else is another item; what it answers, its phase and its shape stay."""
    said = {
        "type": "message",
        "id": "msg_1",
        "role": "assistant",
        "phase": "commentary",
        "content": [{"type": "output_text", "text": "long", "annotations": [{}]}],
    }
    assert rewritten(said, {0: "s"}) == {
        "type": "message",
        "role": "assistant",
        "phase": "commentary",
        "content": [{"type": "output_text", "text": "s", "annotations": []}],
    }
    assert rewritten(CALL, {0: '{"a":1}'}) == {**{k: v for k, v in CALL.items() if k != "id"}, "arguments": '{"a":1}'}
    shown = {
        "type": "function_call_output",
        "id": "fco_1",
        "call_id": "c",
        "output": [{"type": "input_image", "image_url": "u"}],
    }
    assert rewritten(shown, {0: "⋯"}) == {"type": "function_call_output", "call_id": "c", "output": "⋯"}
    shell = {
        "type": "shell_call_output",
        "call_id": "c",
        "output": [{"stdout": "o", "stderr": "", "outcome": {"type": "exit", "exit_code": 2}}],
    }
    assert rewritten(shell, {0: "⋯"})["output"] == [{"stdout": "⋯", "stderr": "", "outcome": {"type": "exit", "exit_code": 2}}]
    assert rewritten(CALL, {0: None}) is None
    assert rewritten({"role": "user", "content": "a"}, {0: "b"}) == {"role": "user", "content": "b"}


def test_markers_move_with_what_goes():
    """A breakpoint of a part that goes stands on the nearest that stays, one of an item on the item that is left."""
    two = {"role": "user", "content": [{"type": "input_text", "text": "a"}, {"type": "input_text", "text": "b", **MARK}]}
    assert rewritten(two, {1: None}) == {"role": "user", "content": [{"type": "input_text", "text": "a", **MARK}]}
    bare = json.dumps({"role": "user", "content": [{"type": "input_text", "text": "x"}]}).encode()
    marked = R.remark(json.dumps(two).encode(), bare)
    assert json.loads(marked)["content"] == [{"type": "input_text", "text": "x", **MARK}]
    assert json.loads(R.unmarked(marked)) == json.loads(bare)
    assert R.unmarked(bare) is bare


def test_loose_items_are_tied_to_nothing():
    """R9: without ids; reasoning that is only an id cannot go alone, what the provider's tools made is its id."""
    raw = json.dumps(CALL).encode()
    assert "id" not in json.loads(R.loose(raw) or b"")
    assert R.loose(b'{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"x"}') == (
        b'{"type":"reasoning","summary":[],"encrypted_content":"x"}'
    )
    assert R.loose(b'{"type":"reasoning","id":"rs_1","summary":[]}') is None
    for kept in (b'{"type":"web_search_call","id":"ws_1"}', b'{"role":"user","content":"x"}'):
        assert R.loose(kept) is kept


def test_repair_pairs_calls_and_outputs_in_the_clients_order():
    """A lost output is an aborted one behind its batch, one without a call goes, one without any id is the client's."""
    goal = {"type": "function_call_output", "name": "goal_objective", "namespace": "agent", "output": "ship it"}
    other = {"type": "custom_tool_call", "call_id": "c2", "name": "p", "input": "x"}
    listed = [
        CALL,
        other,
        {"type": "function_call_output", "call_id": "c1", "output": "o"},
        goal,
        {"role": "user", "content": "go"},
    ]
    orphan = {"type": "function_call_output", "call_id": "zz", "output": "?"}
    found = R.repair([json.dumps(item).encode() for item in [*listed, orphan]])
    sent = [json.loads(raw) for raw in found.messages]
    assert [(item.get("type"), item.get("call_id")) for item in sent] == [
        ("function_call", "c1"),
        ("custom_tool_call", "c2"),
        ("function_call_output", "c1"),
        ("function_call_output", None),
        ("custom_tool_call_output", "c2"),
        (None, None),
    ]
    assert found.sentences[0].startswith("input[5]: a result for 'zz'")
    assert found.sentences[1].startswith("input[1]: the call 'c2' (p) has no result")
    assert R.repair(found.messages).sentences == ()


def test_units_have_the_paths_of_the_request():
    """Tools, instructions, then items and their parts."""
    body = {
        "model": "m",
        "instructions": "s",
        "tools": [{"type": "function", "name": "f"}],
        "input": [{"role": "user", "content": "a"}, CALL, {"role": "user", "content": [{"type": "input_text", "text": "b"}]}],
    }
    paths = [unit.path for unit in R.units(json.dumps(body).encode())]
    assert paths == ["tools[0]", "instructions", "input[0].content", "input[1]", "input[2].content[0]"]


def test_an_answer_holds_several_messages():
    """Reasoning, words and calls side by side; usage as reported; a failed answer holds none."""
    script = [Say("I look", (Use("shell", {"command": "ls"}),), thinking="hm")]
    body = json.dumps({"model": "gpt-5", "input": "hi", "stream": True}).encode()
    reply = Double(script).answer(body, "openai-responses")
    answer = sse.read(reply.chunks(9), R.stream())
    assert [message.blocks[0].kind for message in answer.messages] == [Kind.REASONING, Kind.TEXT, Kind.CALL]
    assert all(message.is_part for message in answer.messages)
    assert (answer.stop, answer.usage.input > 0 if answer.usage else None) == ("completed", True)
    with pytest.raises(BadRequest):
        R.read_response(b'{"error":{"message":"no"}}')
    failed = R.read_response(b'{"id":"r","status":"failed","output":[],"error":{"code":"server_error"}}')
    assert (failed.messages, failed.stop) == ((), "error")
    cut = b'{"id":"r","status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[]}'
    assert R.read_response(cut).stop == "max_output_tokens"


@pytest.mark.parametrize(
    ("events", "stop"),
    [
        ([{"type": "response.created", "response": {"id": "r"}}], "incomplete"),
        ([{"type": "response.failed", "response": {"id": "r", "error": {"code": "x"}}}], "error"),
        ([{"type": "error", "code": "server_error", "message": "x"}], "error"),
        (
            [{"type": "response.output_item.done", "output_index": 0, "item": {"role": "assistant", "content": "x"}}],
            "incomplete",
        ),
    ],
)
def test_streams_that_end_badly_hold_no_message(events, stop):
    """Cut off, failed, or an error after 200: nothing of it is an answer."""
    lines = b"".join(b"event: x\ndata: " + json.dumps(event).encode() + b"\n\n" for event in events)
    answer = sse.read([lines], R.stream())
    assert (answer.messages, answer.stop) == ((), stop)


def test_the_double_is_as_strict_as_the_provider():
    """It stores nothing, ties items to their reasoning, and knows sealed content that was altered."""
    double = Double([Say("", (Use("f"),), thinking="hm"), Say("done")])

    def sent(*listed: dict, **fields):
        body = {"model": fields.pop("model", "gpt-5"), "input": [{"role": "user", "content": "hi"}, *listed], **fields}
        return double.answer(json.dumps(body).encode(), "openai-responses")

    def code(*listed: dict, **fields) -> str:
        return str(json.loads(sent(*listed, **fields).body)["error"]["message"])

    reason, call = json.loads(sent().body)["output"]
    result = {"type": "function_call_output", "call_id": call["call_id"], "output": "x"}
    assert "without its required 'reasoning' item" in code(call, result)
    assert "without its required following item" in code(reason, {"role": "user", "content": "x"}, call, result)
    assert "could not be verified" in code({**reason, "encrypted_content": "double-x"}, call, result)
    assert "No tool output found" in code(reason, call)
    assert "not found" in code(result, previous_response_id="resp_1")
    assert "not found" in code({"type": "item_reference", "id": call["id"]}, result)
    loose = [json.loads(R.loose(json.dumps(item).encode()) or b"") for item in (call,)]
    assert sent(*loose, result).status == 200
    assert double.answered == 2


def test_the_double_drops_reasoning_behind_an_edited_prefix():
    """From GPT-6.2 on it answers all the same and says what it left out (R12)."""
    double = Double([Say("", (Use("f"),), thinking="hm"), Say("done"), Say("done")])

    def sent(first: str, *listed: dict) -> dict:
        body = {"model": "gpt-6.2-sol", "input": [{"role": "user", "content": first}, *listed]}
        found: dict = json.loads(double.answer(json.dumps(body).encode(), "openai-responses").body)
        return found

    reason, call = sent("hi")["output"]
    result = {"type": "function_call_output", "call_id": call["call_id"], "output": "x"}
    assert sent("hi", reason, call, result)["input_transformations"] == []
    assert sent("hello", reason, call, result)["input_transformations"] == [
        {"id": reason["id"], "type": "reasoning", "action": "removed", "reason": "prefix_mismatch"}
    ]


def test_custom_tools_are_called_with_text():
    """A tool declared as custom is called with free text."""
    body = {"model": "gpt-5", "input": "hi", "tools": [{"type": "custom", "name": "apply_patch"}]}
    reply = Double([Say("", (Use("apply_patch", {"input": "*** Begin"}),))]).answer(
        json.dumps(body).encode(), "openai-responses"
    )
    assert [block.text for block in R.read_response(reply.body).blocks] == ["*** Begin"]
