"""What each preset keeps and lets go at a cut is what its product does, by the planner that makes the cut in a session."""

from collections.abc import Sequence

import pytest

from pumice.compact import planner, triggers
from pumice.domain.block import Block, Kind
from pumice.domain.book import Room
from pumice.domain.decision import Cause, Cut, Outcome
from pumice.domain.policy import Policy
from pumice.faces import settings
from pumice.measure.window import usable

AWAY = (Outcome.FOLD, Outcome.DROP)
FIVE_THOUSAND = "line of output with some words\n" * 645


def cut_of(story, policy: Policy, counter, *, window: int = 200_000) -> Cut:
    """The cut a session makes when this much stands in view."""
    story.fold()
    book = story.book()
    found = usable(policy.budget, window=window)
    view = sum(size.tokens(1.0) for size in book.sizes.values())
    room = Room(found.window, found.tokens, head=0, factor=1.0, view=view, growth=1000.0, calls=40)
    return planner.plan(book, room, policy, cause=Cause.BUDGET, necessary=True, count=counter)


def results(story) -> list[Block]:
    return [block for group in story.groups for block in group.blocks if block.kind is Kind.RESULT]


def outcomes(cut: Cut, blocks: Sequence[Block]) -> list[Outcome]:
    known = {decision.block: decision.outcome for decision in cut.decisions}
    return [known[block.id] for block in blocks]


@pytest.mark.parametrize(("name", "budget"), [("codex", 20_000), ("codex-remote", 64_000)])
def test_codex_keeps_the_newest_words_and_cuts_the_first_that_overflows(story, counter, name: str, budget: int) -> None:
    """Newest first up to its budget, the next one cut in its middle, older ones not at all; the hand-over after them."""
    for at in range(30):
        story.user(f"Request {at} begins. {'word ' * 2400} Request {at} ends.")
        story.step("", ("Bash", {"command": f"make target_{at}"}, FIVE_THOUSAND))
    story.step("All done.")
    cut = cut_of(story, settings.policy(name), counter)
    texts = [block.text for group in story.groups if group.is_user for block in group.blocks]
    whole = [at for at, text in enumerate(texts) if text in cut.preface]
    size = counter([texts[0]])[0]
    assert whole == list(range(30 - budget // size, 30))
    overflowing = whole[0] - 1
    assert f"Request {overflowing} begins." in cut.preface
    assert f"Request {overflowing} ends." in cut.preface
    assert f"Request {overflowing - 1} begins." not in cut.preface.partition("<pumice:summary>")[0]
    assert cut.preface.index("Request 29 ends.") < cut.preface.index("<pumice:summary>")
    assert cut.summary is not None
    assert cut.summary.template == "handoff"
    assert set(outcomes(cut, results(story)[:-1])) == {Outcome.FOLD}, "all that is no one's words has gone"


def test_anthropic_context_editing_clears_all_results_but_three(story, counter) -> None:
    """Above 100,000 tokens the newest three stay; the calls of all stay, and a line of each says where it is."""
    for at in range(24):
        story.step("", ("Read", {"file_path": f"src/file_{at}.py"}, f"{at} {FIVE_THOUSAND}"))
    policy = settings.policy("anthropic-context-editing")
    cut = cut_of(story, policy, counter)
    assert outcomes(cut, results(story)) == [Outcome.EXCERPT] * 21 + [Outcome.KEEP] * 3
    texts = {decision.block: decision.text for decision in cut.decisions}
    assert all("line of output" not in str(texts[block.id]) for block in results(story)[:21]), "nothing of it stays"
    calls = [block for group in story.groups for block in group.blocks if block.kind is Kind.CALL]
    assert set(outcomes(cut, calls)) == {Outcome.KEEP}


def test_what_anthropic_context_editing_excludes_stays_and_too_little_is_not_cleared(story, counter) -> None:
    """`exclude_tools` and `clear_at_least` by their names: nothing goes where so much cannot."""
    for at in range(8):
        story.step("", ("Read" if at % 2 else "Bash", {"file_path": f"src/file_{at}.py", "command": "ls"}, FIVE_THOUSAND))
    base = "anthropic-context-editing"
    spared = settings.in_force({"extends": base, "offload": {"exclude_tools": ["Bash"]}}).policy
    kept = [Outcome.KEEP, Outcome.EXCERPT] * 1 + [Outcome.KEEP] * 6
    assert outcomes(cut_of(story, spared, counter), results(story)) == kept
    large = settings.in_force({"extends": base, "offload": {"clear_at_least": 90_000}}).policy
    assert set(outcomes(cut_of(story, large, counter), results(story))) == {Outcome.KEEP}


def test_claude_code_clears_old_results_first(story, counter) -> None:
    """Reads, shells, searches and the web, all but the newest five; what an edit said stays, and no summary is made."""
    for at in range(40):
        tool = ("Read", "Bash", "Grep", "WebFetch", "Edit")[at % 5]
        arguments = {"file_path": f"src/f{at}.py", "command": f"make {at}", "pattern": "x", "url": "https://example.com"}
        story.step("", (tool, arguments, FIVE_THOUSAND if tool != "Edit" else f"edited {at}"))
    cut = cut_of(story, settings.policy("claude-code"), counter)
    assert cut.summary is None
    told = outcomes(cut, results(story))
    cleared = [at for at, outcome in enumerate(told) if outcome is not Outcome.KEEP]
    assert cleared
    assert not [at for at in cleared if at % 5 == 4], "no edit"
    assert max(cleared) < [at for at in range(40) if at % 5 != 4][-5], "the newest five of these kinds stay"


def test_claude_code_then_writes_nine_sections(story, counter) -> None:
    """Where clearing results is not enough, everything old becomes a summary in nine sections."""
    story.user("Please fix the parser. Never push to main.")
    for at in range(40):
        story.step(f"I think about part {at}. " + "It depends on the lexer and more. " * 500)
    cut = cut_of(story, settings.policy("claude-code"), counter)
    assert cut.summary is not None
    assert cut.summary.template == "nine-section"
    assert "Never push to main." in cut.preface


def test_gemini_keeps_the_newest_three_tenths_beside_a_snapshot(story, counter) -> None:
    """The newest 30% of the history as it is; the rest is a state snapshot."""
    story.user("Please fix the parser.")
    for at in range(100):
        story.step(f"I think about part {at}. " + "It depends on the lexer and more. " * 235)
    policy = settings.policy("gemini-cli")
    cut = cut_of(story, policy, counter)
    sizes = story.book().sizes
    total = sum(size.tokens(1.0) for size in sizes.values())
    kept = sum(sizes[decision.block].tokens(1.0) for decision in cut.decisions if decision.outcome is Outcome.KEEP)
    assert 0.28 * total < kept <= 0.30 * total
    assert cut.summary is not None
    assert cut.summary.template == "state-snapshot"


def test_opencode_prunes_results_beyond_the_newest_forty_thousand_tokens(story, counter) -> None:
    """Where at least 20,000 tokens can go; a smaller gain is left alone."""
    policy = settings.in_force({"extends": "opencode", "order": ["offload"], "budget": {"to": 0.05}}).policy
    for at in range(11):
        story.step("", ("Read", {"file_path": f"src/f{at}.py"}, f"{at} {FIVE_THOUSAND}"))
    assert set(outcomes(cut_of(story, policy, counter), results(story))) == {Outcome.KEEP}
    for at in range(11, 16):
        story.step("", ("Read", {"file_path": f"src/f{at}.py"}, f"{at} {FIVE_THOUSAND}"))
    told = outcomes(cut_of(story, policy, counter), results(story))
    size = counter([results(story)[0].text])[0] + 8
    newest = 40_000 // size
    assert told == [Outcome.EXCERPT] * (16 - newest) + [Outcome.KEEP] * newest


def test_notes_stand_and_history_goes(story, counter) -> None:
    """Of a long history five groups at most stay, and far less than the trigger."""
    story.user("Please fix the parser.")
    for at in range(40):
        story.step("", ("Bash", {"command": f"make {at}"}, FIVE_THOUSAND))
    policy = settings.policy("notes")
    cut = cut_of(story, policy, counter)
    assert outcomes(cut, results(story)).count(Outcome.KEEP) <= 5
    room = Room(200_000, 167_000, head=0, factor=1.0)
    assert cut.tokens <= 0.5 * triggers.act_at(room, policy.budget)


def test_jev_touches_no_text_and_neither_end(story, counter) -> None:
    """The first group, the newest six and every word stay; of the calls between, judged one by one, much goes; no summary."""
    story.user("Please fix the parser.")
    for at in range(40):
        story.step(f"I read part {at}.", ("Read", {"file_path": f"src/part_{at}.py"}, f"{at} {FIVE_THOUSAND}"))
    cut = cut_of(story, settings.policy("jev"), counter)
    blocks = [block for group in story.groups for block in group.blocks]
    assert set(outcomes(cut, [block for block in blocks if block.kind is Kind.TEXT])) == {Outcome.KEEP}
    ends = [block for group in (*story.groups[:1], *story.groups[-6:]) for block in group.blocks]
    assert set(outcomes(cut, ends)) == {Outcome.KEEP}
    assert cut.summary is None
    assert cut.tokens <= 0.75 * sum(size.tokens(1.0) for size in story.book().sizes.values())
    assert "messages, no summary" in cut.preface
