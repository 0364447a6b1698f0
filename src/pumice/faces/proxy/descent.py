"""Down the ladder of DESIGN §7 as far as the engine itself goes: whole, held, floor, the smallest view there is."""

from collections.abc import Mapping
from enum import StrEnum

import msgspec

from pumice.domain.message import Request
from pumice.engine.call import View
from pumice.engine.session import Session
from pumice.engine.terms import Rung, Terms
from pumice.errors import CannotFit, Conflict, InvalidInput, StoreError, Unprovable
from pumice.faces.proxy.gate import Stage

STAGES: Mapping[Rung, Stage] = {
    Rung.WHOLE: Stage.COMPILED,
    Rung.HELD: Stage.LAST_GOOD,
    Rung.FLOOR: Stage.FLOOR,
    Rung.LEAST: Stage.FLOOR,
}
_HOPELESS = (InvalidInput, Unprovable, StoreError, Conflict)
"""What no other plan helps against: the client's own body, or the store."""


class Kept(StrEnum):
    """Why a call begins on a lower rung."""

    NO = "no"
    BY_PROVIDER = "by_provider"
    """The provider manages the history: nothing is cut, whatever its size (K-E1)."""
    BY_EDITS = "by_edits"
    """The client says by edits what goes, and they are done here: cut only where it would not fit all the same."""
    FOR_SUMMARY = "for_summary"
    """The client is summing up what it sees: cut only where it would not fit."""


class Asked(msgspec.Struct, frozen=True):
    """A call for the engine."""

    request: Request
    agent: str
    window: int | None
    terms: Terms
    may_be_over: bool = True
    """Where nothing fits, the smallest view goes out; otherwise CannotFit is raised."""
    kept: Kept = Kept.NO


class Landed(msgspec.Struct, frozen=True):
    """What the engine made of a call."""

    view: View
    rung: Rung
    faults: tuple[str, ...] = ()
    """Kinds of what failed above."""


async def descend(session: Session, asked: Asked) -> Landed:
    """The call compiled as far up as the engine manages. Raises what no rung helps against, or what the last one raised."""
    rung: Rung | None = asked.terms.rung
    faults: list[str] = []
    while rung is not None:
        terms = msgspec.structs.replace(asked.terms, rung=rung)
        try:
            view = await session.compile(asked.request, agent=asked.agent, window=asked.window, terms=terms)
        except _HOPELESS:
            raise
        except Exception as error:
            # Whatever breaks in a plan, the call goes through (DESIGN §7).
            rung = _next(rung, error, asked, has_levels=bool(session.context.policy.order))
            faults.append(type(error).__name__)
            if rung is None:
                raise
        else:
            return Landed(view, rung, tuple(faults))
    raise AssertionError("unreachable")


def _next(rung: Rung, error: Exception, asked: Asked, *, has_levels: bool) -> Rung | None:
    """The rung below one that failed; None where there is none."""
    does_not_fit = isinstance(error, CannotFit)
    if asked.kept is Kept.BY_PROVIDER:
        return None
    if rung is Rung.WHOLE and not does_not_fit:
        return Rung.HELD
    if rung is Rung.HELD and asked.kept in (Kept.FOR_SUMMARY, Kept.BY_EDITS) and does_not_fit:
        return Rung.WHOLE
    if rung is Rung.HELD and has_levels:
        return Rung.FLOOR
    if rung in (Rung.WHOLE, Rung.FLOOR) and does_not_fit and asked.may_be_over:
        return Rung.LEAST
    return None
