"""What a judging model is shown of a conversation, stage by stage."""

from hypothesis import given, settings
from hypothesis import strategies as st

from pumice.compact.judge import state
from pumice.compact.judge.state import Told


def count(text: str) -> int:
    return (len(text) + 3) // 4


def talk(calls: int, *, arguments: int = 2_000, words: int = 50) -> list[Told]:
    made = [Told("user", "Please fix the parser. " * 3)]
    for at in range(calls):
        made.append(Told("model", f"I look at part {at}. " * words))
        made.append(Told("Read" if at % 5 else "Bash", "x" * arguments, f"b{at}", f"src/part_{at}.py", "12 lines"))
    return [*made, Told("user", "And now the lexer.")]


def test_every_stage_makes_it_smaller_and_none_comes_before_it_is_needed() -> None:
    """Arguments of 1,000, 200, 60 characters, ends, folded, one line, omitted, merged, oldest out: in this order."""
    entries, stages, sizes = talk(120), [], []
    limit = 1_000_000
    while limit > 100:
        shown = state.state(entries, limit, count)
        assert shown.tokens <= limit
        if not stages or shown.stage != stages[-1]:
            stages.append(shown.stage)
            sizes.append(shown.tokens)
        limit = min(limit - 1, shown.tokens - 1)
    assert stages == [*(name for name, _ in state.STAGES), "oldest out"]
    assert sizes == sorted(sizes, reverse=True)


def test_a_long_call_keeps_its_beginning() -> None:
    """Arguments are cut, what came back is told in a few words."""
    shown = state.state(talk(1), 1_000_000, count)
    assert f"call b0 Bash {'x' * 1000}… → 12 lines" in shown.text


def test_both_ends_of_a_long_text_stay() -> None:
    """The middle goes."""
    text = "beginning " + "middle " * 300 + "the end"
    shown = state.state([Told("model", text)], 250, count).text
    assert shown.startswith("model: beginning")
    assert shown.endswith("the end")


def test_calls_merge_into_runs_of_one_tool() -> None:
    """Their names stay, so that each can still be judged."""
    entries = [Told("Read", "x", f"b{at}", "a.py", "3 lines") for at in range(40)]
    shown = state.state(entries, 60, count)
    assert shown.stage == "merged"
    assert shown.text == "call " + " ".join(f"b{at}" for at in range(40)) + " Read ×40"


def test_at_last_the_newest_lines_stay() -> None:
    """Under a line that counts what went."""
    entries = [Told("user", f"request number {at}") for at in range(100)]
    shown = state.state(entries, 60, count)
    assert shown.text.split("\n")[0].endswith("older entries")
    assert shown.text.endswith("request number 99")


def test_results_are_never_shown(story) -> None:
    """Only calls and what was said are told."""
    story.user("go")
    call, result = story.step("I look.", ("Read", {"file_path": "a.py"}, "SECRET of the file"))[1:]
    blocks = [block for group in story.groups for block in group.blocks]
    shown = state.render(state.told(blocks, story.uses(), {call.id: "1 lines"}))
    assert shown == f"user: go\nmodel: I look.\ncall {call.id} Read a.py → 1 lines"
    assert "SECRET" in result.text


@settings(max_examples=60, deadline=None)
@given(
    entries=st.lists(
        st.builds(
            Told,
            who=st.sampled_from(["user", "model", "Read", "Bash"]),
            text=st.text(max_size=2_000),
            call=st.sampled_from(["", "b1", "b2"]),
            target=st.text(max_size=20),
        ),
        max_size=60,
    ),
    limit=st.integers(0, 5_000),
)
def test_whatever_was_said_fits(entries, limit) -> None:
    """Within the limit, the same twice."""
    shown = state.state(entries, limit, count)
    assert shown.tokens == count(shown.text) <= limit
    assert shown == state.state(entries, limit, count)
