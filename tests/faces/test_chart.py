"""Charts of a terminal: as wide as asked, as high as the values say."""

from hypothesis import given
from hypothesis import strategies as st

from pumice.faces.cli import chart

values = st.lists(st.none() | st.floats(0, 1e9), max_size=60)


@given(values, st.integers(1, 40))
def test_bars_take_no_more_room_than_given(found: list[float | None], width: int) -> None:
    """One character each, at most as many as there are values or columns."""
    assert len(chart.bars(found, width)) == min(width, len(found))


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=30))
def test_higher_bars_stand_for_larger_values(found: list[float]) -> None:
    """The order of the values is that of the bars, and what is not known is blank."""
    drawn = chart.bars(found, 99)
    pairs = sorted(zip(found, drawn, strict=True))
    assert [bar for _, bar in pairs] == sorted(drawn)
    assert chart.bars([1.0, None, 1.0], 3) == "█ █"


def test_a_top_is_the_scale() -> None:
    """Half of the top is half a bar, however small all values are."""
    assert chart.bars([0.0, 0.5, 1.0], 3, top=1.0) == "▁▅█"


@given(st.lists(st.floats(0, 1e6), max_size=50), st.integers(1, 60), st.integers(1, 9))
def test_curves_fill_the_given_room(found: list[float], width: int, height: int) -> None:
    """So many lines of so many columns."""
    lines = chart.curves({"one": found, "two": found[::-1]}, width=width, height=height)
    assert [len(line.plain) for line in lines] == [width] * height


def test_a_rising_curve_ends_in_the_upper_right() -> None:
    """The first value stands at the left, the largest on top, each series in its own colour."""
    lines = chart.curves({"rise": [0, 1, 2, 3], "flat": [0, 0, 0, 0]}, width=4, height=3)
    blank = chr(0x2800)
    assert lines[0].plain[:2] == blank * 2
    assert lines[0].plain[-1] != blank
    assert lines[-1].plain[0] != blank
    assert {span.style for line in lines for span in line.spans} >= set(chart.STYLES[:2])
    assert chart.legend(["rise", "flat"]).plain == "● rise   ● flat"


def test_a_scatter_puts_each_point_at_its_place() -> None:
    """The cheapest to the left, the best on top, both ends of the scales told."""
    lines, across, up = chart.scatter([(1.0, 0.0, "a"), (3.0, 1.0, "b")], width=5, height=3)
    assert [line.plain for line in lines] == ["    b", "     ", "a    "]
    assert (across, up) == ((1.0, 3.0), (0.0, 1.0))
    assert (
        "x"
        in chart.scatter([(1.0, 1.0, "x")], width=4, height=2)[0][0].plain
        + chart.scatter([(1, 1, "x")], width=4, height=2)[0][1].plain
    )
