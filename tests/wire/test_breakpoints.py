"""Breakpoints on raw parts."""

from hypothesis import given, settings
from hypothesis import strategies as st

from pumice.wire.breakpoints import Breakpoints

MARKS = Breakpoints("mark")
PLAIN, MARKED = b'{"text":"a"}', b'{"text":"a","mark":{"n":1}}'


@settings(max_examples=40)
@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=6))
def test_what_stays_keeps_its_breakpoints_and_takes_those_that_go(parts: list[tuple[bool, bool]]) -> None:
    """Those on parts that stay are as before; one whose part goes is lost only where its nearest has its own; none is made."""
    pairs = [(MARKED if marked else PLAIN, (MARKED if marked else PLAIN) if stays else None) for marked, stays in parts]
    found = MARKS.kept(pairs)
    assert len(found) == sum(stays for _, stays in parts)
    held = sum(marked and stays for marked, stays in parts)
    assert held <= sum(MARKS.of(part) is not None for part in found) <= sum(marked for marked, _ in parts)
    if found and any(marked for marked, _ in parts):
        assert any(map(MARKS.of, found))


def test_only_a_part_that_can_carries_one() -> None:
    """The nearest that can takes it, the earlier of two; where none can, the breakpoint goes with its part."""
    picky = Breakpoints("mark", lambda part: b'"a"' in part)
    other = b'{"text":"x"}'
    assert picky.kept([(PLAIN, PLAIN), (other, other), (MARKED, None)]) == [MARKED, other]
    assert picky.kept([(other, other), (MARKED, None)]) == [other]
    assert picky.moved([MARKED], [PLAIN, other]) == [MARKED, other]
    assert picky.moved([MARKED], [other]) is None


def test_parts_without_a_breakpoint_are_left_alone() -> None:
    """Nothing is written anew where there is nothing to take off, to move, or room for."""
    assert MARKS.off([PLAIN, b'"mark"']) is None
    assert MARKS.off([PLAIN, MARKED]) == [PLAIN, PLAIN]
    assert MARKS.moved([PLAIN], [PLAIN]) is None
    assert MARKS.moved([MARKED], [MARKED, PLAIN]) is None
