from hypothesis import given
from hypothesis import strategies as st

from pumice.excerpt.units import Shape, Unit, choose, ranked

sizes = st.lists(st.integers(1, 60), min_size=1, max_size=20)


@given(sizes, st.floats(0, 400), st.floats(0, 400))
def test_a_choice_says_for_which_budgets_it_is_made(lengths: list[int], budget: float, other: float) -> None:
    """A budget a choice says it is for gives that choice, so nothing need be chosen or rendered twice."""
    starts = [sum(lengths[:at]) for at in range(len(lengths))]
    units = [
        Unit(start, start + size, at, value=float(size % 7))
        for at, (start, size) in enumerate(zip(starts, lengths, strict=True))
    ]
    shape, costs = Shape("text", units), [size / 2.6 + 1 for size in lengths]
    made = choose(shape, budget, costs, ranked(shape, costs))
    assert made.is_for(budget)
    assert not made.is_for(other) or choose(shape, other, costs, ranked(shape, costs)) == made
