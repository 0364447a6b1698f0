"""Check the finished request: budget, pins by their words, the promised prefix. Provider rules are the wire's."""

from collections.abc import Sequence

from pumice.compile.assemble import Piece, common
from pumice.domain.state import Pin


def broken_prefix(before: Sequence[Piece], after: Sequence[Piece]) -> int | None:
    """Index of the first piece where a view of the same lane and epoch stops extending the one before; None when it does."""
    shared = common(before, after)
    return None if shared == len(before) else shared


def lost_pins(pins: Sequence[Pin], text: str) -> tuple[Pin, ...]:
    """Pins whose words do not stand in the text of a view, neither whole nor as their rule."""
    return tuple(pin for pin in pins if not pin.superseded_by and pin.whole not in text and pin.rule not in text)
