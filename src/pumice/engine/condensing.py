"""A whole request as one text: compacted like any cut, then written out as the lane shows it (F-H3, F-C13)."""

from typing import TYPE_CHECKING

import msgspec

from pumice.domain.edits import Condensed
from pumice.engine import calling, hand, sealing
from pumice.engine.call import View
from pumice.engine.terms import Rung, Terms
from pumice.measure import tokens

if TYPE_CHECKING:
    from pumice.engine.session import Session

REASON = "the client asked for a compaction"
SHARE = 0.2
"""Of the size of its messages, what a text is compacted to: a session of 150,000 tokens goes on from 30,000."""


async def cut(session: "Session", step: calling.Step, view: View, focus: str) -> None:
    """Compact the lane a view is of, which nothing of the result is sent for. Raises as `compile` does."""
    size, clean = view.tokens, session.context.store.redactor(focus).text
    asked = calling.Asked(REASON, clean, size.head + round(SHARE * size.messages))
    terms: Terms = msgspec.structs.replace(step.terms, rung=Rung.WHOLE)
    await calling.compile_call(session, msgspec.structs.replace(step, asked=asked, terms=terms))


def written(session: "Session", agent: str, view: View) -> Condensed:
    """What an agent's lane shows, as one text in place of a view."""
    lane = hand.lane_of(session, agent)
    text = sealing.whole(lane)
    sealed = sealing.seal(session, lane) if session.context.ports.sealer is not None else ""
    return Condensed(text, sealed, view.tokens.total, tokens.count(text), sealing.origin(session, lane))
