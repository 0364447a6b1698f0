"""Look ahead while nobody waits: what the next call would plan for nothing is planned before it comes."""

import msgspec

from pumice.compact import triggers
from pumice.compact.economics import ASK_AGAIN
from pumice.compact.triggers import ECONOMICS, Gauge
from pumice.domain.decision import Cause
from pumice.engine import transaction
from pumice.engine.case import Case, room_of


def look_ahead(case: Case) -> None:
    """Weigh the cut that prices would let the next call plan; the next call then knows whether it has to.

    Where calls bring more than that is put off by, every one of them asks, and twice would be too often.
    """
    room = room_of(case)
    if case.policy.budget.min_gain != ECONOMICS or room.growth >= ASK_AGAIN:
        return
    coming = msgspec.structs.replace(room, view=room.view + round(room.growth))
    found = triggers.due(case.lane.pulse, coming, case.policy, Gauge())
    if found is not None and found.cause is Cause.ADVISABLE:
        case.session.context.ports.fault("engine:look-ahead")
        transaction.weigh(case, room, found)
