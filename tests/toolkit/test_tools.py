"""Tools an agent is given: declared in every dialect, wrong arguments said in words, and what they keep stands after cuts."""

from typing import Any

import pytest

from pumice import Engine
from pumice.errors import InvalidInput

SAID = "line {} of the answer with some words in it\n"
DIALECTS = ("anthropic", "openai-chat", "openai-responses", "gemini")


def use(at: int, name: str, arguments: dict[str, Any], result: str) -> list[dict[str, Any]]:
    call = {"type": "tool_use", "id": f"c{at}", "name": name, "input": arguments}
    answer = {"type": "tool_result", "tool_use_id": f"c{at}", "content": result}
    return [{"role": "assistant", "content": [call]}, {"role": "user", "content": [answer]}]


def request(*messages: dict[str, Any]) -> dict[str, Any]:
    return {"model": "claude-sonnet-4-5", "max_tokens": 1000, "messages": list(messages)}


def reads(first: int, many: int) -> list[dict[str, Any]]:
    return [
        message
        for at in range(first, first + many)
        for message in use(at, "Read", {"file_path": f"src/p{at}.py"}, SAID.format(at) * 120)
    ]


TASK = {"role": "user", "content": "Port the parser to the new grammar."}


def test_tools_are_declared_as_each_dialect_wants_them() -> None:
    """One schema in one piece, without references, in whatever wrapping."""
    with Engine.open(":memory:") as engine:
        for tool in engine.session("s").tools():
            for dialect in DIALECTS:
                assert tool.name in str(tool.definition(dialect))
            assert tool.parameters["type"] == "object"
            assert "$ref" not in str(tool.parameters)
            with pytest.raises(InvalidInput, match="anthropic"):
                tool.definition("cobol")


def test_wrong_arguments_come_back_as_words() -> None:
    """A model that calls a tool wrongly is told what was wrong; nothing is raised into its loop."""
    with Engine.open(":memory:") as engine:
        tools = {tool.name: tool for tool in engine.session("s").tools()}
        assert "pointer" in tools["read_range"]({})
        assert "limit" in tools["read_range"]({"pointer": "b1", "limit": 0})
        assert "unknown field `note`" in tools["update_notes"]({"note": "x"})
        assert tools["read_range"]({"pointer": "b99"}).startswith("Error: ")
        assert tools["update_plan"]({"plan": [{"step": "a", "status": "maybe"}]}).startswith("Error: ")
        for given, kind in ((None, "null"), ("src/a.py", "str"), (["b1"], "array")):
            for name, tool in tools.items():
                assert tool(given).startswith(f"Error: {name}: Expected `object`, got `{kind}`")  # type: ignore[arg-type]


def test_notes_and_phases_stand_after_a_cut_and_the_newest_text_of_a_topic_counts() -> None:
    """What the agent noted is resident, by topic; a removed topic is gone; outputs of a phase say where they lie."""
    with Engine.open(":memory:") as engine:
        session = engine.session("s", window=20_000)
        noted = [
            *use(1, "update_notes", {"notes": {"grammar": "old: LL(1)", "scratch": "to go"}}, "Noted."),
            *use(2, "update_notes", {"notes": {"grammar": "PEG, see docs/grammar.md", "scratch": ""}}, "Noted."),
            *use(
                3,
                "end_phase",
                {"name": "survey", "summary": "41 rules.", "outputs": [{"location": "out/rules.csv", "what": "all rules"}]},
                "Phase ended.",
            ),
        ]
        view = session.compile(request(TASK, *noted, *reads(10, 12)), dialect="anthropic")
        assert view.epoch == 1
        text = str(view.body["messages"][0])
        assert "PEG, see docs/grammar.md" in text
        notes = text.split("<pumice:notes>")[1].split("</pumice:notes>")[0]
        assert "old: LL(1)" not in notes
        assert "scratch" not in notes
        assert "41 rules." in text
        assert "out/rules.csv: all rules" in text


def test_read_back_by_tool_gives_the_bytes_and_where_to_go_on() -> None:
    """A folded block is read by its bare name, in pieces, with the place of the next one; search finds its lines."""
    with Engine.open(":memory:") as engine:
        session = engine.session("s", window=20_000)
        session.compile(request(TASK, *reads(10, 12)), dialect="anthropic")
        tools = {tool.name: tool for tool in session.tools()}
        first = tools["read_range"]({"pointer": "b3", "limit": 2})
        assert first.startswith(SAID.format(10) * 2)
        assert first.endswith("[lines 1 to 2 of 121; go on at offset 3]")
        assert "of the answer" in tools["search"]({"query": "line 10 of the answer", "limit": 3})
        assert "ask for more" in tools["search"]({"query": "answer", "limit": 2})


def test_the_end_of_a_phase_makes_the_next_call_a_good_moment_to_cut() -> None:
    """`end_phase` leads to an epoch of cause `phase` when that is worth it."""
    with Engine.open(":memory:") as engine:
        session = engine.session("s", window=60_000, policy={"extends": "coding", "budget": {"min_gain": 0.1}})
        messages = [TASK, *reads(10, 18)]
        assert session.compile(request(*messages), dialect="anthropic").epoch == 0
        tools = {tool.name: tool for tool in session.tools()}
        told = {"name": "survey", "summary": "done"}
        said = tools["end_phase"](told)
        view = session.compile(request(*messages, *use(90, "end_phase", told, said)), dialect="anthropic")
        assert view.manifest.cause == "phase"
