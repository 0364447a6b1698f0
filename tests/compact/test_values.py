"""What a line is worth (frontier §5.3)."""

from pumice.compact.values import line_values


def worth(story, text: str) -> float:
    """Value of the line that holds a text, with everything hidden."""
    index = story.book().lines
    values = line_values(index, [True] * len(index.places))
    total = 0.0
    for place, worths in values.items():
        at = index.places[place]
        for piece, value in worths.items():
            if text in at.block.text[at.scan.pieces[piece].start : at.scan.pieces[piece].end]:
                total += value
    return total


def test_a_line_that_was_repeated_later_is_worth_nothing(story) -> None:
    """The older of two lines about a name never comes back."""
    story.step("", ("Read", {"file_path": "a"}, "load_page = 'first'"))
    story.step("", ("Read", {"file_path": "a"}, "load_page = 'second'"))
    assert worth(story, "'first'") == 0 < worth(story, "'second'")


def test_a_name_the_model_used_is_worth_more_and_the_longer_ago_the_less(story) -> None:
    """Used beats never used; a use fades with the groups that follow."""
    story.step("", ("Read", {"file_path": "x"}, "never_used here\nused_once here\nused_late here"))
    story.step("used_once")
    for _ in range(30):
        story.step("chatter")
    story.step("used_late")
    story.step("", ("Read", {"file_path": "x"}, "never_used now\nused_once now\nused_late now"))
    assert worth(story, "never_used now") < worth(story, "used_once now") < worth(story, "used_late now")


def test_a_name_of_a_listing_is_worth_less(story) -> None:
    """Most names of shell and search output are never needed again."""
    story.step("", ("Bash", {"command": "ls"}, "from_the_shell"))
    story.step("", ("Read", {"file_path": "x"}, "from_a_file"))
    assert worth(story, "from_the_shell") < worth(story, "from_a_file") / 2


def test_a_finding_that_names_a_line_of_a_file_is_worth_more_than_a_figure(story) -> None:
    """A list of findings is read once and worked through later, one place after the other; its paths are repeated meanwhile."""
    story.step("", ("Read", {"file_path": "x"}, "[1] src/app.py:1190 finding\n[2] in all 2380 words"))
    story.step("", ("Read", {"file_path": "y"}, "src/app.py"))
    assert worth(story, "[1]") > 3 * worth(story, "[2]")


def test_what_stands_in_view_has_no_price(story) -> None:
    """Lines of blocks that are not hidden are no candidates."""
    story.step("", ("Read", {"file_path": "x"}, "some_name"))
    index = story.book().lines
    assert not line_values(index, [False] * len(index.places))
