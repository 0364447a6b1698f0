"""Questions to a model: several at once, none ever twice, every answer on record before a plan uses it.

A cut that may wait awaits its answers within the policy's time; for one that may not, and for answers that come late,
they are recorded when they come and used at the next epoch.
"""

import asyncio
import inspect
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from pumice.compact.breaker import Breaker
from pumice.compact.summary.model import PURPOSES
from pumice.domain.policy.limits import CHEAPEST, SAME
from pumice.domain.ports import Addressed, Answer, Model, PrefixModel
from pumice.domain.summary import Ask
from pumice.engine import breaking, journal
from pumice.engine.journal import Entry
from pumice.engine.lane import Lane
from pumice.engine.quota import is_quota
from pumice.engine.waiting import unheld
from pumice.errors import ModelFailed, PumiceError
from pumice.measure import prices

if TYPE_CHECKING:
    from pumice.engine.session import Session

MOST_CHARS = 400_000
"""Characters of an answer: more is no answer to any question of ours, and is not kept."""
REASON_CHARS = 300
"""Characters of an error that are kept."""
NOTHING = Answer("")


class Live(msgspec.Struct, frozen=True):
    """The view a question may be asked at the end of."""

    lane: str
    epoch: int
    """The epoch whose cut asks, for the record."""
    dialect: str = ""
    view: bytes = b""


class Reply(msgspec.Struct, frozen=True):
    """What came of a question."""

    key: str
    purpose: str
    live: Live
    answer: Answer | None = None
    reason: str = ""
    """Why there is no usable answer; empty when there is."""
    is_quota: bool = False


class Asker:
    """The questions of one session that are under way, and what came of them until it is on record."""

    def __init__(self, session: "Session") -> None:
        self._session = session
        self._tasks: dict[str, asyncio.Task[None]] = {}
        """By the key of a question without a reply."""
        self._running: set[asyncio.Task[None]] = set()
        """Those, and the ones that put a reply on record."""
        self._replies: dict[str, Reply] = {}
        self._awaited: set[str] = set()
        self.trouble = ""
        """Why an answer could not be put on record; empty when all were."""

    async def wait(self, asks: Sequence[Ask], live: Live, seconds: float) -> None:
        """Ask together; whoever has not answered in time is on record as late, and may still answer."""
        keys = {ask.key for ask in asks}
        self._awaited |= keys
        try:
            tasks = [self._tasks[ask.key] for ask in asks if self.start(ask, live)]
            if tasks:
                await asyncio.wait(tasks, timeout=seconds)
        finally:
            self._awaited -= keys
        for ask in asks:
            late = Reply(ask.key, ask.purpose, live, reason=f"no answer within {seconds:g} seconds")
            note(self._session, self._replies.get(ask.key, late))
        await self._session.outbox.flush(self._session.context.ports.clock())
        self._forget(keys)

    def start(self, ask: Ask, live: Live) -> bool:
        """Ask unless that is under way; False when the reply is there already."""
        if ask.key in self._replies:
            return False
        if ask.key not in self._tasks:
            task = self._tasks[ask.key] = asyncio.create_task(self._run(ask, live))
            self._running.add(task)
            task.add_done_callback(self._running.discard)
        return True

    @property
    def is_busy(self) -> bool:
        """Whether a question is under way, or its reply not on record."""
        return bool(self._running or self._replies)

    async def settled(self) -> None:
        """Wait until every question that is under way has been answered or has failed, and that is on record."""
        while self._running:
            await asyncio.wait(set(self._running))

    async def close(self) -> None:
        """Stop asking; what has not been answered is as if it had not been asked."""
        tasks = list(self._running)
        self._tasks.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self, ask: Ask, live: Live) -> None:
        self._replies[ask.key] = await self._asked(ask, live)
        self._tasks.pop(ask.key, None)
        if ask.key not in self._awaited:
            try:
                await self._session.settle(self._replies[ask.key])
            except PumiceError as error:
                self.trouble = str(error)
            self._forget((ask.key,))

    async def _asked(self, ask: Ask, live: Live) -> Reply:
        clean = self._session.context.store.redactor
        try:
            found = await _answer(self._session.context.ports.model, named(ask, self._session.tree.lanes.get(live.lane)), live)
        except Exception as error:  # noqa: BLE001 - a callable of the user's may raise anything; it is on record
            reason = clean(f"{type(error).__name__}: {error}").text[:REASON_CHARS]
            return Reply(ask.key, ask.purpose, live, reason=reason, is_quota=is_quota(error))
        flaw, reason = clean(found.flaw).text[:REASON_CHARS], ""
        if len(found.text) > MOST_CHARS:
            reason = f"an answer of {len(found.text)} characters, expected {MOST_CHARS} at most"
        elif ask.purpose not in PURPOSES:  # only who writes a summary is reminded
            reason = flaw
        text = "" if reason else clean(found.text).text
        return Reply(ask.key, ask.purpose, live, msgspec.structs.replace(found, text=text, flaw=flaw), reason)

    def _forget(self, keys: Iterable[str]) -> None:
        for key in keys:
            self._replies.pop(key, None)


def named(ask: Ask, lane: Lane | None) -> Ask:
    """A question with the address of its model: `same` is the lane's own, `cheapest` the cheapest of its kind."""
    if lane is None or ask.model not in (SAME, CHEAPEST):
        return ask
    model = lane.model if ask.model == SAME else prices.cheapest(lane.model)
    return msgspec.structs.replace(ask, model=f"{lane.dialect.name}:{model}")


def note(session: "Session", reply: Reply) -> None:
    """Put what came of a question on record, with what the lane's breaker makes of it; a second answer counts for nothing."""
    tree, given = session.tree, reply.answer or NOTHING
    if reply.key in tree.answers or (reply.reason and reply.key in tree.failed):
        return
    if reply.reason:
        fail(session, reply.live, reply.key, reply.reason, is_quota=reply.is_quota, purpose=reply.purpose, given=given)
        return
    live = reply.live
    event = journal.AnswerEvent(
        reply.key, given.text, reply.purpose, live.lane, live.epoch, given.model, given.usage, given.flaw
    )
    session.write(Entry(branch_of(reply.key), event))


def fail(
    session: "Session", live: Live, key: str, reason: str, *, is_quota: bool = False, purpose: str = "", given: Answer = NOTHING
) -> None:
    """A question without a usable answer: the first of a cut counts as a failure in a row, and so does one for want of quota
    that opens the breaker; others of the same cut do not count again.
    """
    lane = session.tree.lanes.get(live.lane)
    after = lane.breaker if lane is not None else Breaker()
    if lane is not None and (not session.tree.has_failed(live.lane, live.epoch) or (is_quota and after.opened_at is None)):
        after = breaking.failed(session, lane, reason=reason, is_quota=is_quota)
    event = journal.AskFailed(live.lane, live.epoch, key, reason, after, purpose, given.model, given.usage)
    session.write(Entry(branch_of(key), event))


def branch_of(key: str) -> str:
    """Where a question's events go: each has a tip of its own, so that of two processes one answers it."""
    return f"answer:{key}"


def has_own(model: Model | None) -> bool:
    """Whether a question that names no model has one all the same: a callable the engine was given."""
    return model is not None and not isinstance(model, Addressed)


def is_open(session: "Session", lane: Lane, ask: Ask) -> bool:
    """Whether a question has neither been answered nor failed, and there is somebody to ask."""
    if ask.model in (SAME, CHEAPEST) and not _serves(session.context.ports.model, lane.dialect.name):
        return False
    return ask.key not in session.tree.answers and ask.key not in session.tree.failed


async def _answer(model: Model | None, ask: Ask, live: Live) -> Answer:
    if model is None:
        raise ModelFailed("no model to ask.", hint="Give one: Engine.open(model=…).")
    if live.view and not ask.material and isinstance(model, PrefixModel):
        return await model.continuing(ask, live.dialect, live.view)
    found: Any = await unheld(model, ask) if not _is_async(model) else model(ask)
    found = await found if inspect.isawaitable(found) else found
    if isinstance(found, str):
        return Answer(found)
    if not isinstance(getattr(found, "text", None), str):
        raise ModelFailed(f"{type(found).__name__} came from the model, expected a str or an object with text and usage.")
    return found if isinstance(found, Answer) else Answer(found.text, found.usage, getattr(found, "model", ""))


def _is_async(model: Model) -> bool:
    return inspect.iscoroutinefunction(model) or inspect.iscoroutinefunction(type(model).__call__)


def _serves(model: object, dialect: str) -> bool:
    """Whether a model of the conversation's own vendor can be asked."""
    return not isinstance(model, Addressed) or model.serves(dialect)
