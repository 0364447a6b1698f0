"""Grounding: does what the recorded response used stand in the view it would have been answered from (DESIGN §5)?"""

from collections.abc import Sequence

import msgspec

from pumice.evaluate.metrics.pointers import Pointers
from pumice.evaluate.script import Need
from pumice.evaluate.share import Share, share
from pumice.evaluate.sources import Source


class Grounding(msgspec.Struct, frozen=True):
    """What one call, or many, found of what they needed."""

    recall: Share = Share()
    far: Share = Share()
    reachable: Share = Share()
    line: Share = Share()
    near_line: Share = Share()
    printed_line: Share = Share()
    """Far lines by the stricter reading: with the line number the client printed."""


class Judged(msgspec.Struct, frozen=True):
    """A call's grounding, and the blocks a model would have to read back."""

    grounding: Grounding
    lost: frozenset[int]
    """Sources whose needed line does not stand in the view."""
    pointed: frozenset[int]
    """Of these, the ones a pointer of their own stands for."""
    missing: tuple[Need, ...] = ()
    """What does not stand in the view even as a bare name."""


class _Case(msgspec.Struct, frozen=True):
    need: Need
    is_visible: bool
    is_pointed: bool
    stands: bool
    stands_printed: bool


def judge(needs: Sequence[Need], text: str, pointers: Pointers, sources: Sequence[Source], names: Sequence[str]) -> Judged:
    """Judge a view by the needs of the recorded response; `names` are the session's names of the sources, where it has any."""
    cases = [_case(need, text, pointers, sources, names) for need in needs]
    far = [case for case in cases if case.need.is_far]
    lost = frozenset(case.need.source for case in cases if not case.stands)
    return Judged(
        Grounding(
            recall=share(case.is_visible for case in cases),
            far=share(case.is_visible for case in far),
            reachable=share(case.is_visible or case.is_pointed for case in far),
            line=share(case.stands for case in far),
            near_line=share(case.stands for case in cases if not case.need.is_far),
            printed_line=share(case.stands_printed for case in far),
        ),
        lost,
        frozenset(case.need.source for case in cases if case.is_pointed and case.need.source in lost),
        tuple(case.need for case in cases if not case.is_visible),
    )


def _case(need: Need, text: str, pointers: Pointers, sources: Sequence[Source], names: Sequence[str]) -> _Case:
    name = names[need.source] if need.source < len(names) else ""
    return _Case(
        need,
        is_visible=need.entity in text,
        is_pointed=bool(name) and pointers.names(name, sources[need.source]),
        stands=need.line.bare in text,
        stands_printed=need.line.printed in text,
    )
