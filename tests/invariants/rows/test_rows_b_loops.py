"""Known failures of other agents, B and C: loops without progress, and what is still over after a pass."""

from itertools import pairwise

import pytest
from rows import Row, sent
from tests_support import code

from pumice import wire
from pumice.errors import CannotFit
from pumice.wire import rules

DIALECTS = list(wire.dialects)


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_b1_b3_a_head_that_is_too_big_is_said_before_anything_is_cut(dialect: str) -> None:
    """When system and tools alone exceed the window, history is not touched: one refusal that names the head and its size."""
    row = Row(dialect, window=4000).user("hello")
    row.system = "Every rule of this project. " * 1500
    for _ in range(2):
        with pytest.raises(CannotFit) as found:
            await row.call()
        assert dict(found.value.parts)["head"] > found.value.budget
    row.system = "Short."
    assert (await row.call()).epoch == 0, "nothing was cut while it could not help"


async def test_b4_b6_one_huge_result_in_the_live_turn_is_shrunk_once() -> None:
    """A result larger than the window becomes an excerpt with a pointer: one pass, no loop of them, the call goes out."""
    row = Row(window=12_000).user("Show it.")
    await row.call()
    row.uses("\n".join(f"{at} {at * at} value_{at}" for at in range(30_000)), tool="Read")
    views = [await row.call() for _ in range(5)]
    assert {view.raw for view in views} == {views[0].raw}
    assert views[0].epoch <= 1
    assert b"workspace://artifacts/" in views[0].raw


async def test_b9_a_cut_is_not_due_again_right_after_a_cut() -> None:
    """Sizes are those of the new view: after each cut several calls pass before the next."""
    row = Row(window=12_000).user("Read all.")
    await row.steps(50)
    cuts = [at for at in range(1, 50) if row.views[at].epoch != row.views[at - 1].epoch]
    assert len(cuts) >= 3
    assert min(later - earlier for earlier, later in pairwise(cuts)) >= 3


async def test_b11_files_read_again_and_again_do_not_spin() -> None:
    """A task that needs more files than fit: each read is whole in its own call, cuts stay rare, what comes back is said."""
    row = Row(window=12_000).user("Compare the five files.")
    texts = {f"src/f{at}.py": code(f"f{at}", 90) for at in range(5)}
    for at in range(30):
        path = f"src/f{at % 5}.py"
        view = await row.uses(texts[path], file_path=path).call()
        assert texts[path].splitlines()[45] in str(sent(view))
        assert view.tokens.total <= view.usable.tokens
        told = [words for words in view.manifest.warnings if "had left the view" in words]
        assert len(told) == (at >= 5 and view.epoch > 0)
    assert row.views[-1].epoch <= 15


KINDS = ["assistant", "user", "result", "error", "call", "thinking", "system"]


@pytest.mark.parametrize("kind", KINDS)
async def test_c1_c2_c9_history_of_any_kind_at_twice_the_window_fits(kind: str) -> None:
    """No kind of item is exempt: long texts, calls, errors, reasoning and client messages fold like results."""
    row = Row(window=12_000, model="claude-opus-4-8").user("Begin.")
    body = row.body()
    for at in range(16):
        long, use = (
            f"{kind} {at} says: " + f"word{at} " * 1400,
            {"type": "tool_use", "id": f"c{at}", "name": "Bash", "input": {}},
        )
        use["input"] = {"command": long if kind == "call" else "ls"}
        said = [{"type": "text", "text": long if kind == "assistant" else "ok"}, use]
        if kind == "thinking":
            said = [{"type": "thinking", "thinking": long, "signature": "s" * 80}, *said]
        result = {"type": "tool_result", "tool_use_id": f"c{at}", "content": long if kind in ("result", "error") else "fine"}
        result |= {"is_error": True} if kind == "error" else {}
        body["messages"] += [{"role": "assistant", "content": said}, {"role": "user", "content": [result]}]
        body["messages"] += [{"role": "system", "content": long}] if kind == "system" else []
        body["messages"] += [
            {"role": "assistant", "content": "Next?"},
            {"role": "user", "content": long if kind == "user" else "yes"},
        ]
    view = await row.session.compile(body, dialect="anthropic")
    assert view.tokens.total <= view.usable.tokens
    assert rules.check(view.raw, "anthropic") == ()


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_c5_a_live_turn_of_nine_large_results_fits_whole(dialect: str) -> None:
    """Results of the running turn shrink too, and the proof is of the complete request."""
    row = Row(dialect, window=12_000).user("Read nine files at once.")
    await row.call()
    row.uses(*(code(f"big{n}", 150) for n in range(9)))
    view = await row.call()
    assert view.tokens.total <= view.usable.tokens
    assert rules.check(view.raw, dialect) == ()
    assert all(f"big{n}_" in view.raw.decode() for n in range(9)), "every one of them is still shown in part"


async def test_c4_each_request_has_its_own_window() -> None:
    """A window named for one request holds for that one: budgets are per target, not per session."""
    row = Row(window=60_000).user("Read.").reads(12)
    large = await row.call()
    assert large.usable.window == 60_000
    small = await row.call(window=9000)
    assert small.usable.window == 9000
    assert small.tokens.total <= small.usable.tokens < large.tokens.total


async def test_c7_what_is_asked_of_the_model_is_left_to_it() -> None:
    """Where a provider refuses input and output cap together above the window, the cut comes before they meet."""
    row = Row("openai-chat", window=16_000, model="some-local-model").user("Read.")
    row.more = {"max_tokens": 5000}
    await row.steps(30)
    assert row.views[-1].epoch > 0
    assert all(view.tokens.total + 5000 <= 16_000 for view in row.views)
    assert {view.usable.reserve_output for view in row.views} == {5000}


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_c12_a_full_window_can_always_be_compacted_without_a_model(dialect: str) -> None:
    """At 100% the pass works, by hand and by need, with no model given."""
    row = Row(dialect, window=12_000).user("Read.")
    while not row.views or row.views[-1].tokens.total < 0.9 * row.views[-1].usable.tokens:
        await row.steps(1)
    assert row.views[-1].epoch == 0
    compacted = await row.session.compact(target=4000)
    assert compacted.tokens.total <= 4000
