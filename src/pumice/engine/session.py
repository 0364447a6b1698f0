"""A session: every call of one conversation and its sub-agents, compiled from one ledger."""

import contextlib
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

import msgspec

from pumice import toolkit, wire
from pumice.domain.decision import Cause
from pumice.domain.edits import Condensed
from pumice.domain.manifest import Row
from pumice.domain.message import Request, Response
from pumice.domain.state import Pin
from pumice.engine import (
    asking,
    audit,
    calling,
    condensing,
    entries,
    footprint,
    foresight,
    hand,
    hidden,
    incremental,
    passing,
    sealing,
)
from pumice.engine import resident as residents
from pumice.engine.books import Books
from pumice.engine.call import View
from pumice.engine.case import Case
from pumice.engine.context import Context
from pumice.engine.memo import Counts
from pumice.engine.opening import Body, Opener, as_bytes
from pumice.engine.recorder import Recorder
from pumice.engine.shelf import Shelf
from pumice.engine.terms import USUAL, Terms
from pumice.engine.tree import Tree
from pumice.errors import CannotFit, InvalidInput, Unprovable
from pumice.measure.window import check_size, learn_limit
from pumice.toolkit import Tool
from pumice.wire.hidden import Told


class Session(Shelf):
    """One conversation. Steps are serial; a step that fails or is cancelled is as if it had not begun."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.opener = Opener()
        self.counts = Counts()
        self.drafts: dict[str, incremental.Draft] = {}
        self.cases: dict[str, Case] = {}
        """Of the newest call of each lane, until it is answered."""
        self.books = Books(context.store.accounts, context.key)
        self.marks: dict[bytes, frozenset[str]] = {}
        """What messages next to hidden exchanges are known by, a cache."""
        self.asker = asking.Asker(self)
        self._unanswered: View | None = None

    async def compile(
        self,
        body: Body | Request | None = None,
        *,
        dialect: str | None = None,
        agent: str = "main",
        window: int | None = None,
        model: str | None = None,
        terms: Terms = USUAL,
    ) -> View:
        """Compile what the next model call should see.

        `body` is a provider-shaped request (dict, bytes, JSON text, or opened), or None for the messages added so far;
        `terms` is what a proxy knows of calls the engine had no part in. Raises BadRequest, UnknownDialect, CannotFit or
        StoreError; nothing is sent, recorded or changed then.
        """
        if body is None:
            body, dialect = self._draft(agent, dialect).body(model or self.context.model), self._draft(agent, dialect).dialect
        step = self._step(body, dialect, agent, window, model)
        return await self._compile(msgspec.structs.replace(step, terms=terms))

    async def compact_body(
        self, body: Body, *, dialect: str | None = None, agent: str = "main", target: int | None = None
    ) -> View:
        """Compile a request and compact it in the same step, down to `target` tokens."""
        check_size("target", target)
        step = self._step(body, dialect, agent, None, None)
        return await self._compile(msgspec.structs.replace(step, asked=calling.Asked(target=target)))

    def _step(
        self, body: Body | Request, dialect: str | None, agent: str, window: int | None, model: str | None
    ) -> calling.Step:
        check_size("window", window)
        named = model or self.context.model
        if isinstance(body, Request):
            request, body = body.for_model(named), body.body
        else:
            request = self.opener.open(body, dialect or self.context.dialect, agent).for_model(named)
        return calling.Step(request, body, agent, window or self.context.window, named)

    async def _compile(self, step: calling.Step) -> View:
        if step.request.is_delta:
            view = passing.untouched(self.context, step)
        else:
            view = await self._attempt(lambda: calling.compile_call(self, step))
        self._unanswered = view
        return view

    async def record(self, response: Body | Response, view: View | None = None) -> None:
        """Take the provider's response in: its usage calibrates the counter. Belongs to the newest unanswered view."""
        answered = view or self._unanswered
        if answered is None:
            raise InvalidInput("a response without a compiled view before it.", hint="Call compile first, or name the view.")
        if not isinstance(response, Response):
            response = wire.get(self._dialect_of(answered)).read_response(as_bytes(response))
        await self._record(response, answered)

    def _dialect_of(self, view: View) -> str:
        return self.tree.lanes[view.lane].dialect.name if view.lane else wire.detect(view.raw)

    async def _record(self, response: Response, view: View) -> None:
        if not view.lane:
            self._unanswered = None
            return

        async def step() -> None:
            self.write(entries.of_response(self.tree, response, view.call))
            await self.outbox.flush(self.context.ports.clock())
            case = self.cases.pop(view.lane, None)
            if self.context.policy.order:
                self.tree.lanes[view.lane].branch.settle_some()
            if case is not None and case.lane is self.tree.lanes[view.lane]:
                foresight.look_ahead(case)

        await self._attempt(step)
        draft = self.drafts.get(self.tree.lanes[view.lane].agent)
        if draft is not None:
            draft.add([message.raw for message in response.messages])
        self.reads.reset()
        self._unanswered = None

    async def refused(self, error: str, view: View | None = None) -> int | None:
        """Take the provider's "too long" error in: a smaller window it names holds from now on; returns it, else None."""
        answered = view or self._unanswered
        limit = learn_limit(error)
        if limit is None or answered is None or not answered.lane:
            return None
        await self._attempt(lambda: hand.learn(self, self.tree.lanes[answered.lane], limit))
        return limit

    @asynccontextmanager
    async def recording(self, view: View | None = None) -> AsyncIterator[Recorder]:
        """Feed a streamed response chunk by chunk; it is recorded when the block ends without an error."""
        answered = view or self._unanswered
        if answered is None:
            raise InvalidInput("a stream without a compiled view before it.", hint="Call compile first, or name the view.")
        recorder = Recorder(self._dialect_of(answered))
        yield recorder
        await self._record(recorder.finish(), answered)

    async def add(self, messages: Sequence[Any], *, agent: str = "main") -> None:
        """Add messages to an incremental conversation; `compile()` without a body sends them."""
        self._draft(agent, None).add([as_bytes(message) for message in messages])

    def _draft(self, agent: str, dialect: str | None) -> incremental.Draft:
        if agent not in self.drafts:
            name = dialect or self.context.dialect
            if name is None:
                raise InvalidInput("no dialect.", hint='Open the session with dialect="anthropic", "gemini", …')
            self.drafts[agent] = incremental.Draft(name)
        return self.drafts[agent]

    async def compact(
        self, reason: str = "requested", focus: str = "", *, agent: str = "main", target: int | None = None
    ) -> View:
        """Compact now and return the view; `target` is the size in tokens the complete request goes down to."""
        check_size("target", target)
        view: View = await self._attempt(lambda: hand.compact(self, agent, reason, focus, target))
        self._unanswered = view
        return view

    async def condense(
        self, request: Request, view: View, focus: str = "", *, agent: str = "main", window: int | None = None
    ) -> Condensed:
        """One text that may stand for a request whose view is the agent's newest, in plain form and sealed.

        Its lane is compacted for it as far as that goes; nothing is sent. Raises BadRequest or StoreError.
        """
        step = self._step(request, None, agent, window, None)
        with contextlib.suppress(CannotFit, Unprovable):  # nothing smaller can be made: the text is of all there is
            await self._attempt(lambda: condensing.cut(self, step, view, focus))
        await self._attempt(self._nothing)
        return condensing.written(self, agent, view)

    async def pin(self, text: str, *, authority: str = "task", expires: str = "", scope: str = "") -> Pin:
        """Keep words verbatim in every view from the next epoch on; with a scope, in those of callers within it."""
        made: Pin = await self._attempt(lambda: hand.pin(self, text, authority, expires, scope))
        return made

    async def resident(self, name: str, text: residents.Texts) -> None:
        """Keep a text in the head of every request; an empty one takes it away. `few_shot` takes several.

        What the policy calls stable holds from the next call on, in a new lane, what is semi-stable from the next epoch on.
        Raises InvalidInput.
        """
        given = {**self.context.resident, name: residents.read(name, text)}
        self.context = msgspec.structs.replace(self.context, resident=given)
        await self._attempt(lambda: hand.give(self))

    async def note(self, notes: Mapping[str, str]) -> None:
        """Keep notes by topic from the next epoch on, an empty text removes one; what the conversation notes later wins."""
        await self._attempt(lambda: hand.note(self, notes))

    async def unpin(self, pin_id: str) -> None:
        """Let a hand-made pin go at the next epoch."""
        await self._attempt(lambda: hand.unpin(self, pin_id))

    async def rollback(self, epoch: int, *, agent: str = "main") -> None:
        """Show the lane as in an earlier epoch again, as a new epoch; nothing is forgotten."""
        await self._attempt(lambda: hand.roll_back(self, agent, epoch))

    async def seal(self, *, agent: str = "main") -> str:
        """One text that may stand for everything the agent's lane shows, readable by this store's engine alone (F-C13).

        Sent back in place of the history, as a user's message, it is opened; where it cannot be, what it stood for is made
        again from the ledger. Raises InvalidInput before the agent's first call or where the engine has no key.
        """
        await self._attempt(self._nothing)
        return sealing.seal(self, hand.lane_of(self, agent))

    async def rebuild(self, call: int) -> bytes:
        """The body of any past call, byte for byte, secrets and deleted content apart."""
        await self._attempt(self._nothing)
        return audit.rebuild(self.tree, call)

    async def explain(self, block_id: str, call: int | None = None) -> Row:
        """Why a block was or was not in the view of a call (the newest without one)."""
        await self._attempt(self._nothing)
        return audit.explain(self, block_id, call)

    def current_cause(self, agent: str = "main") -> Cause:
        """Why the agent's newest epoch began."""
        return self.tree.current[agent].epoch.cause

    async def step_back(self, reason: str, *, agent: str = "main") -> None:
        """Remember that an agent's requests go through as they come from now on, and why; no reason: no longer."""
        await self._attempt(lambda: hand.step_back(self, agent, reason))

    async def settle(self, reply: asking.Reply) -> None:
        """Put on record what came of a question nobody waits for."""

        async def step() -> None:
            asking.note(self, reply)
            await self.outbox.flush(self.context.ports.clock())

        await self._attempt(step)

    def tools(self, *, agent: str = "main") -> tuple[Tool, ...]:
        """Read-back, notes, plan and phases as tools any agent loop can declare and call."""
        return toolkit.tools(self, agent=agent, read_range=self.context.policy.offload.read_back.tool)

    async def end_phase(self, name: str, *, agent: str = "main") -> None:
        """A phase of the task has ended: the agent's next call is a good moment to cut. Raises InvalidInput."""
        await self._attempt(lambda: hand.end_phase(self, agent, name))

    @property
    def weight(self) -> int:
        """Bytes of memory it takes, roughly."""
        return footprint.of(self.tree)

    @property
    def is_idle(self) -> bool:
        """Whether nothing is under way, and nothing it holds is in memory alone."""
        return not (self._lock.locked() or self.asker.is_busy or self.drafts)

    async def hide(
        self, view: View, request: Request, response: Response, told: Sequence[Told], *, is_beside: bool = False
    ) -> None:
        """Keep what came of calls of the read-back tool in an answer to the client's own request: every later request of the
        agent holds it, although the client never sends it. `is_beside`: the client has the rest of the answer."""
        agent = self.tree.lanes[view.lane].agent
        await self._attempt(lambda: hidden.hide(self, agent, request, response, told, is_beside=is_beside))

    def let_go(self) -> None:
        """Hold nothing that the store has: used again, it is read from there.

        A session and its questions know each other, so what it holds would else stay until cycles are looked for.
        """
        self.tree, self._is_stale = Tree(self.context.policy.effects), True
        self.opener, self.counts, self._unanswered = Opener(), Counts(), None

    async def close(self) -> None:
        """Let go of questions that are still under way; the session can be opened again from its store."""
        await self.asker.close()
