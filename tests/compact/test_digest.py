"""The digest: lines under labels, in ledger order, every line the source's own bytes."""

from pumice.compact.digest import Selection, line_text, render
from pumice.compact.labels import Unit, units
from pumice.compact.scan import Piece


def all_units(story) -> list[Unit]:
    uses = story.uses()
    return [unit for group in story.groups for unit in units(group, uses, ())]


def line(block, number: int) -> Piece:
    """A whole line of a block as a piece."""
    lines = block.text.split("\n")
    start = sum(len(one) + 1 for one in lines[: number - 1])
    return Piece(number, start, start + len(lines[number - 1]))


def test_lines_stand_in_order_under_their_label(story) -> None:
    """Chosen in any order, shown as in the source, each under its number."""
    result = story.step("", ("Bash", {"command": "make"}, "one\n  two\nthree"))[-1]
    chosen = Selection({0}, {result.id: [line(result, 3), line(result, 2)]}, ())
    assert render(all_units(story), chosen) == "⋯ b2 Bash make 3 lines\n2→  two\n3→three"


def test_a_file_read_keeps_the_numbers_its_client_printed(story) -> None:
    """The number of the file stands, not the number of the line in the result."""
    result = story.step("", ("Read", {"file_path": "a.py"}, "   41→x = 1\n   42→\ty = 2"))[-1]
    assert line_text(result, line(result, 2)) == "42→\ty = 2"


def test_groups_that_show_nothing_share_one_range(story) -> None:
    """Runs of folded groups cost one line together."""
    for at in range(4):
        story.step("", ("Bash", {"command": f"run {at}"}, "x"))
    assert render(all_units(story), Selection({2}, {}, ())) == "⋯ b1–b4\n⋯ b6 Bash run 2\n⋯ b7–b8"


def test_lines_of_a_call_stand_under_its_own_name(story) -> None:
    """A label is the result's; what comes from the arguments says so."""
    call, result = story.step("", ("Edit", {"file_path": "a.py", "new_string": "new_name = 1"}, "done here"))
    chosen = Selection({0}, {call.id: [line(call, 2)], result.id: [line(result, 1)]}, ())
    assert render(all_units(story), chosen) == "⋯ b2 Edit a.py\n⋯ b1\n2→new_name = 1\n⋯ b2\n1→done here"


def test_overlapping_pieces_of_one_line_are_shown_once(story) -> None:
    """Two names near each other in a very long line do not repeat what lies between."""
    result = story.step("", ("Bash", {"command": "c"}, "abcdefghij"))[-1]
    chosen = Selection((), {result.id: [Piece(1, 4, 8), Piece(1, 0, 6)]}, ())
    assert render(all_units(story), chosen).split("\n")[1:] == ["1→abcdefgh"]


def test_a_block_may_come_back_whole(story) -> None:
    """Then its text stands as it is."""
    result = story.step("", ("Bash", {"command": "c"}, "a\n\nb\n"))[-1]
    assert render(all_units(story), Selection((), {}, {result.id})).split("\n", 1)[1] == "a\n\nb"


def test_what_shows_nothing_between_two_labels_has_a_pointer_too(story) -> None:
    """Of a step whose words are labelled its silent calls are in a range, together with what follows in silence."""
    story.step("I write it.", ("Write", {"file_path": "plan.md"}, "ok"))
    story.step("", ("Bash", {"command": "run"}, "x"))
    assert render(all_units(story), Selection({0}, {}, ())) == "⋯ b1 model\n⋯ b2–b5"
    assert render(all_units(story), Selection({0, 2}, {}, ())) == "⋯ b1 model\n⋯ b2–b3\n⋯ b5 Bash run"
