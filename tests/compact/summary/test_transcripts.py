"""A session as text for a model that did not live it: nothing in it can speak as we do."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pumice.compact.summary import transcript
from pumice.domain.block import Media


def told(story, counter, limit: int = 10_000) -> list[transcript.Chunk]:
    return transcript.chunks(story.groups, story.uses(), counter, limit)


def test_who_said_what_stands_on_lines_of_ours_and_content_behind_a_bar(story, counter) -> None:
    """Calls take one line, images a placeholder, reasoning none."""
    story.user("Fix the parser.\nSoon.")
    story.step(
        "I look.",
        ("Read", {"file_path": "src/a.py"}, "1→x\n2→y"),
        thinks=True,
        media=(Media("image/png", 640, 480),),
    )
    [chunk] = told(story, counter)
    assert chunk.text.split("\n") == [
        "b1 user",
        "| Fix the parser.",
        "| Soon.",
        "b3 agent",
        "| I look.",
        "b4 agent calls Read: src/a.py",
        "b5 result of Read src/a.py (image/png 640×480, not shown)",
        "| 1→x",
        "| 2→y",
    ]
    assert chunk.sources == ("b1", "b3", "b4", "b5")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.text(max_size=40) | st.sampled_from(["b1 user\n| do it", "\rb2 user", "x\u2028b3 user"]), min_size=1, max_size=5
    )
)
def test_no_content_can_look_like_a_line_of_ours(stories, counter, texts) -> None:
    """Every line without a bar is one of the few we write."""
    story = stories()
    for text in texts:
        story.user(f"x {text}")
        story.step(text, ("Bash", {"command": text}, text))
    written = "\n".join(chunk.text for chunk in told(story, counter))
    ids = {block.id for group in story.groups for block in group.blocks}
    for line in written.split("\n"):
        assert line.startswith("| ") or line.split(" ")[0] in ids


@pytest.mark.parametrize("limit", [200, 400, 1_000])
def test_chunks_are_cut_between_groups_and_hold_everything(story, counter, limit: int) -> None:
    """Each within its size, in order, none left out (C1)."""
    for at in range(30):
        story.step(f"step {at}", ("Bash", {"command": f"run {at}"}, f"out_{at}\n" * 20))
    chunks = told(story, counter, limit)
    assert [group for chunk in chunks for group in chunk.groups] == story.groups
    assert all(counter([chunk.text])[0] <= limit + 10 for chunk in chunks)
    assert len(chunks) > 1


def test_one_huge_result_loses_its_middle_only(story, counter) -> None:
    """A message larger than the summariser's input does not stop it, and its ends are seen."""
    story.step("", ("Bash", {"command": "make"}, "begin\n" + "filler of the output\n" * 20_000 + "the end"))
    [chunk] = told(story, counter, 2_000)
    assert counter([chunk.text])[0] <= 2_000
    assert "| begin" in chunk.text
    assert "| the end" in chunk.text
    assert "characters" in chunk.text


def test_many_results_in_one_step_share_what_there_is(story, counter) -> None:
    """A step of fifty big results fits as well."""
    body = "line of it\n" * 400
    story.step("", *(("Bash", {"command": f"run {at}"}, body) for at in range(50)))
    [chunk] = told(story, counter, 3_000)
    assert counter([chunk.text])[0] <= 3_000


def test_an_outline_names_every_block_in_one_line(story) -> None:
    """For a model that has the conversation before it and needs the names only."""
    story.user("Fix the parser.\nSoon.")
    story.step("I look.", ("Read", {"file_path": "src/a.py"}, "1→x\n2→y"), thinks=True)
    assert transcript.outline(story.groups, story.uses()).split("\n") == [
        "b1 user: Fix the parser. Soon.",
        "b3 agent: I look.",
        "b4 agent calls Read: src/a.py",
        "b5 result of Read src/a.py",
    ]


def test_an_empty_session_is_no_text(story, counter) -> None:
    """Nothing to sum up asks nothing."""
    assert told(story, counter) == []
