"""The product as a driver: its views judged, its pointers read back, its refusals counted and not fatal."""

import asyncio
from pathlib import Path

import msgspec
import pytest
import small_sessions as small
from msgspec.structs import replace
from scripted import Scripted, summarising

from pumice import recordings, wire
from pumice.domain import marks
from pumice.domain.policy import Budget, Triggers
from pumice.domain.ports import Model
from pumice.errors import BadPolicy
from pumice.evaluate import rules, script
from pumice.evaluate.driver import with_head
from pumice.evaluate.judge import Seen
from pumice.evaluate.options import Options
from pumice.evaluate.product import EngineDriver, with_ttl
from pumice.evaluate.run import Run, run
from pumice.evaluate.score import Score
from pumice.evaluate.script import Script
from pumice.faces import settings
from pumice.measure.window import usable

LOG = "\n".join(f"step {number}: compiled module_{number}.c in {number} ms" for number in range(400))
PARTS = {number: f"value_{number} = 1\n" * 300 for number in range(2, 9)}
READS = [message for number, text in PARTS.items() for message in small.read(number, f"src/part_{number}.py", text)]
LONG = [
    small.user("Build it. Never delete build.log."),
    small.call("toolu_1", "Bash", command="make all"),
    small.result("toolu_1", LOG),
    *READS,
    small.said("module_399.c took longest"),
]


def _run(told: Script, policy: str, options: Options) -> tuple[Run, list[Seen]]:
    seen: list[Seen] = []
    driver = EngineDriver(told.recording, settings.policy(policy), options)
    return asyncio.run(run(told, driver, wire.get("anthropic"), options, seen.append)), seen


def test_the_default_policy_keeps_its_promises_on_a_session_that_must_be_cut() -> None:
    """Within the budget, valid, every pointer resolving to the source's text, every block in the manifest."""
    done, seen = _run(small.written(*LONG), "balanced", Options(window=16_000))
    assert done.score.epochs > 0
    assert (done.score.overflows, done.score.violations, done.notes) == (0, 0, ())
    assert any(marks.OPEN.encode() in one.body for one in seen)
    assert len(done.score.latencies) == done.score.calls == len(seen)


def test_the_ruler_and_the_product_count_alike() -> None:
    """The size a view says it has is the size the ruler bills."""
    _, seen = _run(small.written(*LONG), "balanced", Options(window=16_000))
    assert [one.tokens for one in seen] == [one.bill.tokens for one in seen]


def test_a_call_that_cannot_fit_is_an_overflow_and_the_replay_goes_on() -> None:
    """The client's own request stands in for it, as it would at a proxy (DESIGN §7)."""
    huge = small.user("word " * 5000)
    told = small.written(small.user("hi"), small.said("hello"), huge, small.said("ok"))
    done, seen = _run(told, "balanced", Options(window=60))
    assert [one.call for one in seen] == [1, 2]
    assert done.score.overflows == 1
    assert "CannotFit" in done.notes[0]


def test_a_pointer_that_reads_back_another_text_is_found() -> None:
    """`unresolved` compares what an agent would get with the source."""
    told = small.written(*LONG)
    driver = EngineDriver(told.recording, settings.policy("balanced"), Options(window=16_000))
    asyncio.run(driver.compile(told.moments[-1]))
    pointed = {"b3": LOG, "b1": "other words", "b999": "nothing"}
    assert asyncio.run(driver.unresolved(pointed)) == ["b1", "b999"]


def test_a_head_that_no_body_shows_comes_off_the_room() -> None:
    """`--head N` leaves N tokens less to every policy."""
    policy = settings.policy("balanced")
    options = Options(window=60_000, head=5_000)
    headed = with_head(policy, options, small.MODEL)
    rooms = [usable(one.budget, model=small.MODEL, window=60_000).tokens for one in (policy, headed)]
    assert rooms[0] - rooms[1] == 5_000
    assert with_head(policy, Options(window=60_000), small.MODEL) is policy


def test_the_time_to_live_of_the_replay_is_the_policys() -> None:
    """A policy without a cold rule stays without one."""
    told = with_ttl(settings.policy("balanced"), 300.0)
    assert told.cold is not None
    assert told.cold.ttl == 300
    none = settings.policy("none")
    assert with_ttl(none, 300.0) is none


@pytest.mark.parametrize("name", ["d3-7d736cbc10-0"])
def test_the_full_history_costs_what_it_is_charged_for(data: Path, name: str) -> None:
    """Policy `none` is the denominator: its own cost is the full cost, and it lacks nothing."""
    found = recordings.open(data / "claude-code" / f"{name}.jsonl")[0]
    told = script.write(found, wire.get(found.dialect), rules.finder(found))
    done, _ = _run(told, "none", Options(window=60_000))
    money = msgspec.structs.asdict(done.score.money)
    assert money["cost"] == pytest.approx(money["full"]) == pytest.approx(money["honest"])
    assert done.score.retention.value == 1.0


def test_questions_to_a_model_are_part_of_what_a_policy_costs() -> None:
    """Cost is input at cache prices and the policy's own model calls, as far as their usage is reported."""
    policy = summarising(budget=Budget(act=0.5, to=0.3))
    told, options = small.written(*LONG), Options(window=16_000)

    def cost(model: Model | None) -> Score:
        driver = EngineDriver(told.recording, policy, options, model=model)
        return asyncio.run(run(told, driver, wire.get("anthropic"), options, lambda _: None)).score

    asked = Scripted("priced")
    with_questions, without = cost(asked).money, cost(None).money
    assert len(asked.asked) > 0
    each = (10_000 * 1.25 + 1_000 * 5) / 10**6
    assert with_questions.cost is not None
    assert without.cost is not None
    assert with_questions.cost >= without.cost + each * (len(asked.asked) - 1)


def test_a_policy_steps_down_to_one_the_replay_knows() -> None:
    """Names of harder policies are looked up among those given; any other is refused by its path."""
    policy = replace(settings.policy("balanced"), triggers=Triggers(cost_usd=1.0, on_cost="harder", degrade=("newest",)))
    told = small.written(*LONG)
    EngineDriver(told.recording, policy, Options(steps={"newest": settings.policy("newest")}))
    with pytest.raises(BadPolicy, match=r"\$\.triggers\.degrade: 'newest'"):
        EngineDriver(told.recording, policy, Options())
