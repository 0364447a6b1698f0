"""Whether a session measurably costs more with pumice than without, so that it is better left alone (F-H10).

A cut costs at once and saves later: the loss of the call that opens an epoch is spread over as many calls as epochs last
here. And leaving off costs too, for the client's own history is in no cache then. So a session steps back when, over the
newest epochs that make up enough calls, it lost more than the noise of an estimate, and when losing on like this for as many
calls as lie behind would be dearer than sending the client's whole history anew once.
"""

from collections.abc import Sequence
from itertools import groupby

from pumice.domain.account import Account
from pumice.measure import cost, prices
from pumice.measure.cache import Hit

LEAST_CALLS = 20
"""Calls of the client that are looked at before anything is decided, and the shortest an epoch is taken to last."""
MARGIN = 0.05
"""Share of the cost of the client's own history that a loss must exceed: both sides are estimates in part."""
STAGES = ("compiled", "last-good", "floor")
"""Steps of the ladder on which pumice decided what was sent."""


def costs_more(rows: Sequence[Account], *, usable: int | None = None) -> bool:
    """Whether the session is better off with the client's own requests from here on; never where these no longer fit.

    `rows` are one agent's accounts, oldest first; those of calls pumice did not shape are left out, so the answer stays what
    it was once a session has stepped back. `usable` are tokens a request may have.
    """
    known = [row for row in rows if row.stage in STAGES and row.saved_usd is not None]
    calls = _asked(known)
    if calls < LEAST_CALLS or _is_too_big(known, usable):
        return False
    epochs = [list(run) for _, run in groupby(known, key=lambda row: (row.lane, row.epoch))]
    newest = _newest(epochs)
    loss = sum(_losses(epoch) for epoch in newest[:-1]) + _running(newest[-1], epochs[:-1])
    whole = sum(row.full_cost_usd or 0.0 for epoch in newest for row in epoch)
    looked_at = sum(_asked(epoch) for epoch in newest)
    return loss > MARGIN * whole and loss / looked_at * calls > _way_back(known)


def _asked(rows: Sequence[Account]) -> int:
    """Calls the client would have made without pumice too."""
    return sum(row.full != 0 for row in rows)


def _is_too_big(rows: Sequence[Account], usable: int | None) -> bool:
    return usable is not None and (_last_full(rows) or 0) > usable


def _last_full(rows: Sequence[Account]) -> int | None:
    return next((row.full for row in reversed(rows) if row.full), None)


def _newest(epochs: Sequence[list[Account]]) -> list[list[Account]]:
    """As many of the newest epochs as make up enough calls: what is long past says nothing of now."""
    count, start = 0, len(epochs)
    while start and count < LEAST_CALLS:
        start -= 1
        count += _asked(epochs[start])
    return list(epochs[start:])


def _losses(epoch: Sequence[Account]) -> float:
    return -sum(row.saved_usd or 0.0 for row in epoch)


def _running(epoch: Sequence[Account], before: Sequence[Sequence[Account]]) -> float:
    """What the epoch under way has lost so far, of the call that opened it only the share that fell due."""
    opening = max(0.0, _losses(epoch[:1]))
    usual = sum(map(_asked, before)) / len(before) if before else 0
    share = min(1.0, _asked(epoch) / max(LEAST_CALLS, usual))
    return opening * share + _losses(epoch) - opening


def _way_back(rows: Sequence[Account]) -> float:
    """What sending the client's whole history as new input costs more than reading it from the cache."""
    paid, full = prices.of(rows[-1].model), _last_full(rows) or 0
    if paid is None:
        return 0.0
    return cost.of_call(Hit(0, full), paid).input - cost.of_call(Hit(full, 0), paid).input
