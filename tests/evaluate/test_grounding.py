"""What a response needed, and whether it stood in the view."""

import small_sessions as small

LINE = "  12→\tlimit = maximumRetries * backoff_factor"


def _session(groups_between: int) -> list[small.Message]:
    """A file read, some empty groups, then a response that names what only the file named."""
    start = [small.user("look"), *small.read(1, "src/pool.py", f"   1→import time\n{LINE}\n  13→\treturn limit")]
    return [*start, *small.filler(groups_between), small.said("maximumRetries is too low")]


def _last(messages: list[small.Message]) -> int:
    return sum(message["role"] == "assistant" for message in messages)


def test_everything_stands_in_the_full_history() -> None:
    """Nothing can be missing where nothing was left out."""
    done, _ = small.judged(_session(12), {})
    grounding = done.score.grounding
    assert grounding.far.value == grounding.line.value == grounding.recall.value == 1.0


def test_a_case_is_far_only_beyond_the_newest_ten_groups() -> None:
    """Near and far are told apart by whole groups, and each case is counted on one side."""
    near, _ = small.judged(_session(9), {})
    far, _ = small.judged(_session(10), {})
    assert near.score.grounding.far.of == 0
    assert far.score.grounding.far.of == 1
    assert near.score.grounding.near_line.of == far.score.grounding.near_line.of + 1


def test_a_bare_name_is_far_recall_but_no_line() -> None:
    """A list of names must not buy line recall (frontier §7)."""
    messages = _session(12)
    done, _ = small.judged(messages, {_last(messages): [small.user("names: maximumRetries")]}, epochs={_last(messages): 1})
    assert done.score.grounding.far.value == 1.0
    assert done.score.grounding.line.value == 0.0


def test_a_line_stands_without_the_number_a_client_printed() -> None:
    """The printed line number is not the line; the stricter reading asks for it too."""
    messages = _session(12)
    shown = [small.user(f"src/pool.py\n{LINE.strip().removeprefix('12→').strip()}")]
    done, _ = small.judged(messages, {_last(messages): shown}, epochs={_last(messages): 1})
    assert done.score.grounding.line.value == 1.0
    assert done.score.grounding.printed_line.value == 0.0


def test_only_the_newest_line_counts() -> None:
    """An older line of the same name is superseded."""
    later = small.read(2, "src/pool.py", "  12→\tretries = maximumRetries + 1")
    messages = [*_session(0)[:-1], *later, *small.filler(12), small.said("maximumRetries again")]
    done, _ = small.judged(messages, {_last(messages): [small.user(LINE)]}, epochs={_last(messages): 1})
    assert done.score.grounding.far.value == 1.0
    assert done.score.grounding.line.value == 0.0


def test_a_very_long_line_stands_by_the_surroundings_of_the_name() -> None:
    """Of a line over 600 characters, 200 on either side are enough, and less is not."""
    long = "x " * 400 + "maximumRetries" + " y" * 400
    messages = [small.user("look"), *small.read(1, "a.txt", long), *small.filler(12), small.said("maximumRetries")]
    at = long.index("maximumRetries")
    enough, less = long[at - 200 : at + 214], long[at - 150 : at + 164]
    for shown, stands in ((enough, 1.0), (less, 0.0)):
        done, _ = small.judged(messages, {_last(messages): [small.user(shown)]}, epochs={_last(messages): 1})
        assert done.score.grounding.line.value == stands


def test_names_the_history_never_held_are_no_cases() -> None:
    """What the model brought itself cannot have been lost."""
    done, _ = small.judged([small.user("go"), small.said("brandNewName in src/new_file.py")], {})
    assert done.score.grounding.recall.of == 0


def test_keys_of_arguments_are_no_names() -> None:
    """The text of a call is the leaves of its arguments (entities.md)."""
    messages = [small.user("go"), *small.read(1, "a", "b"), *small.read(2, "a", "b"), small.said("done")]
    assert small.judged(messages, {})[0].score.grounding.recall.of == 0
