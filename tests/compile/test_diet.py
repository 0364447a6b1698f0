"""The plan of a diet: what waits, what stays, and that a lane that goes on keeps what it had."""

from hypothesis import given
from hypothesis import strategies as st

from pumice.compile.diet import Candidate, extend, plan
from pumice.domain.policy import Tools

NAMES = [f"tool_{at}" for at in range(8)] + ["Read", "Edit", "mcp__hub__list"]
tools = st.lists(st.sampled_from(NAMES), unique=True).flatmap(
    lambda names: st.tuples(*(st.builds(Candidate, st.just(name), st.integers(10, 900), st.booleans()) for name in names))
)
some = st.frozensets(st.sampled_from(NAMES), max_size=4)


def policy(over: int | None = 0, *keep: str) -> Tools:
    return Tools(defer_unused_over=over, keep=keep)


@given(tools, st.integers(0, 3000), some)
def test_only_what_may_wait_waits(found: tuple[Candidate, ...], over: int, needed: frozenset[str]) -> None:
    """What was used, is kept by name or pattern, or the provider does not take as deferred, stays loaded."""
    made = plan(found, policy(over, "Read", "mcp__*"), needed=needed, search_tokens=200)
    waits = {tool.name for tool in found if tool.can_wait} - needed - {"Read", "mcp__hub__list"}
    assert set(made.deferred) in (set(), waits)
    assert made.names == tuple(tool.name for tool in found)
    if made.deferred:
        assert sum(tool.tokens for tool in found) > over
        assert sum(tool.tokens for tool in found if tool.name in made.deferred) > 200


def test_a_small_set_of_tools_stays() -> None:
    """Below the threshold, or where the search costs more than it saves, nothing is deferred."""
    found = [Candidate("a", 100, True), Candidate("b", 100, True)]
    assert plan(found, policy(200), needed=(), search_tokens=0).deferred == ()
    assert plan(found, policy(199), needed=(), search_tokens=200).deferred == ()
    assert plan(found, policy(199), needed=(), search_tokens=199).deferred == ("a", "b")
    assert plan(found, policy(None), needed=(), search_tokens=0).deferred == ()


@given(tools, tools, some)
def test_a_lane_that_goes_on_moves_no_tool(
    old: tuple[Candidate, ...], new: tuple[Candidate, ...], needed: frozenset[str]
) -> None:
    """What was loaded stays loaded and what waited waits, in the old order; only what is new is decided."""
    before = plan(old, policy(), needed=(), search_tokens=0)
    after = extend(before, new, policy(), needed=needed)
    left = {tool.name for tool in new}
    assert [name for name in after.names if name in before.names] == [name for name in before.names if name in left]
    assert set(after.names) == left
    assert set(after.deferred) & set(before.names) == set(before.deferred) & left
    if not before.deferred:
        assert after.deferred == (), "a search that no lane before had would move the prefix"
