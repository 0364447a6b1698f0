"""The generateContent dialect: what a content means, and that nothing else of it changes."""

import base64
import json

import pytest

from pumice import wire
from pumice.domain.block import Kind, Origin, Role
from pumice.errors import BadRequest
from pumice.wire import sse
from pumice.wire.gemini.signatures import SKIP

DIALECT = wire.get("gemini")
SIGNED = base64.b64encode(b"signed").decode()


def read(role: str, *parts: dict):
    return DIALECT.read_message(json.dumps({"role": role, "parts": list(parts)}).encode())


def call(name: str = "f", ident: str = "", **args: object) -> dict:
    return {"functionCall": {**({"id": ident} if ident else {}), "name": name, "args": args}}


def result(response: object, name: str = "f", ident: str = "", **more: object) -> dict:
    return {"functionResponse": {**({"id": ident} if ident else {}), "name": name, "response": response, **more}}


def written(message, forms: dict) -> dict:
    return json.loads(DIALECT.rewrite(message, forms) or b"{}")


def test_parts_of_an_answer_are_blocks():
    """Thoughts, words, calls, what the provider ran itself, and what nobody knows yet."""
    parts = [{"text": "hm", "thought": True}, {"text": "I look"}, call(path="/a", n=1), {"executableCode": {"code": "1+1"}}]
    found = read("model", *parts, {"novelty": {"says": "new"}}).blocks
    assert [(block.kind, block.text, block.tool) for block in found] == [
        (Kind.REASONING, "", ""),
        (Kind.TEXT, "I look", ""),
        (Kind.CALL, "/a\n1", "f"),
        (Kind.OPAQUE, "1+1", ""),
        (Kind.OPAQUE, "new", ""),
    ]
    assert {block.role for block in found} == {Role.ASSISTANT}


@pytest.mark.parametrize(
    ("response", "text", "fails"),
    [
        ({"output": "a\nb"}, "a\nb", False),
        ({"error": "no such file"}, "no such file", True),
        (
            {"result": {"code": 0, "out": "a\nb", "hits": [{"n": 1.5}]}},
            "result.code: 0\nresult.out:\na\nb\nresult.hits[0].n: 1.5",
            False,
        ),
        ({}, "", False),
    ],
)
def test_a_response_reads_as_its_text_or_line_by_line(response, text, fails):
    """One text stands as it is; of anything else each value stands behind its name."""
    block = read("user", result(response)).blocks[0]
    assert (block.kind, block.text, block.is_error, block.origin, block.tool) == (Kind.RESULT, text, fails, Origin.TOOL, "f")


@pytest.mark.parametrize("spelling", [("inlineData", "mimeType"), ("inline_data", "mime_type")])
def test_media_in_either_spelling(spelling):
    """Images of a user and of a function are known by type and size."""
    part = {spelling[0]: {spelling[1]: "image/png", "data": "aGk-"}}
    direct, inside = read("user", part, result({"output": "x"}, parts=[part])).blocks
    assert [item.mime for block in (direct, inside) for item in block.media] == ["image/png", "image/png"]
    assert (
        read("user", {"fileData": {"mimeType": "application/pdf", "fileUri": "u"}}).blocks[0].media[0].mime == "application/pdf"
    )


def test_calls_without_ids_are_told_apart_by_function_and_order():
    """The second call of a function pairs with its second response."""
    calls, results = read("model", call(), call("g"), call()), read("user", result({}), result({}), result({}, "g"))
    assert [block.call_id for block in calls.blocks] == ["#f.1", "#g.1", "#f.2"]
    assert [block.call_id for block in results.blocks] == ["#f.1", "#f.2", "#g.1"]


def test_keys_leave_out_what_an_echo_changes():
    """Ids a client invents, signatures it loses, spelling and defaults: the content is the same."""
    first = read("model", {**call(n=1), "thoughtSignature": SIGNED})
    echoes = [
        read("model", {**call(ident="f_1_0", n=1), "thoughtSignature": SIGNED}),
        read("model", call(n=1)),
        read("model", {"function_call": {"name": "f", "args": {"n": 1}}, "thought": False}),
    ]
    assert {echo.key for echo in echoes} == {first.key}
    assert read("model", call(n=2)).key != first.key
    assert read("user", {"text": "a"}).key == DIALECT.read_message(b'{"parts":{"text":"a"}}').key
    assert read("model", {"text": "a"}).key != read("user", {"text": "a"}).key


def test_a_rewritten_response_stays_an_object_under_its_own_name():
    """Id, name and flags stay; the text goes where it was, or where the documentation puts it; media go."""
    image = {"inlineData": {"mimeType": "image/png", "data": "aGk="}}
    whole = read(
        "user", result({"text": "long"}, ident="c", parts=[image]), result({"a": 1, "b": 2}, willContinue=True), {"text": "so"}
    )
    first, second, said = written(whole, {0: "s", 1: "t"})["parts"]
    assert first == result({"text": "s"}, ident="c")
    assert second == result({"output": "t"}, willContinue=True)
    assert said == {"text": "so"}
    failed = read("user", result({"error": {"code": 7}}))
    assert written(failed, {0: "code 7"})["parts"][0] == result({"error": "code 7"})


def test_a_signed_part_is_whole_or_gone():
    """A shortened call carries the stand-in, so does the call that comes first for a signed one; words lose the signature."""
    whole = read("model", {"text": "I look", "thoughtSignature": SIGNED}, {**call(n=1), "thoughtSignature": SIGNED}, call("g"))
    assert written(whole, {1: '{"n":0}'})["parts"][1] == {**call(n=0), "thoughtSignature": SKIP}
    assert written(whole, {1: None})["parts"] == [whole_part(whole, 0), {**call("g"), "thoughtSignature": SKIP}]
    assert written(whole, {0: "I"})["parts"] == [{"text": "I"}, whole_part(whole, 1), call("g")]
    assert written(whole, {2: None})["parts"] == [whole_part(whole, 0), whole_part(whole, 1)]
    assert DIALECT.rewrite(whole, {0: None, 1: None, 2: None}) is None


def whole_part(message, place: int) -> dict:
    return json.loads(message.blocks[place].raw)


def test_head_is_instruction_and_every_declared_function():
    """Tools of the provider are named by what they are; a text of ours stands behind the client's and comes off again."""
    tools = [{"functionDeclarations": [{"name": "f"}, {"name": "g"}]}, {"googleSearch": {}}]
    body = {
        "system_instruction": {"parts": {"text": "Be exact."}},
        "tools": tools,
        "contents": [],
        "generation_config": {"maxOutputTokens": 9},
    }
    request = DIALECT.open(json.dumps(body).encode())
    assert (request.head.tool_names, request.max_output, request.model) == (("f", "g", "googleSearch"), 9, "")
    assert [unit.path for unit in DIALECT.units(request.body)] == [
        "tools[0]",
        "tools[1]",
        "tools[2]",
        "systemInstruction.parts[0]",
    ]
    headed = DIALECT.open(DIALECT.close(request, (), fields=DIALECT.headed(request, "Ours.")))
    assert [json.loads(raw)["text"] for raw in headed.head.system] == ["Be exact.", "Ours."]
    assert DIALECT.headless(headed, "Ours.").head.key == request.head.key
    assert DIALECT.headless(request, "Ours.") is request


def test_nothing_is_put_before_a_cached_content():
    """What it holds must not stand beside it (K-G14)."""
    request = DIALECT.open(b'{"cachedContent":"cachedContents/1","contents":[]}')
    assert DIALECT.headed(request, "Ours.") == {}


def chunk(*parts: dict, **more: object) -> dict:
    return {
        "candidates": [{"content": {"role": "model", "parts": list(parts)}, **more}],
        "modelVersion": "m",
        "responseId": "r",
    }


USAGE = {"promptTokenCount": 9, "cachedContentTokenCount": 4, "candidatesTokenCount": 2, "thoughtsTokenCount": 3}
CHUNKS = [
    chunk({"text": "h", "thought": True}),
    chunk({"text": "m", "thought": True}, {"text": "I "}),
    {**chunk({"text": "look"}, {"text": "."}), "usageMetadata": {"promptTokenCount": 9}},
    chunk({**call(n=1), "thoughtSignature": SIGNED}, call("g")),
    {**chunk({"text": "", "thoughtSignature": SIGNED}, finishReason="STOP"), "usageMetadata": USAGE},
]


def streamed(chunks: list[dict]):
    data = "".join(f"data: {json.dumps(one)}\r\n\r\n" for one in chunks).encode()
    return sse.read([data[:50], data[50:]], DIALECT.stream())


def test_a_streamed_answer_adds_up():
    """Words go on in the part they began in, signed parts stay alone, usage is the newest; an array says the same."""
    found = streamed(CHUNKS)
    assert [json.loads(block.raw) for block in found.blocks] == [
        {"text": "hm", "thought": True},
        {"text": "I look."},
        {**call(n=1), "thoughtSignature": SIGNED},
        call("g"),
        {"text": "", "thoughtSignature": SIGNED},
    ]
    assert (found.id, found.model, found.stop) == ("r", "m", "STOP")
    assert (found.usage.input, found.usage.output, found.usage.cache_read) == (9, 5, 4)
    assert DIALECT.read_response(json.dumps(CHUNKS).encode()) == found


def test_a_stream_that_is_not_whole_keeps_nothing():
    """Cut off, failed or blocked: the reason is told, with the usage that had come."""
    assert (streamed(CHUNKS[:3]).messages, streamed(CHUNKS[:3]).stop, streamed(CHUNKS[:3]).usage.input) == ((), "incomplete", 9)
    failed = [*CHUNKS[:2], {"error": {"code": 503, "message": "overloaded", "status": "UNAVAILABLE"}}]
    assert (streamed(failed).messages, streamed(failed).stop) == ((), "error")
    blocked = streamed([{"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": {"promptTokenCount": 9}}])
    assert (blocked.messages, blocked.stop, blocked.usage.input) == ((), "SAFETY", 9)


def test_an_error_is_no_answer():
    """Errors are not recorded."""
    with pytest.raises(BadRequest, match="candidates"):
        DIALECT.read_response(b'{"error":{"code":400,"message":"no","status":"INVALID_ARGUMENT"}}')


@pytest.mark.recordings
def test_recorded_bodies_go_through_and_answers_are_read(exchanges):
    """Every recorded request leaves as it came, part by part; every answer has words or a call, and its usage."""
    found = [one for one in exchanges if one.dialect == "gemini"]
    assert len(found) >= 17
    for one in found:
        request = DIALECT.open(one.request)
        assert DIALECT.close(request, request.messages) == one.request
        assert DIALECT.repair(request.messages).sentences == ()
        assert [DIALECT.rewrite(DIALECT.read_message(raw), {}) for raw in request.messages] == list(request.messages)
        read = sse.read([one.response], DIALECT.stream()) if one.is_stream else DIALECT.read_response(one.response)
        assert any(block.kind in (Kind.TEXT, Kind.CALL) for block in read.blocks), one.file
        assert read.usage is not None
        assert read.usage.input > 0
        assert read.stop == "STOP"
