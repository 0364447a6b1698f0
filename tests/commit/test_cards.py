"""Cards: what prose gives a name and a value."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pumice.commit import cards


@pytest.mark.parametrize(
    ("line", "name", "value"),
    [
        ("order id: 4711", "order id", "4711"),
        ("- **Root cause**: the cache key", "Root cause", "the cache key"),
        ("`refund_amount`: 12.50", "refund_amount", "12.50"),
        ("预算：5000 元", "预算", "5000 元"),
    ],
)
def test_a_line_that_names_a_value_is_a_card(line, name, value) -> None:
    """The line stands as it was written."""
    [card] = cards.find(f"Some words before.\n{line}\nand after")
    assert (card.name, card.value, card.text) == (name, value, line)


@pytest.mark.parametrize(
    "line",
    [
        "see http://x.y/z: ok",
        "Also: fix it",
        "we talked at 12:30",
        "if x: return",
        "plan::run",
        "def f(a): pass",
        "Note: this is a long sentence that goes on and on and names nothing in particular at all",
        "例如：这样",
        "> order id: 4711",
        "<system-reminder>\norder id: 4711\n</system-reminder>",
    ],
)
def test_clauses_code_and_quotes_are_none(line) -> None:
    """A colon alone makes no fact."""
    assert cards.find(line) == ()


@given(st.text(max_size=200))
def test_every_card_stands_in_the_text(text) -> None:
    """Nothing is reworded."""
    for card in cards.find(text):
        assert text[card.start :].startswith(card.text)
        assert card.value in card.text
