"""What a cut leaves at its own place."""

from pumice.compact.keep import pair_of, protect
from pumice.compact.ruler import Ruler
from pumice.domain.block import Kind, Media
from pumice.domain.policy import Keep


def kept(story, counter, *, room: int, keep: Keep = Keep(), images: int = 3, turn: int | None = None):  # noqa: B008
    book = story.book()
    ruler = Ruler(book, 1.0, counter)
    return protect(
        book.groups, book.uses, ruler, keep=keep, images=images, room=room, limit=2 * room, legal=lambda at: at, turn=turn
    )


def test_the_newest_reads_stay_with_their_calls(story, counter) -> None:
    """An older read keeps its own place, and its call with it; what else the step said folds."""
    steps = [story.step("words", ("Read", {"file_path": f"f{at}"}, "body")) for at in range(5)]
    for _ in range(9):
        story.step("later")
    found = kept(story, counter, room=100_000)
    assert set(found.pairs) == {block.id for step in steps[2:] for block in step if block.kind in (Kind.CALL, Kind.RESULT)}


def test_the_last_group_stays_however_big_it_is(story, counter) -> None:
    """A cut never hides the step the model is in."""
    story.step("old")
    story.step("", ("Read", {"file_path": "f"}, "x" * 40_000))
    found = kept(story, counter, room=1_000)
    assert found.first_whole == 1
    assert found.tokens > 1_000


def test_the_newest_response_stays_with_the_words_that_answer_it(story, counter) -> None:
    """Of the latest assistant message nothing may be left out (J1), also when users have spoken since."""
    story.step("old")
    story.step("May I?", ("Read", {"file_path": "f"}, "x" * 9_000), thinks=True)
    story.user("yes")
    story.user("and hurry")
    assert kept(story, counter, room=1_000).first_whole == 1


def test_reads_stop_at_their_share_of_the_target(story, counter) -> None:
    """Three big reads do not use up the room that lines need; the newest alone may take more."""
    steps = [story.step("", ("Read", {"file_path": f"f{at}"}, "x" * 8_000)) for at in range(3)]
    for _ in range(9):
        story.step("later")
    found = kept(story, counter, room=4_000)
    assert set(found.pairs) == {block.id for block in steps[2]}


def test_an_older_read_never_pushes_the_last_step_out(story, counter) -> None:
    """The newest read has its privilege only within the limit, and only if the last step has read nothing newer."""
    story.step("", ("Read", {"file_path": "f"}, "x" * 8_000))
    story.step("", ("Read", {"file_path": "g"}, "y" * 8_000))
    assert not kept(story, counter, room=2_000).pairs
    story.step("", ("Bash", {"command": "make"}, "z" * 12_000))
    assert not kept(story, counter, room=2_000).pairs


def test_a_tail_begins_with_a_near_turn_when_that_is_cheap(story, counter) -> None:
    """The kept groups reach back to where the turn began, unless that costs much."""
    for _ in range(10):
        story.step("old words")
    story.user("a new request")
    for _ in range(7):
        story.step("work")
    assert kept(story, counter, room=10_000, turn=10).first_whole == 10
    assert kept(story, counter, room=300, turn=10).first_whole > 10


def test_the_newest_images_stay(story, counter) -> None:
    """Three images stay at their place, older ones fold."""
    image = (Media("image/png", 100, 100),)
    steps = [story.step("", ("Screenshot", {"n": at}, ""), media=image) for at in range(5)]
    for _ in range(9):
        story.step("later")
    found = kept(story, counter, room=100_000)
    assert set(found.pairs) == {block.id for step in steps[2:] for block in step}


def test_a_reused_id_is_paired_in_order(story) -> None:
    """Two calls of one response under one id keep their own results (A11)."""
    first, second, one, two = story.step("", ("Bash", {"c": 1}, "a"), ("Bash", {"c": 2}, "b"), ids=("x", "x"))
    [group] = story.groups
    assert pair_of(group, two) == (second, two)
    assert pair_of(group, first) == (first, one)


def test_a_result_without_a_call_stands_alone(story) -> None:
    """An orphan does not break a plan."""
    orphan = story.step("", ("Bash", {"c": 1}, "a"))[-1]
    story.groups[0] = type(story.groups[0])(0, story.groups[0].nodes[1:], False)
    assert pair_of(story.groups[0], orphan) == (orphan,)
