"""Level recall: what is old folds, and what answers the question at hand comes back."""

import re
import time

import level_rules
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from pumice.compact import planner
from pumice.compact.layout import Layout
from pumice.compact.levels import recall
from pumice.domain.decision import Cause, Cut, Outcome
from pumice.faces import settings as presets
from pumice.measure import tokens

POLICY = level_rules.policy_for(presets.policy("balanced"), "recall")


def plan(story, room, counter, policy=POLICY) -> Cut:
    story.fold()
    return planner.plan(story.book(), room, policy, cause=Cause.BUDGET, necessary=True, count=counter)


def recalled(cut: Cut) -> str:
    found = re.search(r"<pumice:recalled>\n(.*?)\n</pumice:recalled>", cut.preface, re.DOTALL)
    return found[1] if found else ""


def told(story) -> None:
    """A long talk in which the delivery was mentioned once."""
    story.user("Please look after order A-1009 and its refund.")
    story.step("", ("lookup_order", {"order": "A-1009"}, "status: signed for, three days ago\nbox: 7"))
    for at in range(60):
        story.step(f"I check part {at}.", ("Bash", {"command": f"run {at}"}, f"output line of part {at}, signed\n" * 40))
    story.user("Was order A-1009 signed for already?")
    story.step("Let me think.")


def test_what_was_said_once_long_ago_comes_back_when_it_is_asked(story, room, counter) -> None:
    """The passage stands word for word, under the name it can be read back by."""
    told(story)
    text = recalled(plan(story, room, counter))
    assert "1→status: signed for, three days ago" in text
    assert re.search(r"^⋯ b\d+ lookup_order A-1009", text, re.MULTILINE)


def test_it_is_said_that_there_is_more(story, room, counter) -> None:
    """How many of how many, by what they were ranked, and how to ask for more (F-B10)."""
    told(story)
    few = replace(POLICY, recall=replace(POLICY.recall, passages=2))
    first = recalled(plan(story, room, counter, few)).split("\n")[0]
    assert re.fullmatch(r"⋯ 2 of \d+ passages shown, ranked by BM25 on .*; ask for more with search", first)


def test_passages_keep_to_their_share(story, room, counter) -> None:
    """However much would answer."""
    told(story)
    small = replace(POLICY, recall=replace(POLICY.recall, share=0.02, passages=1000))
    text = recalled(plan(story, room, counter, small))
    assert counter([text])[0] <= 0.02 * 0.7 * room.usable


def test_chinese_words_bring_back_chinese_passages(story, room, counter) -> None:
    """No spaces are needed."""
    story.step("", ("查询", {"编号": "1009"}, "状态：三天前已签收\n仓库：上海"))
    for at in range(60):
        story.step("", ("Bash", {"command": f"run {at}"}, f"第{at}部分的输出\n" * 60))
    story.user("订单是不是已签收？")
    story.step("我想一下。")
    assert "1→状态：三天前已签收" in recalled(plan(story, room, counter))


def test_what_stands_in_the_preface_anyway_is_not_recalled(story, room, counter) -> None:
    """A person's words are paid for once."""
    told(story)
    assert "Please look after order A-1009" not in recalled(plan(story, room, counter))


def test_a_level_that_finds_nothing_more_to_fold_leaves_the_view_as_it_is(story, room, counter) -> None:
    """Only the name of the level is new."""
    story.user("hello")
    story.step("hi")
    brief = planner.briefed(story.book(), room, POLICY, count=counter)
    assert recall.lay_out(brief, Layout()) == Layout("recall")


def test_two_hundred_thousand_tokens_are_planned_at_once(story, room) -> None:
    """Far below a second however long the question is: on an idle core it takes less than a tenth of one."""
    for at in range(280):
        body = "\n".join(f"{line}→value_{at}_{line} = compute_{line % 7}(field_{at}) # row {line * at}" for line in range(60))
        story.step(f"Step {at}.", ("Read", {"file_path": f"src/part_{at}.py"}, body))
    story.user("Where is value_17_3 set, and which compute does field_44 use? " * 12)
    story.step("Let me think.")
    book = story.book()
    big = replace(room, window=200_000, usable=167_000)

    def once() -> float:
        start = time.perf_counter()
        planner.plan(book, big, POLICY, cause=Cause.BUDGET, necessary=True, count=tokens.count_many)
        return time.perf_counter() - start

    assert sum(size.text for size in book.sizes.values()) > 190_000
    assert min(once() for _ in range(3)) < 1.0


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=level_rules.STEPS, window=st.integers(500, 60_000), first=st.integers(0, 20), folded=st.integers(0, 4))
def test_any_conversation_keeps_the_promises_of_a_level(steps, window, first, folded, counter, story) -> None:
    """Only takes away, tears no pair, forges nothing, the same twice."""
    brief = level_rules.brief_of(level_rules.tell(type(story)(), steps).book(), window, POLICY, counter)
    level_rules.holds(recall.lay_out, brief, level_rules.before_of(brief, first, folded))


def test_what_folds_has_a_pointer(story, room, counter) -> None:
    """Each block by itself, and one range in the view."""
    told(story)
    cut = plan(story, room, counter)
    assert all(one.pointer for one in cut.decisions if one.outcome is Outcome.FOLD)
    assert re.search(r"<pumice:digest>\n⋯ b\d+–b\d+ \d+ blocks\n", cut.preface)
