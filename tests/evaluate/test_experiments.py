"""The field's experiments: every arm is a replay, every sentence comes from the figures."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import small_sessions as small

from pumice import wire
from pumice.evaluate.experiments import noted
from pumice.evaluate.experiments.clock import FIRST, LAST, NEWEST, NOWHERE, with_clock
from pumice.evaluate.experiments.experiment import Experiment, shown
from pumice.evaluate.experiments.means import whole
from pumice.evaluate.experiments.partitions import refusal, shares
from pumice.evaluate.experiments.run import EXPERIMENTS, Policies, run
from pumice.evaluate.experiments.trigger import changed
from pumice.evaluate.lab import Lab, ranked, written
from pumice.faces import settings
from pumice.recordings.files import parse
from pumice.recordings.recording import Recording
from pumice.wire import prefix, rules

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "long-session" / "session.json"
POLICIES = Policies(settings.policy("newest"), settings.policy("notes"), settings.policy("balanced"))
WINDOW = 12_000
CHAT = {
    "model": "gpt-4o",
    "messages": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "hello"},
        {"role": "assistant", "content": "hi"},
        {"role": "user", "content": "again"},
    ],
}


@pytest.fixture(scope="module")
def beginning() -> Recording:
    """The first sixth of the shipped session."""
    body = json.loads(EXAMPLE.read_text("utf-8"))
    body["messages"] = body["messages"][: len(body["messages"]) // 6]
    return parse(json.dumps(body).encode(), "session.json", dialect="anthropic")[0]


@pytest.fixture(scope="module")
def told(beginning: Recording) -> dict[str, Experiment]:
    """All experiments on it."""
    made = run(beginning, list(EXPERIMENTS), POLICIES, lambda done, arm: None, window=WINDOW)
    return {one.key: one for one in made.experiments}


def rows(one: Experiment) -> dict[str, Any]:
    return {str(row["name"]): row for row in one.rows}


def test_there_is_one_for_each_of_the_fields(told: dict[str, Experiment]) -> None:
    """F-G5 names them; each has arms, figures and something to say."""
    assert list(told) == list(EXPERIMENTS)
    assert all(one.rows and one.found and one.question for one in told.values())


def test_the_same_session_gives_the_same_figures(beginning: Recording, told: dict[str, Experiment]) -> None:
    """No clock, no chance, no time of day."""
    again = run(beginning, ["means"], POLICIES, lambda done, arm: None, window=WINDOW)
    assert list(again.experiments) == [told["means"]]


def test_a_clock_in_the_prefix_costs_and_at_its_end_it_does_not(told: dict[str, Experiment]) -> None:
    """Before everything else the cache is lost at every call; behind everything else nothing is."""
    found = rows(told["clock"])
    assert found[FIRST]["invalidated"] > 0 == found[NEWEST]["invalidated"] == found[NOWHERE]["invalidated"]
    assert found[FIRST]["hit"] < 0.3 < found[NEWEST]["hit"]
    assert found[FIRST]["at"] < found[LAST]["at"]
    assert found[NEWEST]["at"] is None
    assert found[FIRST]["path"] == found[LAST]["path"] == "system[0]"


@pytest.mark.parametrize("place", [FIRST, LAST, NEWEST])
def test_a_clock_stands_in_a_chat_too(place: str) -> None:
    """Chat's system prompt is a message; one is made where there is none."""
    for messages in (CHAT["messages"], CHAT["messages"][1:]):
        recording = parse(json.dumps({**CHAT, "messages": messages}).encode(), "chat.json", dialect="openai-chat")[0]
        first, second = (with_clock(recording, place)(call) for call in recording.calls)
        assert b"2026-01-01T09:00:41" in first
        assert prefix.compare(first, second, "openai-chat").stable == (place == NEWEST)


def test_every_mean_loses_names_and_only_a_pointer_brings_them_back(told: dict[str, Experiment]) -> None:
    """What stands whole loses nothing; what is elsewhere under a pointer is in reach."""
    found = rows(told["means"])
    assert found["as they came"]["lost"] == 0
    assert all(found[name]["view"] < found["as they came"]["view"] for name in ("truncate", "summarize", "externalize"))
    assert found["externalize"]["reach"] == 1.0
    assert found["truncate"]["reach"] == found["truncate"]["far"]


def test_a_lower_trigger_never_lets_a_view_grow_larger(told: dict[str, Experiment]) -> None:
    """60% of a window is below 90% of it."""
    peaks = [row["peak"] for row in told["trigger"].rows]
    assert peaks == sorted(peaks, reverse=True)
    assert all(row["overflows"] == 0 for row in told["trigger"].rows)


def test_a_long_task_overflows_without_management_alone(told: dict[str, Experiment]) -> None:
    """What manages the window keeps every call within it, and what a person laid down stands where words are kept."""
    found = rows(told["long-task"])
    assert found["no management"]["overflows"] > 0
    assert all(row["overflows"] == 0 for name, row in found.items() if name != "no management")
    assert found["notes + compaction"]["rules"] == found["the default"]["rules"] == 1.0


def test_system_in_the_cut_list_is_refused_with_its_path(told: dict[str, Experiment]) -> None:
    """What stands first and holds the rules never gives way (F-B3)."""
    assert refusal().startswith("$.cut_order[0]: 'system' given")
    assert rows(told["exercises"])["system in the cut list"]["refused"] == refusal()
    assert rows(told["cut-order"])["system, then tools"]["cost"] is None


def test_what_some_leave_is_lent_to_those_that_lack_it() -> None:
    """Never more than there is, and never more than is lacking."""
    lent = {row["name"]: row for row in shares({"a": 100, "b": 100, "c": 100}, {"a": 40, "b": 130, "c": 150})}
    assert [lent[name]["borrows"] for name in "abc"] == [0, 22, 38]
    assert [lent[name]["must_free"] for name in "abc"] == [0, 8, 12]
    plenty = {row["name"]: row for row in shares({"a": 100, "b": 100}, {"a": 0, "b": 130})}
    assert (plenty["b"]["borrows"], plenty["b"]["must_free"]) == (30, 0)


def test_an_arm_asked_for_twice_is_replayed_once() -> None:
    """Whatever its policy is called."""
    steps: list[str] = []
    lab = Lab(
        written(small.recording(small.user("look"), *small.read(1, "a.py", "text"), small.said("a.py"))), WINDOW, steps.append
    )
    assert lab.under(whole(), name="one") is lab.under(whole(), name="two")
    assert steps == ["one"]


@pytest.mark.parametrize("dialect", ["anthropic", "openai-chat"])
def test_notes_are_calls_with_answers_and_break_no_rule(dialect: str) -> None:
    """The session an agent with notes would have had is a valid one, and every call sees what it saw before."""
    messages = [small.user("go")]
    for number in range(1, 13):
        messages += [small.said(f"step {number} is next"), *small.read(number, f"f{number}.py", f"text {number}")]
    recording = small.recording(*messages, small.said("done")) if dialect == "anthropic" else _chat(12)
    told = written(recording)
    notes = noted.notes_of(told)
    made = noted.with_notes(recording, notes)
    assert len(notes) == 12 // noted.EVERY
    assert "step" in next(iter(notes.values())).text
    assert not rules.check_request(wire.get(dialect).open(made.body(None)))
    for before, after in zip(recording.calls, made.calls, strict=True):
        assert before.response == after.response
        assert after.upto >= before.upto


def _chat(steps: int) -> Recording:
    messages: list[dict[str, Any]] = [{"role": "user", "content": "go"}]
    for number in range(1, steps + 1):
        function = {"name": "Read", "arguments": json.dumps({"file_path": f"f{number}.py"})}
        call = {"id": f"c{number}", "type": "function", "function": function}
        messages.append({"role": "assistant", "content": f"step {number} is next", "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": f"c{number}", "content": f"text {number}"})
    messages.append({"role": "assistant", "content": "done"})
    return parse(json.dumps({"model": "gpt-4o", "messages": messages}).encode(), "chat.json", dialect="openai-chat")[0]


def test_sentences_come_from_figures() -> None:
    """More and less, in points and in counts; what is not known is said to be unknown."""
    before = {"name": "a", "cuts": 1, "peak": 900, "lost": 3, "cost": 0.5, "far": None, "line": 0.25}
    after = {"name": "b", "cuts": 3, "peak": 400, "lost": 1, "cost": 0.45, "far": 0.9, "line": 0.5}
    said = "a → b: +2 cuts, -500 tokens in the largest request, -2 names lost; points: cost -5.0, far unknown, line +25.0"
    assert changed(before, after) == said


def test_lost_names_are_told_by_how_often_they_were_missed() -> None:
    """Then by the alphabet, so that the order is one."""
    assert ranked(Counter({"b": 2, "a": 2, "c": 5})) == ["c", "a", "b"]


def test_figures_are_shown_as_what_they_are() -> None:
    """A share in percent, money in dollars, tokens in thousands, words as they are, nothing as a dash."""
    cases = ((0.5, "share"), (0.25, "usd"), (12345, "tokens"), ("x", "words"), (None, "share"))
    assert [shown(value, unit) for value, unit in cases] == ["50.0%", "$0.2500", "12,345", "x", "–"]
