"""Decisions for every block of a path."""

import msgspec

from pumice.compact.decide import decisions
from pumice.compact.layout import Layout
from pumice.domain.block import Block, Kind, Origin, Role
from pumice.domain.decision import Cause, Cut, Decision, Epoch, Outcome


def outcomes(story, layout: Layout, *, strips: bool = False) -> dict[str, Outcome]:
    return {one.block: one.outcome for one in decisions(story.book(), layout, strips_reasoning=strips)}


def test_reasoning_stays_with_a_step_of_which_a_read_stays(story) -> None:
    """All reasoning of a turn that is not over stays byte for byte (K-A30); what else the step did folds."""
    thought, said, read, other, body, rest = story.step(
        "words", ("Read", {"file_path": "f"}, "body"), ("Bash", {"command": "x"}, "out"), thinks=True
    )
    story.step("later", thinks=True)
    layout = Layout("offload", first_whole=1, pairs={read.id: "read", body.id: "read"})
    found = outcomes(story, layout)
    assert [found[block.id] for block in (thought, read, body)] == [Outcome.KEEP] * 3
    assert [found[block.id] for block in (said, other, rest)] == [Outcome.FOLD] * 3
    assert outcomes(story, layout, strips=True)[thought.id] is Outcome.DROP


def test_unknown_blocks_stay_with_a_step_that_stays_in_part(story) -> None:
    """Fallback blocks must stay exactly where they were (K-A41); they fold with a step that folds entirely."""
    read, body = story.step("", ("Read", {"file_path": "f"}, "body"))
    opaque = Block("b99", Kind.OPAQUE, Role.ASSISTANT, Origin.MODEL, "", b"{}", "h")
    first = story.groups[0].nodes[0]
    node = type(first)(0, "assistant", (*first.blocks, opaque), b"", b"")
    story.groups[0] = type(story.groups[0])(0, (node, *story.groups[0].nodes[1:]), False)
    story.step("later")
    assert outcomes(story, Layout("offload", first_whole=1, pairs={read.id: "", body.id: ""}))["b99"] is Outcome.KEEP
    assert outcomes(story, Layout("offload", first_whole=1))["b99"] is not Outcome.KEEP


def test_a_first_sight_form_is_kept_as_it_was_sent(story) -> None:
    """Decisions name bytes: a kept excerpt is the very decision of its first sight."""
    *_, result = story.step("", ("Bash", {"command": "x"}, "long output"))
    form = Decision(result.id, Outcome.EXCERPT, "first_sight", "big", "short", "hash", f"workspace://artifacts/{result.id}")
    story.forms[result.id] = form
    story.step("later")
    assert form in decisions(story.book(), Layout("offload", first_whole=0), strips_reasoning=False)
    assert outcomes(story, Layout("offload", first_whole=1))[result.id] is Outcome.FOLD


def test_what_shows_nothing_is_dropped_and_says_so(story) -> None:
    """Empty texts need no pointer; empty results do, since they close a call."""
    empty = story.user("")
    call, result = story.step("", ("Bash", {"command": "true"}, ""))
    story.step("later")
    found = outcomes(story, Layout("offload", first_whole=2))
    assert found[empty.id] is Outcome.DROP
    assert found[call.id] is found[result.id] is Outcome.FOLD


def test_reasoning_a_step_was_shown_without_never_comes_back(story) -> None:
    """What ended its turn may fold at the next cut: then the turn is not over, and its messages stay as they were (K-A30)."""
    thought, read, body = story.step("", ("Read", {"file_path": "f"}, "body"), thinks=True)
    story.step("later", thinks=True)
    layout = Layout("offload", first_whole=1, pairs={read.id: "read", body.id: "read"})
    assert outcomes(story, layout)[thought.id] is Outcome.KEEP
    given_up = Decision(thought.id, Outcome.DROP, "mechanical", "reasoning of a turn that is over")
    made = [given_up, *(one for one in decisions(story.book(), layout, strips_reasoning=False) if one.block != thought.id)]
    cut = Cut(Cause.BUDGET, True, tuple(made), "", 2, 0)
    book = msgspec.structs.replace(story.book(), epoch=Epoch(1, Cause.BUDGET, cut))
    again = {one.block: one.outcome for one in decisions(book, layout, strips_reasoning=False)}
    assert again[thought.id] is Outcome.DROP
    assert again[read.id] is again[body.id] is Outcome.KEEP
