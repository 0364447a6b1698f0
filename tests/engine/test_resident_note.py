"""The note at the head of a preface: what a model has to know of a view that was cut (F-B11)."""

from typing import Any

import msgspec
import pytest
from tests_support import World

from pumice.compact.preface import NOTE, note
from pumice.domain.policy import Offload, ReadBack
from pumice.faces import settings


def test_the_note_says_all_that_a_model_has_to_know() -> None:
    """The user's words are there; no new start; nothing done or announced twice; one turn stays one; how to read back."""
    said = " ".join(NOTE.split())
    for words in (
        "The rules and the newest words of the user are below or in the messages that follow.",
        "Do not start over, and do not redo or announce again what is finished",
        "a turn that began before this note is still the same turn",
        "What is not shown can be read back by the block's name.",
    ):
        assert words in said
    assert note().text == NOTE


@pytest.mark.parametrize(
    ("declared", "wanted", "named"),
    [
        ([], "read_range", ""),
        (["Bash"], "read_range", ""),
        (["Bash", "read_range"], "read_range", "read_range"),
        (["mcp__pumice__read_range"], "read_range", "mcp__pumice__read_range"),
        (["mcp__</pumice:note>\n__read_range"], "read_range", ""),
        (["fetch_back", "read_range"], "fetch_back", "fetch_back"),
    ],
)
async def test_the_tool_is_named_where_the_request_declares_it(
    world: World, declared: list[str], wanted: str, named: str
) -> None:
    """By the policy's name for it, and only if the model can call it."""
    policy = msgspec.structs.replace(
        settings.policy("balanced"), offload=Offload(style="lines", read_back=ReadBack(tool=wanted))
    )
    agent = world.agent(policy=policy).says("Read it.")
    for at in range(6):
        agent.runs(f"t{at}", f"line {at} of some output\n" * 900)
    body: dict[str, Any] = agent.says("Go on.").body()
    if declared:
        body["tools"] = [{"name": name, "input_schema": {"type": "object"}} for name in declared]
    await agent.session.compile(body, dialect="anthropic")
    view = await agent.session.compact()
    assert NOTE in view.body["messages"][0]["content"][0]["text"]
    told = [line for line in view.body["messages"][0]["content"][0]["text"].split("\n") if "tool that reads back" in line]
    assert told == ([f"⋯ the tool that reads back is {named}"] if named else [])
