"""Aligning a request with the branch it continues."""

import json
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from pumice import wire
from pumice.domain.group import Node
from pumice.ledger.align import align, familiar, is_client_compaction

ANTHROPIC = wire.get("anthropic")


def raw(message: Any) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode()


def nodes_of(raws: list[bytes]) -> list[Node]:
    read = [ANTHROPIC.read_message(item) for item in raws]
    return [Node(at, item.role, item.blocks, item.key, item.raw, item.is_text) for at, item in enumerate(read)]


def user(text: str) -> bytes:
    return raw({"role": "user", "content": text})


def call(name: str) -> bytes:
    return raw(
        {"role": "assistant", "content": [{"type": "tool_use", "id": name, "name": "Read", "input": {"file_path": name}}]}
    )


def result(name: str, text: str) -> bytes:
    return raw({"role": "user", "content": [{"type": "tool_result", "tool_use_id": name, "content": text}]})


def test_a_longer_request_continues() -> None:
    """Everything known is shared and only the tail is new."""
    known = [user("a"), call("c1"), result("c1", "x")]
    found = align(nodes_of(known), known, [*known, user("b")], ANTHROPIC.read_message)
    assert found.common == 3
    assert [block.text for message in found.fresh for block in message.blocks] == ["b"]
    assert not found.forks(3)


def test_a_moved_cache_marker_is_no_change() -> None:
    """Cache markers are transport: the message is the same, its bytes on the wire are newer."""
    known = [user("a")]
    marked = raw({"role": "user", "content": [{"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}}]})
    found = align(nodes_of(known), known, [marked], ANTHROPIC.read_message)
    assert (found.common, found.changed) == (1, {0: marked})


def test_results_that_come_twice_are_known_once() -> None:
    """After a restart a client may send each result twice under one id, whole and cut down: our bytes stay."""

    def answers(*words: str) -> bytes:
        blocks = [{"type": "tool_result", "tool_use_id": "c1", "content": text} for text in words]
        return raw({"role": "user", "content": blocks})

    known = [user("a"), call("c1"), answers("whole text " * 20)]
    again = [*known[:2], answers("whole text " * 20, "[cut]")]
    found = align(nodes_of(known), known, [*again, user("b")], ANTHROPIC.read_message)
    assert (found.common, list(found.held), len(found.fresh)) == (3, [2], 1)


def test_a_placeholder_of_the_client_keeps_our_bytes() -> None:
    """A result the client has cut down itself is the same block (Gemini's masking, cleared results)."""
    known = [user("a"), call("c1"), result("c1", "long text " * 50)]
    cleared = [*known[:2], result("c1", "[cleared]")]
    found = align(nodes_of(known), known, cleared, ANTHROPIC.read_message)
    assert found.common == 3
    assert found.held == {2: cleared[2]}


def test_a_placeholder_is_read_once() -> None:
    """What the client sends in place of a result is not decoded again while it stays the same."""
    known = [user("a"), call("c1"), result("c1", "long text " * 50)]
    cleared = [*known[:2], result("c1", "[cleared]"), user("go on")]
    read: list[bytes] = []

    def reading(item: bytes) -> Any:
        read.append(item)
        return ANTHROPIC.read_message(item)

    held = align(nodes_of(known), known, cleared, reading).held
    read.clear()
    assert align(nodes_of(known), known, cleared, reading, held).held == held
    assert read == [cleared[3]]


def test_changed_tags_of_the_newest_prompt_are_volatile() -> None:
    """Injected tags may change under the newest user message; its typed words may not."""

    def prompt(tag: str) -> bytes:
        blocks = [{"type": "text", "text": f"<system-reminder>{tag}</system-reminder>"}, {"type": "text", "text": "fix it"}]
        return raw({"role": "user", "content": blocks})

    found = align(nodes_of([prompt("one")]), [prompt("one")], [prompt("two")], ANTHROPIC.read_message)
    assert found.volatile == (0,)
    assert found.common == 0, "its new bytes are read anew"


def test_an_edited_message_forks() -> None:
    """Any other difference starts a branch there."""
    known = [user("a"), call("c1"), result("c1", "x")]
    found = align(nodes_of(known), known, [known[0], call("c2"), result("c2", "y")], ANTHROPIC.read_message)
    assert found.common == 1
    assert found.forks(3)
    assert len(found.fresh) == 2


def test_the_clients_own_compaction_is_recognised() -> None:
    """A fork at the beginning that opens with the client's hand-over is its compaction, not an edit."""
    text = "This session is being continued from a previous conversation that ran out of context. " + "Summary. " * 60
    fresh = tuple(ANTHROPIC.read_message(item) for item in (user(text), user("go on")))
    assert is_client_compaction(fresh, 0)
    assert not is_client_compaction(fresh[1:], 0)


def test_an_edited_prompt_under_a_long_reminder_is_no_compaction() -> None:
    """What a client injects before a person's words may be long: where somebody typed, nothing was handed over."""
    reminder = {"type": "text", "text": f"<system-reminder>{'Rules of this project. ' * 60}</system-reminder>"}
    edited = raw({"role": "user", "content": [reminder, {"type": "text", "text": "do it otherwise"}]})
    assert not is_client_compaction((ANTHROPIC.read_message(edited),), 0)


def test_blocks_that_come_again_keep_their_names() -> None:
    """After an edit equal messages and equal blocks are the same ones, each once; the same words of another role are not."""
    known = [user("a"), call("c1"), result("c1", "x"), user("a")]
    nodes = [
        Node(
            node.index,
            node.role,
            tuple(msgspec.structs.replace(b, id=f"b{node.index}") for b in node.blocks),
            node.key,
            node.raw,
        )
        for node in nodes_of(known)
    ]
    answer = raw({"role": "assistant", "content": "a"})
    fresh = [user("new"), call("c1"), result("c1", "x"), answer, user("a"), user("a"), user("a")]
    names = familiar(nodes, [ANTHROPIC.read_message(item) for item in fresh])
    assert names == [("",), ("b1",), ("b2",), ("",), ("b0",), ("b3",), ("",)]


@given(st.lists(st.text(min_size=1, max_size=8), min_size=1, max_size=12), st.data())
def test_the_shared_part_is_the_longest_equal_beginning(texts: list[str], data: st.DataObject) -> None:
    """Whatever the client sends, what is shared is exactly the equal beginning."""
    known = [user(f"{at}{text}") for at, text in enumerate(texts)]
    cut = data.draw(st.integers(0, len(known)))
    sent = known[:cut] + [user("new")] * data.draw(st.integers(0, 2))
    found = align(nodes_of(known), known, sent, ANTHROPIC.read_message)
    assert found.common == cut
    assert len(found.fresh) == len(sent) - cut
