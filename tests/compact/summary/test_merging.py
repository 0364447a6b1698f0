"""Merging summaries: state, not source; bounded, and the facts as they were at first."""

from hypothesis import given, settings
from hypothesis import strategies as st

from pumice.compact.summary import merge, render, template
from pumice.compact.summary.render import MORE, STANDS
from pumice.domain.policy import Summarize
from pumice.domain.summary import SummaryItem

OURS = template.shipped("pumice")


def item(section: str, text: str, key: str = "", status: str = "", *sources: str) -> SummaryItem:
    return SummaryItem(section, text, key, status, sources or ("b1",), verbatim=True)


def test_a_newer_item_of_the_same_key_takes_its_place_and_keeps_where_it_came_from() -> None:
    """The words are the new ones; both sources are named."""
    [one] = merge.merged([item("done", "old", "src/a.py", "", "b1")], [item("done", "new", "src/a.py", "", "b9")], OURS)
    assert (one.text, one.sources) == ("new", ("b9", "b1"))


def test_what_is_done_is_no_longer_open() -> None:
    """One thing is never both, in whatever sections it stands."""
    [one] = merge.merged([item("to_do", "write docs", status="next")], [item("done", "write docs", status="done")], OURS)
    assert (one.section, one.status) == ("done", "done")


def test_what_fails_again_is_no_longer_done() -> None:
    """The newest word on a thing holds."""
    before = [item("done", "all passed", "Bash pytest", "done")]
    [one] = merge.merged(before, [item("to_do", "E assert", "Bash pytest", "failed")], OURS)
    assert one.status == "failed"


def test_a_question_that_was_answered_is_not_carried_on() -> None:
    """What the task state has closed is closed here too."""
    assert merge.merged([item("to_do", "which port?", status="to_confirm")], [], OURS, over={"which port?"}) == []


def test_a_goal_or_a_rule_that_no_longer_holds_is_not_carried_on() -> None:
    """The user has moved on; what was done stays done."""
    before = [item("goal", "fix the lexer"), item("constraints", "Never touch a.py"), item("done", "x", "Bash pytest", "done")]
    assert [
        one.section for one in merge.merged(before, [], OURS, over={"fix the lexer", "Never touch a.py", "Bash pytest"})
    ] == ["done"]


def test_what_only_points_and_best_lines_are_found_anew() -> None:
    """They say where things stand now, which the next pass knows better."""
    before = [
        SummaryItem("goal", "", STANDS, sources=("b1",)),
        SummaryItem("done", "", MORE, sources=("b2", "b8")),
        item("state", "12→def f(): pass"),
        item("state", "a long\n⋯ 90 characters\nmessage"),
    ]
    assert merge.merged(before, [], OURS) == []


def test_sources_stay_few_and_keep_the_first_and_the_newest() -> None:
    """An item that is touched at every pass does not grow."""
    one = item("done", "same", "k", "", "b1")
    for at in range(2, 40):
        [one] = merge.merged([one], [item("done", "same", "k", "", f"b{at}")], OURS)
    assert one.sources == ("b39", "b38", "b37", "b36", "b35", "b1")


passes = st.lists(
    st.lists(
        st.builds(
            item,
            st.sampled_from([part.key for part in OURS.sections]),
            st.text(min_size=1, max_size=30),
            st.sampled_from(["", "k1", "k2", "k3"]),
            st.sampled_from(["", *template.STATUSES]),
            st.integers(1, 99).map(lambda at: f"b{at}"),
        ),
        max_size=6,
    ),
    max_size=6,
)


@settings(max_examples=80, deadline=None)
@given(passes)
def test_merging_again_without_news_changes_nothing(made) -> None:
    """Idempotent: the same input gives the same items, in the same words (B-F6)."""
    items: list[SummaryItem] = []
    for new in made:
        items = merge.merged(items, new, OURS)
        assert len({merge.identity(one) for one in items}) == len(items)
    assert merge.merged(items, [], OURS) == [one for one in items if merge.is_carried(one)]


def growing(story, at: int) -> None:
    """One turn of a session in which facts come up all the time."""
    story.user(f"Set port_{at} to {8000 + at}. Never touch vault_{at}/.")
    story.step(f"We decided to use port {8000 + at}.", ("Bash", {"command": f"deploy step_{at}"}, f"step_{at} done\nexit 0"))
    story.step("", ("Edit", {"file_path": f"src/mod_{at % 9}.py", "old_string": f"p{at}", "new_string": "q"}, "ok"))


def test_two_hundred_passes_neither_grow_nor_reword(story, stated, summing, room, counter) -> None:
    """After 200 compactions in a row the summary is within its cap, and each fact stands as it did the first time (F1, F6)."""
    first_words: dict[tuple[str, str], str] = {}
    cut, sizes = None, []
    for at in range(200):
        growing(story, at)
        cut = summing(stated(story), after=cut, tokens=800)
        sizes += [tokens for name, tokens, _ in cut.placed if name == "summary"]
        for one in cut.summary.items if cut.summary else ():
            if merge.is_carried(one):
                assert first_words.setdefault(merge.identity(one), one.text) == one.text
    assert max(sizes) <= 800 + 60
    assert max(sizes[150:]) <= max(sizes[20:60]) * 1.1
    assert len(cut.summary.items) < 60
    ledger = {block.id: block.text for group in story.groups for block in group.blocks}
    assert all(
        one.text in ledger[one.sources[0]] or one.text == ""
        for one in cut.summary.items
        if one.verbatim and not merge.is_lines(one) and "⋯" not in one.text
    )


def test_the_cap_of_a_policy_is_the_size_in_view(story, stated, summing) -> None:
    """`summarize.tokens` is what the reader pays, not what the items come to."""
    for at in range(60):
        growing(story, at)
    book = stated(story)
    for tokens in (200, 600, Summarize().tokens):
        cut = summing(book, tokens=tokens)
        text = render.render(cut.summary, OURS)
        assert (len(text) + 3) // 4 <= tokens
