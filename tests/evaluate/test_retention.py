"""Entity retention, kept up incrementally, says what a plain look at every view says."""

import small_sessions as small
from hypothesis import given, settings
from hypothesis import strategies as st

from pumice import wire
from pumice.evaluate.metrics.retention import FEW, Retention, holding
from pumice.evaluate.view import Reader
from pumice.measure import entities

NAMES = st.sampled_from(["fooBar", "foo_bar", "src/a.py", "src/a.py.bak", "12345", "123", "bazQux", "a-b-c"])
TEXTS = st.lists(NAMES, min_size=1, max_size=4).map(" ".join)


@given(st.lists(TEXTS, min_size=1, max_size=12), st.data())
@settings(max_examples=60, deadline=None)
def test_the_incremental_figure_is_the_plain_one(texts: list[str], data: st.DataObject) -> None:
    """Whatever tail of the history each view shows, growing or cut."""
    reader, retention = Reader(wire.get("anthropic"), small.MODEL), Retention()
    known: dict[str, None] = {}
    for upto in range(1, len(texts) + 1):
        fresh = [name for name in sorted(entities.names(texts[upto - 1])) if name not in known]
        known |= dict.fromkeys(fresh)
        first = data.draw(st.integers(0, upto - 1))
        view = reader.read(small.body([small.user(text) for text in texts[first:upto]]))
        share = retention.see(fresh, view)
        assert (share.hits, share.of) == (sum(name in view.text for name in known), len(known))


@given(st.text("abc_/. ", max_size=80), st.sets(st.text("abc_/.", min_size=1, max_size=6), max_size=8))
def test_a_table_of_pieces_finds_what_a_search_finds(text: str, names: set[str]) -> None:
    """Many names at once are found as each would be alone."""
    many = names | {f"zz{number}" for number in range(FEW)}
    assert holding(text, many) == {name for name in many if name in text} == holding(text, names)
