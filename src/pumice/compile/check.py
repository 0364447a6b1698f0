"""Check the finished request: budget, pins by their words, the promised prefix. Provider rules are the wire's."""

from collections.abc import Callable, Iterable, Sequence

from pumice.compile.assemble import Piece, common
from pumice.domain.state import Pin


def broken_prefix(before: Sequence[Piece], after: Sequence[Piece]) -> int | None:
    """Index of the first piece where a view of the same lane and epoch stops extending the one before; None when it does."""
    shared = common(before, after)
    return None if shared == len(before) else shared


def lost_pins(pins: Iterable[Pin], is_whole: Callable[[str], bool], preface: str) -> tuple[Pin, ...]:
    """Pins whose words stand neither at their own place nor, whole or as their rule, in the preface."""
    return tuple(
        pin
        for pin in pins
        if not pin.superseded_by
        and not (pin.block and is_whole(pin.block))
        and pin.whole not in preface
        and pin.rule not in preface
    )
