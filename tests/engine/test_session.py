"""A session: what is sent stays a prefix, what is edited is a branch, what is restarted goes on."""

import json
from itertools import pairwise
from typing import Any

import pytest
from tests_support import code, words

from pumice import wire
from pumice.domain.decision import Cause
from pumice.engine.session import Session
from pumice.errors import InvalidInput, TooManyReads


def units(view: Any) -> list[bytes]:
    return [unit.key for unit in wire.get("anthropic").units(view.raw)]


async def work(agent: Any, steps: int, start: int = 0, lines: int = 60) -> list[Any]:
    views = []
    for at in range(start, start + steps):
        agent.runs(f"c{at}", code(f"mod{at}", lines), tool="Read", file_path=f"src/mod{at}.py")
        views.append(await agent.call())
    return views


async def test_a_request_that_fits_goes_through_untouched(world: Any) -> None:
    """Nothing is cut, excerpted or added while there is nothing to save: the body is the client's own bytes."""
    agent = world.agent().says("hello").runs("c1", "ok")
    raw = json.dumps(agent.body()).encode()
    view = await agent.session.compile(raw, dialect="anthropic")
    assert view.body == raw
    assert (await agent.session.compile(agent.body(), dialect="anthropic")).body == agent.body()


async def test_views_extend_each_other_within_an_epoch(world: Any) -> None:
    """Between two views of one lane and epoch the earlier is a prefix of the later; every other change has a new epoch."""
    agent = world.agent().says("Fix src/mod3.py. Never touch migrations/.")
    views = await work(agent, 40)
    assert views[-1].epoch > 0
    for before, after in pairwise(views):
        if (before.lane, before.epoch) == (after.lane, after.epoch):
            assert units(after)[: len(units(before))] == units(before)
        assert after.tokens.total <= after.usable.tokens
        assert wire.rules.check(after.raw, "anthropic") == ()


async def test_a_rule_survives_every_cut(world: Any) -> None:
    """What a person ruled stands word for word in every view after it (B-E1)."""
    agent = world.agent().says("Refactor the modules. Never touch migrations/ and 不要动 config/prod.yaml。")
    for view in await work(agent, 40):
        assert "Never touch migrations/ and 不要动 config/prod.yaml。" in words(view.body)


async def test_the_same_request_gives_the_same_view(world: Any) -> None:
    """Compiling twice gives the same bytes, and so does a process that starts on the same store."""
    agent = world.agent().says("go")
    await work(agent, 30)
    first = await agent.call()
    again = await agent.call()
    other = world.agent()
    other.messages = agent.messages
    restarted = await other.call()
    assert first.raw == again.raw == restarted.raw
    assert restarted.epoch == first.epoch


async def test_every_block_is_in_every_manifest(world: Any) -> None:
    """Each block of the history has one row, sent or not, and hidden ones can be read back whole."""
    agent = world.agent().says("go")
    (view, *_) = (await work(agent, 40))[-1:]
    rows = {row.id: row for row in view.manifest.rows}
    blocks = agent.session.blocks()
    assert blocks.keys() <= rows.keys()
    assert sum(row.tokens for row in view.manifest.rows if not row.id.startswith("preface")) <= view.tokens.total
    hidden = [row for row in rows.values() if row.outcome in ("fold", "excerpt", "drop")]
    assert hidden
    for row in hidden:
        text = blocks[row.id].text
        if not text:
            continue
        agent.session.reads.reset()
        found = await agent.session.read_range(row.pointer, unit="chars", limit=20_000)
        assert text.startswith(found.text)


async def test_an_edit_of_the_client_is_a_branch(world: Any) -> None:
    """An edited message forks: a lane with its cause, and blocks before it keep their names."""
    agent = world.agent().says("go").runs("c1", "one").runs("c2", "two")
    await agent.call()
    agent.messages[-1] = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c2", "content": "changed"}]}
    view = await agent.call()
    assert view.cause == Cause.CLIENT_EDIT
    assert words(view.body) == words(agent.body())
    assert {"b1", "b2", "b3"} <= {row.id for row in view.manifest.rows}


async def test_a_rewind_leaves_what_was_said_after_it(world: Any) -> None:
    """A shorter request is a branch of its own; nothing of the abandoned end is shown."""
    agent = world.agent().says("go").runs("c1", "one").runs("c2", "secret two")
    await agent.call()
    agent.messages = agent.messages[:3]
    view = await agent.says("other way").call()
    assert "secret two" not in words(view.body)
    assert view.cause == Cause.CLIENT_EDIT


async def test_a_model_switch_opens_a_lane(world: Any) -> None:
    """Another model has another cache: a new lane with its cause on the same branch."""
    agent = world.agent().says("go").runs("c1", "one")
    first = await agent.call()
    agent.model = "claude-opus-4-5"
    second = await agent.call()
    assert second.cause == Cause.MODEL
    assert first.lane != second.lane
    assert len(agent.session.tree.branches) == 1


async def test_a_changed_head_opens_a_lane(world: Any) -> None:
    """A new system text moves the whole prefix, on record as client_head."""
    agent = world.agent().says("go").runs("c1", "one")
    await agent.call()
    agent.system = [{"type": "text", "text": "You are bold."}]
    assert (await agent.call()).cause == Cause.CLIENT_HEAD


async def test_sub_agents_do_not_mix(world: Any) -> None:
    """Each agent of a session has its own branch; neither sees the other's words."""
    agent = world.agent().says("main work")
    await agent.call()
    child = world.agent()
    child.session = agent.session
    view = await child.says("child work").call(agent="child")
    assert "main work" not in words(view.body)
    assert "child work" not in words((await agent.runs("c1", "x").call()).body)


async def test_a_compiled_body_sent_back_is_the_same_view(world: Any) -> None:
    """A client that goes on from the compiled view continues the session, it does not start another."""
    agent = world.agent().says("go")
    view = (await work(agent, 40))[-1]
    again = await agent.session.compile(view.body, dialect="anthropic")
    assert again.raw == view.raw
    body = {**view.body, "messages": [*view.body["messages"], {"role": "assistant", "content": "done"}]}
    longer = await agent.session.compile(body, dialect="anthropic")
    assert longer.epoch == view.epoch
    assert units(longer)[: len(units(view))] == units(view)


async def test_a_compiled_body_is_known_after_a_restart(world: Any) -> None:
    """The same holds for a process that starts on the same store."""
    agent = world.agent().says("go")
    view = (await work(agent, 40))[-1]
    again = await world.agent().session.compile(view.body, dialect="anthropic")
    assert again.raw == view.raw


async def test_an_unchanged_read_shows_what_it_points_at(world: Any) -> None:
    """A one-line "unchanged since the last read" is replaced by the content once that has left the window."""
    agent = world.agent().says("go")
    await work(agent, 40)
    line = "File unchanged since last read. See the earlier result in this conversation."
    view = await agent.runs("again", line, tool="Read", file_path="src/mod3.py").call()
    assert "def mod3_59(value_59)" in words(view.body)
    assert words((await agent.runs("c", "x").call()).body).count("def mod3_59(value_59)") >= 1


async def test_a_smaller_window_is_learnt_from_the_error(world: Any) -> None:
    """The limit a provider's error names lowers the window of a model for good (F-A2, B-G1)."""
    agent = world.agent(window=None, model="some-local-model").says("go")
    view = await agent.call()
    assert view.usable.window == 128_000
    error = "prompt is too long: 40000 tokens > 32768 maximum"
    assert await agent.session.refused(error) == 32_768
    assert (await agent.runs("c1", "x").call()).usable.window == 32_768
    other = world.agent(window=None, model="some-local-model")
    other.messages = agent.messages
    assert (await other.call()).usable.window == 32_768


async def test_predicted_cache_reads_are_what_views_share(world: Any) -> None:
    """The prediction is the view before while the prefix holds, and nothing of it after a cut moved it."""
    agent = world.agent().says("go")
    views = await work(agent, 40)
    for before, after in pairwise(views):
        predicted = agent.session.tree.calls[after.call].predicted_read
        assert predicted == before.tokens.total if before.epoch == after.epoch else predicted < before.tokens.total


async def test_two_processes_never_lose_an_event(world: Any) -> None:
    """Two engines on one session: the second reloads what the first wrote and goes on from there (B-L8)."""
    one = world.agent().says("go").runs("c1", "one")
    await one.call()
    two = world.agent()
    two.messages = list(one.messages)
    await two.runs("c2", "two").call()
    one.messages = list(two.messages)
    view = await one.runs("c3", "three").call()
    assert words(view.body) == words(one.body())
    assert len(one.session.blocks()) == 7


async def test_an_adopted_session_counts_as_seen(world: Any) -> None:
    """Blocks of a conversation already under way keep their bytes until an epoch, however big (DESIGN §2)."""
    log = "\n".join(f"line {at} of the build" for at in range(900))
    adopted = world.agent(window=60_000).says("go").runs("c1", log)
    adopted.answers("built").says("next")
    view = await adopted.call()
    assert words(view.body) == words(adopted.body())


async def test_a_big_result_is_excerpted_on_arrival(world: Any) -> None:
    """A log above the threshold is shown as an excerpt with a pointer from its first call on, and stays so."""
    agent = world.agent(window=60_000).says("build it")
    await agent.call()
    log = "\n".join([*(f"compiling unit {at}" for at in range(2000)), "error: missing symbol frob_7 in src/a.c:17"])
    first = await agent.runs("c1", log).call()
    assert "workspace://artifacts/" in words(first.body)
    assert "error: missing symbol frob_7 in src/a.c:17" in words(first.body)
    second = await agent.runs("c2", "ok").call()
    assert units(second)[: len(units(first))] == units(first)


async def test_read_backs_are_counted_per_response(world: Any) -> None:
    """Two reads per model response; the limit is taken back when the next response is recorded."""
    agent = world.agent().says("go").runs("c1", "alpha\nbeta")
    await agent.call()
    for _ in range(2):
        await agent.session.read_range("b3")
    with pytest.raises(TooManyReads):
        await agent.session.read_range("b3")
    await agent.session.record({"id": "m", "type": "message", "role": "assistant", "model": "x", "content": []})
    assert (await agent.session.read_range("b3", offset=2)).text == "beta"


async def test_usage_moves_the_factor(world: Any) -> None:
    """The factor follows the growth the provider reports, from the call after it is known."""
    agent = world.agent(window=200_000).says("go")
    for at in range(6):
        agent.runs(f"c{at}", code(f"m{at}", 120))
        view = await agent.call()
        event = agent.session.tree.calls[view.call]
        reported = round(event.counted * 1.5) + event.fixed
        usage = {"input_tokens": reported, "output_tokens": 5}
        answer = {"id": f"m{at}", "type": "message", "role": "assistant", "model": "x", "content": [], "usage": usage}
        await agent.session.record(answer)
    assert agent.session.tree.current["main"].calibration.factor == pytest.approx(1.5, abs=0.02)


async def test_hand_made_pins_stand_after_the_next_epoch(world: Any) -> None:
    """A pin made by hand is placed at the next epoch and goes when it is unpinned."""
    agent = world.agent().says("go")
    await work(agent, 5)
    pin = await agent.session.pin("The order number is A-77-19.")
    view = await agent.session.compact()
    assert "The order number is A-77-19." in words(view.body)
    await agent.session.unpin(pin.id)
    await work(agent, 3, start=5)
    assert "A-77-19" not in words((await agent.session.compact()).body)


async def test_rolling_back_shows_the_earlier_epoch(world: Any) -> None:
    """Rolling back to epoch 0 shows the full history again, as a new epoch."""
    agent = world.agent(window=200_000).says("go")
    await work(agent, 6)
    before = await agent.call()
    compacted = await agent.session.compact(target=3000)
    assert compacted.tokens.total <= 3000
    await agent.session.rollback(0)
    after = await agent.call()
    assert after.raw == before.raw
    assert after.epoch == compacted.epoch + 1


async def test_any_past_view_is_rebuilt(world: Any) -> None:
    """Every call's body comes back byte for byte, from this process and from a new one."""
    agent = world.agent().says("go")
    views = await work(agent, 30)
    fresh: Session = world.engine().session("s", policy="balanced", window=30_000)
    for view in views:
        assert await agent.session.rebuild(view.call) == view.raw
        assert await fresh.rebuild(view.call) == view.raw


async def test_explain_says_why_a_block_is_not_in_view(world: Any) -> None:
    """The row of a block in a past call is the row its manifest had."""
    agent = world.agent().says("go")
    views = await work(agent, 40)
    for row in views[-1].manifest.rows:
        if row.id.startswith("b"):
            told = await agent.session.explain(row.id, views[-1].call)
            assert (told.outcome, told.reason, told.tokens) == (row.outcome, row.reason, row.tokens)


async def test_search_finds_what_left_the_window(world: Any) -> None:
    """A scan over the session finds a line by its words and says where it is."""
    agent = world.agent().says("go")
    await work(agent, 20)
    (hit, *_) = await agent.session.search("mod3_17(")
    assert "def mod3_17(value_17)" in hit.text
    agent.session.reads.reset()
    assert "mod3_17" in (await agent.session.read_range(hit.pointer, offset=hit.line, limit=1)).text


async def test_wrong_use_is_said(world: Any) -> None:
    """Answers without questions, unknown agents and epochs are typed errors that say what was expected."""
    agent = world.agent()
    with pytest.raises(InvalidInput, match="compile first"):
        await agent.session.record(b"{}")
    with pytest.raises(InvalidInput, match="known agents"):
        await agent.session.compact()
    with pytest.raises(InvalidInput, match="1 to 256"):
        world.engine().session("")


async def test_the_clients_own_compaction_loses_no_rule(world: Any) -> None:
    """When the client replaces its history by a summary, a person's words come back at once, on record (DESIGN §2)."""
    agent = world.agent(window=60_000).says("Refactor. Never touch migrations/.")
    await work(agent, 5)
    summary = "This session is being continued from a previous conversation. " + "The work went on as planned. " * 40
    agent.messages = [{"role": "user", "content": summary}, {"role": "user", "content": "go on"}]
    view = await agent.call()
    assert view.cause == Cause.CLIENT_COMPACT
    assert "Refactor. Never touch migrations/." in words(view.body)
    assert "go on" in words(view.body)
    later = await agent.runs("n1", "ok").call()
    assert units(later)[: len(units(view))] == units(view)


async def test_a_focus_brings_the_lines_it_names(world: Any) -> None:
    """What a compaction by hand is asked to keep in mind comes back as lines, however old and unused."""
    for focus, is_there in (("keep mod1_33 in mind", True), ("", False)):
        agent = world.agent(f"focus {focus}", window=200_000).says("go")
        await work(agent, 20)
        view = await agent.session.compact(focus=focus, target=8_000)
        assert ("33→def mod1_33(value_33)" in words(view.body)) is is_there


async def test_calls_of_two_processes_have_numbers_of_their_own(world: Any) -> None:
    """Two processes with an agent each in one session never give two calls one number: each comes back as it was sent."""
    one, two = world.agent().says("one"), world.agent().says("two")
    views = []
    for at in range(4):
        views.append(await one.runs(f"a{at}", "x").call(agent="one"))
        views.append(await two.runs(f"b{at}", "y").call(agent="two"))
    assert [view.call for view in views] == list(range(1, 9))
    fresh: Session = world.engine().session("s", policy="balanced", window=30_000)
    for view in views:
        assert await fresh.rebuild(view.call) == view.raw


async def test_a_run_of_blocks_is_read_back_by_its_label(world: Any) -> None:
    """A label such as b2–b3 stands for several blocks: reading it gives their texts in order, each under its name."""
    agent = world.agent().says("go").runs("c1", "alpha\nbeta").runs("c2", "x" * 30_000)
    await agent.call()
    assert (await agent.session.read_range("b1–b3")).text.split("\n")[-2:] == ["alpha", "beta"]
    long = await agent.session.read_range("b5")
    assert (long.unit, len(long.text), long.next_offset) == ("chars", 20_000, 20_001)
