"""The Anthropic dialect: what a message means, and that nothing else of it changes."""

import json

import msgspec
import pytest

from pumice import wire
from pumice.domain.block import Kind, Media, Origin, Role
from pumice.errors import BadRequest

DIALECT = wire.get("anthropic")


def message(content: object, role: str = "user") -> bytes:
    return json.dumps({"role": role, "content": content}, ensure_ascii=False).encode()


def read(content: object, role: str = "user"):
    return DIALECT.read_message(message(content, role))


def test_text_of_a_call_is_its_leaves():
    """String and number leaves of the arguments stand decoded on lines of their own; booleans and keys do not."""
    call = {
        "type": "tool_use",
        "id": "t1",
        "name": "Edit",
        "input": {"path": "/a\n", "n": [1, 2.5], "all": True, "x": {"y": "é"}},
    }
    block = read([call], "assistant").blocks[0]
    assert (block.kind, block.tool, block.call_id, block.origin) == (Kind.CALL, "Edit", "t1", Origin.MODEL)
    assert block.text == "/a\n\n1\n2.5\né"


def test_text_of_a_result_is_its_text_parts_and_media_stand_beside_it():
    """A result's images are media, never text."""
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGVsbG8="}}
    result = {"type": "tool_result", "tool_use_id": "t1", "is_error": True, "content": [{"type": "text", "text": "a"}, image]}
    block = read([result]).blocks[0]
    assert (block.kind, block.text, block.call_id, block.is_error, block.origin) == (Kind.RESULT, "a", "t1", True, Origin.TOOL)
    assert block.media == (Media("image/png", size=5),)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("hi", [{"type": "text", "text": "hi"}]),
        ([{"type": "text", "text": "hi"}], [{"type": "text", "text": "hi", "cache_control": {"type": "ephemeral"}}]),
        (
            [{"type": "tool_result", "tool_use_id": "t", "content": "x"}],
            [{"type": "tool_result", "tool_use_id": "t", "is_error": False, "content": [{"type": "text", "text": "x"}]}],
        ),
        (
            [{"type": "tool_use", "id": "t", "name": "n", "input": {"a": 1, "b": 2}}],
            [{"type": "tool_use", "id": "t", "name": "n", "input": {"b": 2, "a": 1}}],
        ),
    ],
)
def test_what_clients_change_between_calls_does_not_change_the_key(left, right):
    """Markers, string or list content, and key order are transport."""
    assert read(left).key == read(right).key
    assert [block.hash for block in read(left).blocks] == [block.hash for block in read(right).blocks]


def test_markers_inside_arguments_are_data():
    """Only a block's own `cache_control` is a marker."""
    calls = [[{"type": "tool_use", "id": "t", "name": "n", "input": {"cache_control": value}}] for value in (1, 2)]
    assert read(calls[0], "assistant").key != read(calls[1], "assistant").key


def test_roles_and_kinds_nobody_knows():
    """An unknown assistant block is kept as opaque; an unknown role is an error that names it."""
    block = read([{"type": "connector_text", "words": "foo_bar", "signature": "xx"}], "assistant").blocks[0]
    assert (block.kind, block.text) == (Kind.OPAQUE, "foo_bar")
    with pytest.raises(BadRequest, match="'tool'"):
        read("x", "tool")


def test_system_among_messages_is_the_clients():
    """Words in a system message are no person's."""
    block = read("be kind", "system").blocks[0]
    assert (block.role, block.origin) == (Role.SYSTEM, Origin.CLIENT)


def test_rewrite_keeps_every_other_byte():
    """Blocks that are not rewritten keep their spelling; results keep id and error flag, texts their marker."""
    raw = (
        b'{"role": "user", "content": [ {"tool_use_id":"t1", "type":"tool_result","is_error":true,"content":"long"},'
        b'{"type":"text","text":"caf\\u00e9",  "n":1.0},{"type":"text","text":"gone","cache_control":{"type":"ephemeral"}}]}'
    )
    out = DIALECT.rewrite(DIALECT.read_message(raw), {0: "short", 2: "new"})
    assert out is not None
    assert b'{"tool_use_id":"t1","type":"tool_result","is_error":true,"content":"short"}' in out
    assert b'{"type":"text","text":"caf\\u00e9",  "n":1.0}' in out
    assert b'{"type":"text","text":"new","cache_control":{"type":"ephemeral"}}' in out


def test_marker_of_a_dropped_block_moves_to_its_neighbour():
    """A cache marker is never lost with its block, nor doubled."""
    marked = {"type": "text", "text": "b", "cache_control": {"type": "ephemeral"}}
    whole = read([{"type": "text", "text": "a"}, marked, {"type": "text", "text": "c"}])
    out = json.loads(DIALECT.rewrite(whole, {1: None}) or b"")
    assert [("cache_control" in block) for block in out["content"]] == [True, False]


def test_message_of_which_nothing_is_left_is_none():
    """A message without blocks is not sent."""
    assert DIALECT.rewrite(read("x"), {0: None}) is None
    assert DIALECT.rewrite(read("x"), {0: "  "}) is None


def test_remark_puts_a_lost_marker_on_the_last_block():
    """The marker of a message that leaves goes on; one that is there already stays alone."""
    lost = message([{"type": "text", "text": "b", "cache_control": {"type": "ephemeral"}}])
    assert json.loads(DIALECT.remark(lost, message("a")))["content"][0]["cache_control"] == {"type": "ephemeral"}
    assert DIALECT.remark(lost, lost) == lost
    assert DIALECT.remark(message("x"), message("a")) == message("a")


def test_rewrite_splices_from_the_message_as_it_came_now():
    """Blocks read from an older request lend their text, not their bytes: those may hold markers that have moved on."""
    marked = {"type": "text", "text": "b", "cache_control": {"type": "ephemeral"}}
    older = read([{"type": "text", "text": "a"}, marked])
    now = msgspec.structs.replace(older, raw=message([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]))
    assert b"cache_control" not in (DIALECT.rewrite(now, {0: "short"}) or b"")


def test_unmarked_message_is_the_same_but_for_its_markers():
    """Only a block's own marker goes; arguments that merely mention one, and all other bytes, stay."""
    inside = message([{"type": "text", "text": 'say "cache_control"'}])
    assert DIALECT.unmarked(inside) is inside
    marked = message([{"type": "text", "text": "b", "cache_control": {"type": "ephemeral"}}])
    assert json.loads(DIALECT.unmarked(marked)) == json.loads(message([{"type": "text", "text": "b"}]))


def test_response_counts_everything_as_input():
    """Input is fresh + cache reads + cache writes; of several internal calls the last one counts."""
    body = {
        "id": "m1",
        "model": "claude",
        "role": "assistant",
        "content": [{"type": "text", "text": "hi"}],
        "stop_reason": "end_turn",
    }
    usage = {"input_tokens": 3, "cache_read_input_tokens": 10, "cache_creation_input_tokens": 5, "output_tokens": 7}
    response = DIALECT.read_response(json.dumps({**body, "usage": usage}).encode())
    assert response.usage is not None
    assert (response.usage.input, response.usage.cache_read, response.usage.output, response.stop) == (18, 10, 7, "end_turn")
    many = {**usage, "iterations": [{"type": "compaction", "input_tokens": 99}, {"type": "message", "input_tokens": 4}]}
    assert DIALECT.read_response(json.dumps({**body, "usage": many}).encode()).usage.input == 4


def test_build_hash_in_the_first_system_block_is_no_new_head():
    """Claude Code's version suffix changes with the prompt; the head stays the same, a changed tool does not."""

    def head(version: str, tools: list[str]):
        body = {"model": "m", "system": [{"type": "text", "text": f"cc_version=2.1.197.{version}; x"}], "messages": []}
        return DIALECT.open(json.dumps({**body, "tools": [{"name": name} for name in tools]}).encode()).head

    assert head("abc", ["a", "b"]).key == head("def", ["b", "a"]).key
    assert head("abc", ["a"]).key != head("abc", ["a", "b"]).key
    assert head("abc", ["a", "b"]).tool_names == ("a", "b")


def test_units_come_in_the_order_of_the_cache():
    """Tools, then system, then content blocks, each with its path."""
    body = {"model": "m", "system": "s", "tools": [{"name": "t"}], "messages": [{"role": "user", "content": "x"}]}
    units = DIALECT.units(json.dumps(body).encode())
    assert [unit.path for unit in units] == ["tools[0]", "system", "messages[0].content"]
    marked = {**body, "system": [{"type": "text", "text": "s", "cache_control": {"type": "ephemeral"}}]}
    assert [unit.key for unit in DIALECT.units(json.dumps(marked).encode())] == [unit.key for unit in units]
