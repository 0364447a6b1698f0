"""What moved, what is cited, whether work can go on after a cut, and what would be done or asked again (F-G4)."""

import small_sessions as small

from pumice.domain import marks
from pumice.evaluate.metrics.citations import quoted
from pumice.evaluate.metrics.further import Further
from pumice.evaluate.share import Share

EDIT = {"file_path": "src/pool.py", "old_string": "retries = 3", "new_string": "retries = 5"}
EDITED = [small.call("e1", "Edit", **EDIT), small.result("e1", "The file has been updated.")]


def further(session: list[small.Message], views: dict[int, list[small.Message]]) -> Further:
    """The figures of a session in which the named calls begin an epoch with the given view."""
    epochs = {number: number for number in views}
    return small.judged(session, views, epochs=epochs)[0].score.further


def test_a_view_that_goes_on_moves_nothing() -> None:
    """The full history extends itself at every call; only calls that have one before count."""
    session = [small.user("look"), *small.read(1, "a.py", "text"), small.said("done")]
    found = further(session, {}).prefix
    assert (found.moved.hits, found.moved.of, found.invalidated) == (0, 1, 0)


def test_what_a_view_drops_is_invalidated() -> None:
    """A cache held all of the view before; what the next one has no use for is told in tokens."""
    session = [small.user("look"), *small.read(1, "a.py", "word " * 1000), small.said("so"), small.user("on"), small.said("ok")]
    found = further(session, {3: [small.user("look"), small.said("so"), small.user("on")]}).prefix
    assert (found.moved.hits, found.moved.of) == (1, 2)
    assert 1250 < found.invalidated < 1400, "a thousand words at a factor of 1.25 and what frames them"


def test_a_change_made_again_counts_where_nothing_of_it_stands() -> None:
    """The recorded model edits the same lines twice; a view that still shows the first edit is not to blame."""
    session = [small.user("raise it"), *EDITED, *EDITED, small.said("done")]
    assert further(session, {}).redone == 0
    assert further(session, {2: [small.user("raise it")]}).redone == 1


def test_a_change_that_failed_before_is_no_change() -> None:
    """Trying again after an error is how work goes."""
    missed = [small.call("e0", "Edit", **EDIT), small.result("e0", "old_string not found", is_error=True)]
    session = [small.user("raise it"), *missed, *EDITED, small.said("done")]
    assert further(session, {2: [small.user("raise it")]}).redone == 0


def test_a_question_asked_again_counts_where_its_answer_does_not_stand() -> None:
    """What a person has answered is not to be asked again; one that nobody answered may be."""
    asks = small.said("Fine.\nWhich branch shall I use?")
    session = [small.user("go"), asks, small.user("release, please"), asks, small.user("release!"), small.said("ok")]
    assert further(session, {}).asked == 0
    assert further(session, {2: [small.user("go")]}).asked == 1


def test_the_first_view_after_a_cut_is_asked_whether_work_can_go_on() -> None:
    """The whole history answers every probe, a bare greeting none; calls that begin nothing are not asked."""
    failed = [small.call("t1", "Bash", command="make check"), small.result("t1", "boom", is_error=True)]
    session = [small.user("raise the retries"), *EDITED, *failed, small.said("it fails"), small.user("go on"), small.said("ok")]
    whole = further(session, {4: session[:-1]}).continuation
    assert whole.value == 1.0
    assert further(session, {4: [small.user("hello")]}).continuation == Share(0, whole.of)


def test_no_cut_asks_nothing() -> None:
    """Unknown is not zero."""
    assert further([small.user("look"), small.said("done")], {}).continuation.value is None


def test_quoted_lines_stand_under_the_block_named_last() -> None:
    """Labels, an excerpt's own block, gaps between lines; a heading ends what was quoted, a person's words are no quotation."""
    digest = marks.wrap("digest", "⋯ b2 Read a.py 9 lines\n3→x = 1\n⋯ 4 lines\n8→y = 2\n⋯ done\nfree")
    excerpt = marks.wrap("excerpt", "first\n⋯ and so on\nlast", of="b7")
    words = marks.wrap("words", "⋯ b1\nhello")
    found = list(quoted("\n".join((digest, excerpt, words, "outside"))))
    assert found == [("x = 1", ("b2",)), ("y = 2", ("b2",)), ("first", ("b7",)), ("last", ("b7",))]


def test_a_range_is_no_citation() -> None:
    """It names no block of its own."""
    assert list(quoted(marks.wrap("digest", "⋯ b2–b9\nsomething"))) == []
