"""What goes upstream where the engine or its store has failed: the last view, a floor made in memory, the client's own."""

from collections.abc import Callable

from pumice.engine.engine import AsyncEngine
from pumice.errors import InvalidInput, PumiceError, Unprovable
from pumice.faces.proxy import lastgood, own, turn
from pumice.faces.proxy.ask import Ask
from pumice.faces.proxy.descent import Kept
from pumice.faces.proxy.desk import Desk, Rules
from pumice.faces.proxy.gate import Stage
from pumice.faces.proxy.lastgood import Continued
from pumice.faces.proxy.places import Place, Places
from pumice.faces.proxy.turn import Turn
from pumice.faces.proxy.workers import Workers
from pumice.measure.window import usable

Engines = Callable[[], AsyncEngine]


class Below:
    """The steps under the engine's own. What they send is noted, so that the engine goes on from it."""

    def __init__(self, places: Places, rules: Rules, spare: Engines | None, *, seconds: float) -> None:
        self._places = places
        self._rules = rules
        self._spare = spare
        self._seconds = seconds / 2
        """For a floor: the engine has had its time before."""
        self._workers: Workers[Desk] | None = None

    async def fallen(self, ask: Ask, key: str, error: Exception) -> Turn:
        """The request in place of the one that could not be compiled."""
        fault = type(error).__name__
        place = self._places.known(ask.named, ask.opening)
        is_theirs = isinstance(error, (InvalidInput, Unprovable))
        found = None if place is None or is_theirs else _continued(place, ask)
        if place is not None and found is not None and self._fits(ask, found):
            return self._last_good(place, ask, found, fault)
        floor = None if is_theirs or ask.kept is not Kept.NO else await self._floor(ask, key, fault)
        if floor is not None:
            if place is not None:
                sent_without(place, floor, is_other=True)
            return floor
        if place is not None and found is not None:
            return self._last_good(place, ask, found, fault)  # Over the budget, and still less than the client's own.
        is_under_way = any(trace.is_answer for trace in ask.opening.traces)
        made = turn.passed(ask.call, Stage.CLIENT, ask.request, place, fault, is_unsure=is_under_way)
        if place is not None:
            sent_without(place, made, is_other=place.is_rewritten)
        return made

    def _fits(self, ask: Ask, found: Continued) -> bool:
        return found.tokens <= _room(self._rules, ask)

    def _last_good(self, place: Place, ask: Ask, found: Continued, fault: str) -> Turn:
        told = {turn.SESSION: place.session, turn.FAULT: fault, turn.TOKENS: str(found.tokens)}
        headers = {**ask.call.changed, **own.merged(place.headers, ask.call.headers)}
        made = Turn(
            found.body,
            Stage.LAST_GOOD,
            headers,
            told,
            call=ask.call,
            request=ask.request,
            place=place,
            added=place.headers,
        )
        sent_without(place, made, is_other=False)
        return made

    async def _floor(self, ask: Ask, key: str, fault: str) -> Turn | None:
        """A view made without the store, where the client's own request is over the budget; the same from call to call."""
        if self._spare is None or lastgood.size_of(ask.request) <= _room(self._rules, ask):
            return None
        if self._workers is None:
            spare = self._spare
            self._workers = Workers(lambda: Desk(spare(), Places(), self._rules, 1), count=1)
        try:
            made = await self._workers.run(key, lambda desk: desk.prepare(ask), self._seconds)
        except Exception:  # noqa: BLE001 - one more step down
            return None
        made.stage, made.told = Stage.FLOOR, {**made.told, turn.FAULT: fault}
        made.view = None  # Nothing of it is on record.
        return made

    async def close(self) -> None:
        """Let the engine in memory go."""
        if self._workers is not None:
            await self._workers.close(lambda desk: desk.close())


def sent_without(place: Place, made: Turn, *, is_other: bool) -> None:
    """What went upstream without the engine counts as seen there; what does not go on from the last view, as torn."""
    assert made.request is not None
    place.is_torn = place.is_torn or is_other
    place.asked, place.sent, place.headers = made.request, made.body, made.added
    place.seen = len(made.request.messages)


def _continued(place: Place, ask: Ask) -> Continued | None:
    try:
        return lastgood.continued(place.asked, place.sent, ask.request) if place.asked is not None else None
    except PumiceError:
        return None


def _room(rules: Rules, ask: Ask) -> int:
    request = ask.request
    found = usable(rules.policy.budget, model=request.model, window=rules.window, output_cap=request.max_output)
    return found.tokens
