"""The order in which partitions give way is the policy's, where it has one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from pumice.compact import planner
from pumice.compact.giving import TAKES, ordered
from pumice.compact.section import NAMED, Section, arranged
from pumice.domain.decision import Cause
from pumice.domain.policy import Policy, Shares
from pumice.domain.policy.limits import LEVELS
from pumice.faces import settings

ORDERS = st.lists(st.sampled_from(LEVELS), unique=True)
CUTS = st.lists(st.sampled_from(["tools", "history", "memory", "state"]), unique=True)


@pytest.mark.parametrize(
    ("order", "cut_order", "expected"),
    [
        ("mechanical offload summarize", "", "mechanical offload summarize"),
        ("mechanical offload summarize", "history tools", "mechanical summarize offload"),
        ("recent offload summarize", "tools history", "offload recent summarize"),
        ("offload recall summarize", "history", "summarize recall offload"),
        ("summarize rebuild mechanical offload", "tools", "mechanical offload summarize rebuild"),
        ("offload summarize", "memory state", "offload summarize"),
    ],
)
def test_levels_follow_the_partitions_they_take_from(order: str, cut_order: str, expected: str) -> None:
    """What is worthless goes first and the rebuild comes last; without a word the order stands as it is."""
    assert ordered(order.split(), cut_order.split()) == tuple(expected.split())


@given(ORDERS, CUTS)
def test_no_level_is_lost_and_those_of_a_partition_keep_their_order(order: list[str], cut_order: list[str]) -> None:
    """A stable order: `cut_order` decides between partitions, `order` inside each."""
    made = ordered(order, cut_order)
    assert sorted(made) == sorted(order)
    for partition in set(TAKES.values()):
        assert [level for level in made if TAKES.get(level) == partition] == [
            level for level in order if TAKES.get(level) == partition
        ]


def test_a_cut_runs_its_levels_in_that_order(long_story, room, counter) -> None:
    """The steps of a cut tell which level came first."""

    policy = Policy(name="p", order=("offload", "summarize"))
    for cut_order, first in [((), "offload"), (("history", "tools"), "summarize")]:
        cut = planner.plan(
            long_story.book(),
            replace(room, usable=room.usable // 2),
            replace(policy, cut_order=cut_order),
            cause=Cause.BUDGET,
            necessary=True,
            count=counter,
        )
        assert cut.steps[0].level == first


def test_the_preface_follows_the_policys_dynamic_zone() -> None:
    """Named parts stand in its order, in the places such parts have; `balanced` leaves all of them where they are."""
    sections = [Section(name, name) for name in ("note", "pins", "words", "notes", "state", "summary", "digest")]
    assert arranged(sections, settings.policy("balanced").dynamic) == tuple(sections)
    made = arranged(sections, ("summary", "evidence", "task_state"))
    assert [section.name for section in made] == ["note", "pins", "words", "notes", "summary", "digest", "state"]
    assert set(NAMED.values()) <= {"pins", "goal", "notes", "task_state", "summary", "children", "evidence"}


def test_the_share_of_state_limits_what_it_may_take(long_story, room, counter) -> None:
    """A smaller share shows less of the state: of what was done the block alone is named."""

    story = long_story
    for at in range(30):
        story.step("", ("Bash", {"command": f"git commit -m 'step {at} of the parser'"}, "done\n" * 400))
    story.step("All of it is in.")
    story.fold()
    sizes = []
    for share in (0.10, 0.002):
        policy = replace(settings.policy("balanced"), shares=Shares(state=share))
        cut = planner.plan(story.book(), room, policy, cause=Cause.BUDGET, necessary=True, count=counter)
        sizes.append(sum(tokens for name, tokens, _ in cut.placed if name == "state"))
    assert sizes[1] < sizes[0]
    assert sizes[1] <= 0.002 * room.usable + 40 + 5 * 30
