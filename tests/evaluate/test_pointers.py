"""Reach: a pointer to the block itself counts, a bare range does not."""

import pytest
import small_sessions as small

from pumice import wire
from pumice.domain import marks
from pumice.evaluate.metrics.pointers import Pointers
from pumice.evaluate.view import Reader


def _pointers(text: str) -> Pointers:
    return Pointers(
        Reader(wire.get("anthropic"), small.MODEL).read(small.body([small.user(marks.wrap("digest", text))])).messages
    )


SOURCES = small.written(
    small.user("look"), *small.read(1, "/home/me/src/pool.py", "text"), small.call("t", "Bash", command="make test -j2"),
    small.result("t", "ok"), small.said("done"),
).sources  # fmt: skip
READ, COMMAND = SOURCES[2], SOURCES[4]


@pytest.mark.parametrize(
    ("line", "reaches"),
    [
        ("⋯ b3 Read /home/me/src/pool.py 412 lines", True),
        ("⋯ b3 Read …/pool.py", True),
        ("⋯ b3 Read other.py 412 lines", False),
        ("⋯ b3", False),
        ("⋯ b3–b9", False),
        ("⋯ b34 Read /home/me/src/pool.py", False),
        ("⋯ b9 Read /home/me/src/pool.py, call b3", True),
    ],
)
def test_a_label_counts_when_it_names_the_file(line: str, reaches: bool) -> None:
    """A label has to say which file it stands for, and to stand for one block."""
    assert _pointers(line).names("b3", READ) is reaches


def test_a_label_counts_when_it_names_the_command() -> None:
    """A shell result is named by the command's beginning."""
    assert _pointers("⋯ b5 Bash make test -j2 40 lines").names("b5", COMMAND)
    assert not _pointers("⋯ b5 Bash 40 lines").names("b5", COMMAND)


def test_an_excerpt_in_its_own_place_is_a_pointer() -> None:
    """What stands where the result stood needs no label: its call is beside it."""
    text = marks.wrap("excerpt", "first line", of="b3", lines="1/9")
    view = Reader(wire.get("anthropic"), small.MODEL).read(small.body([small.user(text)]))
    assert Pointers(view.messages).names("b3", READ)
    assert not Pointers(view.messages).names("b4", READ)
