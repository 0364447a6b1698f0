"""Charts drawn as SVG, and the page they stand in."""

import re
from xml.etree import ElementTree

from pumice.faces.drawn import BAR, Bar, Bars, Point, Scatter, draw
from pumice.faces.figures_page import Section, page


def test_bars_are_as_long_as_what_they_stand_for() -> None:
    """The largest takes the room there is, half of it half of that; what is not known has none."""
    drawn = draw(Bars("cost", (Bar("a", 2.0, "2"), Bar("b", 1.0, "1"), Bar("c", None, "–"))))
    assert re.findall(r'<rect [^>]*width="([\d.]+)"', drawn) == [f"{BAR:.1f}", f"{BAR / 2:.1f}", "0.0"]
    assert 'aria-label="cost: a 2, b 1, c –"' in drawn


def test_the_curve_goes_through_chosen_points_from_left_to_right() -> None:
    """Others are dots beside it; one point alone is no division by nothing."""
    points = (Point(3, 1, "c", True), Point(1, 0, "a", True), Point(2, 0.2, "b"))
    drawn = draw(Scatter("cost", "far", points))
    [curve] = re.findall(r'<polyline points="([^"]+)"', drawn)
    places = [float(pair.split(",")[0]) for pair in curve.split()]
    assert len(places) == 2 and places == sorted(places)
    assert drawn.count("<circle") == 3
    assert "<circle" in draw(Scatter("x", "y", (Point(1, 1, "only", True),)))


def test_words_of_a_session_are_text_in_a_page() -> None:
    """Names come from outside: none of them is markup."""
    hostile = '<img src=x onerror="alert(1)">&'
    bars = Bars(hostile, (Bar(hostile, 1.0, hostile),))
    scatter = Scatter(hostile, hostile, (Point(1, 1, hostile, True),))
    made = page(hostile, hostile, [Section(hostile, hostile, (hostile,), ((hostile,),), (bars, scatter), (hostile,))])
    assert "<img" not in made
    for svg in re.findall(r"<svg.*?</svg>", made, re.S):
        ElementTree.fromstring(svg)
