"""The numbers clients print before lines, and how far they are ahead of the lines' places."""

import pytest

from pumice.compact.numbering import ahead, own_number


def test_the_number_a_client_printed_is_known() -> None:
    """Lines of file reads bring their own numbers, in either spelling."""
    assert own_number("  123→def f():") == 123
    assert own_number("7\tdef f():") == 7
    assert own_number("def f(): 7\t") is None


def numbered(first: int, last: int) -> str:
    return "\n".join(f"{at:6d}→line {at}" for at in range(first, last + 1))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (numbered(1, 90), 0),
        (numbered(281, 320), 280),
        (f"<file>\n{numbered(281, 500)}\n\n<system-reminder>\nnot a virus\n</system-reminder>", 279),
        (f"{numbered(281, 300)}\n{numbered(310, 320)}", 0),
        ("281→only", 280),
        ("no\nnumbers", 0),
        ("", 0),
        (f"intro\nintro\n{numbered(1, 9)}", 0),
    ],
    ids=["from the first", "from the middle", "framed", "a gap", "one line", "none", "empty", "behind its place"],
)
def test_numbers_count_only_where_they_go_on_line_by_line(text: str, expected: int) -> None:
    """A text whose numbers leave lines out, or stand behind their places, is counted by place."""
    assert ahead(text) == expected
