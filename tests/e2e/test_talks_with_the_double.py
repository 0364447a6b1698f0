"""Whole conversations with the provider double: a client, pumice between, and a provider that refuses what is wrong."""

import json
from itertools import pairwise

import pytest
from talks import Talk

from pumice import wire
from pumice.wire.double import Say, Use

ROUNDS = 64
ADAPTIVE = {"type": "adaptive", "display": "summarized"}


def script(rounds: int, *, thinking: bool = False, parallel: int = 1, answer_every: int = 0) -> list[Say]:
    """Steps of an agent that reads file after file, thinking before each call, and now and then answers its user."""
    steps = []
    for at in range(rounds):
        thought = f"Step {at}: look at part {at}." if thinking else ""
        if answer_every and at % answer_every == answer_every - 1:
            steps.append(Say(f"Part {at} is clear.", thinking=thought))
        else:
            calls = tuple(Use("Read", {"file_path": f"src/part_{at}_{n}.py"}) for n in range(parallel))
            steps.append(Say(f"Reading part {at}.", calls, thinking=thought))
    return steps


@pytest.mark.parametrize("dialect", list(wire.dialects))
@pytest.mark.parametrize("stream", [False, True], ids=["plain", "stream"])
async def test_a_long_tool_loop_at_a_small_window_is_never_refused(dialect: str, stream: bool) -> None:
    """64 rounds of one turn, compiled before every call: no refusal, no overflow, several epochs (B-D1, B-C5)."""
    talk = Talk(dialect, script(ROUNDS, parallel=2), window=12_000, stream=stream)
    await talk.says("Read every part. Never touch migrations/.").runs(ROUNDS)
    assert talk.statuses == [200] * ROUNDS
    assert len({view.epoch for view in talk.views}) > 3
    assert all("Never touch migrations/." in view.raw.decode() for view in talk.views)


@pytest.mark.parametrize("thinks", [False, True], ids=["silent", "thinking"])
async def test_turns_with_answers_go_through(thinks: bool) -> None:
    """Turns that end and begin again, on a model that does not bind its reasoning."""
    model = "claude-opus-4-5"
    steps = script(ROUNDS, thinking=thinks, answer_every=8)
    talk = Talk(
        "anthropic", steps, window=12_000, model=model, thinking={"type": "enabled", "budget_tokens": 1024} if thinks else None
    )
    await talk.says("Read every part.").runs(ROUNDS)
    assert talk.statuses == [200] * ROUNDS
    assert talk.views[-1].epoch > 0


@pytest.mark.parametrize("answer_every", [0, 4], ids=["one_turn", "many_turns"])
async def test_reasoning_bound_to_its_prefix_survives_a_cut(answer_every: int) -> None:
    """After a cut nothing that was signed over the old prefix is sent without the provider being told (K-A35 to A37)."""
    steps = script(ROUNDS, thinking=True, answer_every=answer_every)
    talk = Talk("anthropic", steps, window=12_000, model="claude-fable-5-1", thinking=ADAPTIVE)
    await talk.says("Read every part.").runs(ROUNDS)
    assert talk.statuses == [200] * ROUNDS, talk.refusal()
    assert talk.views[-1].epoch > 1


async def test_the_beta_stays_on_every_later_request() -> None:
    """Once reasoning may be dropped, field and header travel together on every later request (K-A37, K-A28)."""
    talk = Talk("anthropic", script(40, thinking=True), window=12_000, model="claude-fable-5-1", thinking=ADAPTIVE)
    await talk.says("Read every part.").runs(40)
    told = ["block_binding" in json.loads(view.raw)["thinking"] for view in talk.views]
    assert told[-1]
    assert told == sorted(told), "once told, told for good"
    assert [bool(view.headers) for view in talk.views] == told


async def test_what_the_double_read_from_its_cache_is_what_was_foretold() -> None:
    """Views of one epoch extend each other for the provider's cache too: its reads are within a block of the prediction."""
    talk = Talk("anthropic", script(30), window=30_000, marks=True)
    await talk.says("Read every part. " + "context " * 3000).runs(30)
    pairs = list(zip(talk.views, talk.reads, strict=True))
    warm = [(view, read) for (before, _), (view, read) in pairwise(pairs) if before.epoch == view.epoch]
    assert len(warm) > 10
    for view, read in warm:
        predicted = talk.session.tree.calls[view.call].predicted_read
        assert read >= 0.85 * predicted, (view.call, read, predicted)


@pytest.mark.parametrize("every", [100, 3])
async def test_a_turn_cut_in_its_middle_still_begins_with_reasoning(every: int) -> None:
    """With manual thinking a model thinks before its first step and then as it likes; no cut leaves a turn that is refused."""
    steps = [Say("", (Use("Read", {"file_path": f"/m{at}.py"}),), thinking="" if at % every else "Hm.") for at in range(40)]
    talk = Talk("anthropic", steps, window=14_000, thinking={"type": "enabled", "budget_tokens": 1024})
    await talk.says("Read every part.").runs(40)
    assert set(talk.statuses) == {200}
    assert talk.views[-1].epoch > 1
    cuts = [view.manifest for before, view in pairwise(talk.views) if before.epoch != view.epoch]
    assert not [row for manifest in cuts for row in manifest.rows if row.level == "floor"]


@pytest.mark.parametrize("dialect", list(wire.dialects))
async def test_nothing_is_foretold_twice(dialect: str) -> None:
    """Between cuts the cache should hold the view before, once: system messages in front are no part of the head besides."""
    talk = Talk(dialect, script(4), window=30_000)
    await talk.says("Read every part.").runs(4)
    for before, view in pairwise(talk.views):
        assert talk.session.tree.calls[view.call].predicted_read == talk.session.tree.calls[before.call].tokens


@pytest.mark.parametrize("dialect", list(wire.dialects))
async def test_a_new_process_takes_over_in_the_middle(dialect: str) -> None:
    """A restart between two calls changes nothing of what is sent."""
    talk, other = (Talk(dialect, script(40), window=12_000) for _ in range(2))
    await talk.says("Read every part.").runs(40)
    await other.says("Read every part.").runs(20)
    other.restart()
    await other.runs(20)
    assert [view.raw for view in talk.views] == [view.raw for view in other.views]


async def test_an_interrupted_round_goes_on() -> None:
    """A call whose tool never ran is closed on the wire, and the user's next words follow it (B-A2)."""
    talk = Talk("anthropic", script(6), window=12_000)
    await talk.says("Read.").runs(2)
    await talk.interrupt().says("Stop that. Go on with part 3.").runs(2)
    assert talk.statuses == [200] * 4
    assert any("no result" in sentence for sentence in talk.views[-1].manifest.repairs)
