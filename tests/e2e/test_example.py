"""The shipped example is what its page says: long, valid, scrubbed, with rules that stand in it word for word."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from pumice import wire
from pumice.measure import tokens
from pumice.wire import rules

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "long-session"


@pytest.fixture(scope="module")
def raw() -> bytes:
    """The example's bytes."""
    return (EXAMPLE / "session.json").read_bytes()


@pytest.fixture(scope="module")
def messages(raw: bytes) -> list[dict[str, Any]]:
    """Its conversation."""
    found: list[dict[str, Any]] = json.loads(raw)["messages"]
    return found


def words(messages: list[dict[str, Any]]) -> list[str]:
    """What the person typed."""
    return [message["content"] for message in messages if isinstance(message["content"], str)]


def results(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    blocks = (block for message in messages if isinstance(message["content"], list) for block in message["content"])
    return [block for block in blocks if block["type"] == "tool_result"]


def test_the_example_is_long_enough_to_need_compaction(messages: list[dict[str, Any]]) -> None:
    """Its windows of 30k and 60k are too small by far, and one build log alone is a large part of them."""
    sizes = [tokens.count(block["content"]) for block in results(messages)]
    assert len(messages) >= 150
    assert sum(sizes) >= 60_000
    assert max(sizes) >= 15_000


def test_the_example_keeps_the_providers_rules(raw: bytes) -> None:
    """It could be sent as it is: every call has its result, in order."""
    assert rules.check_request(wire.get("anthropic").open(raw)) == ()


def test_every_listed_constraint_was_said_word_for_word(messages: list[dict[str, Any]]) -> None:
    """The list beside the session names nothing the person did not type, in both languages."""
    listed = json.loads((EXAMPLE / "session.constraints.json").read_text("utf-8"))
    said = "\n".join(words(messages))
    assert all(rule in said for rule in listed)
    assert any(re.search("[一-鿿]", rule) for rule in listed)
    assert any(rule.isascii() for rule in listed)


def test_the_story_has_what_policies_are_tried_on(messages: list[dict[str, Any]]) -> None:
    """Parallel calls, failures, a corrected instruction, and a late question about the beginning."""
    assert any(sum(block["type"] == "tool_use" for block in m["content"]) > 1 for m in messages if m["role"] == "assistant")
    assert sum(block.get("is_error", False) for block in results(messages)) >= 3
    assert any("Correction: the target branch is release/0.2, not main." in text for text in words(messages))
    assert "ACME-20931-7" in words(messages)[0]
    assert "ACME-20931-7" in messages[-5]["content"][0]["text"]


def test_the_example_names_no_machine(raw: bytes) -> None:
    """Homes are the developer's in the story, and the only hosts are those its files speak of."""
    text = raw.decode()
    assert set(re.findall(r"/(?:home|Users)/(\w+)", text)) == {"dev"}
    assert "/root/" not in text
    assert set(re.findall(r"\w+://([\w.-]+\.(?:com|org|io|net))\b", text)) <= {
        "keepachangelog.com",
        "semver.org",
        "example.com",
    }
