"""The library face: engines on this machine's store, blocking or awaitable."""

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from pumice.domain.account import Account
from pumice.domain.decision import Cause
from pumice.domain.event import SessionInfo
from pumice.domain.manifest import Row
from pumice.domain.pointer import Slice
from pumice.domain.policy import Policy
from pumice.domain.ports import Model
from pumice.domain.state import Pin
from pumice.engine.call import View
from pumice.engine.context import Ports
from pumice.engine.engine import Asked, AsyncEngine
from pumice.engine.opening import Body
from pumice.engine.recorder import Recorder
from pumice.engine.resident import Texts
from pumice.engine.searching import Hits
from pumice.engine.session import Session as AsyncSession
from pumice.errors import InvalidInput
from pumice.faces import settings
from pumice.faces.endpoint import Models
from pumice.measure import tokens
from pumice.store import seal
from pumice.store.database import Durability
from pumice.store.home import Store, memory_store, open_store
from pumice.store.seal import StoreSealer
from pumice.toolkit import Tool

T = TypeVar("T")
MEMORY = ":memory:"


def open_async(
    place: str | Path | None = None, *, model: Model | None = None, durability: Durability = "process"
) -> AsyncEngine:
    """An engine over the store at a folder (`$PUMICE_HOME` or `~/.pumice` without one), or in memory for `:memory:`."""
    _load_counter()
    return _engine(place, model, durability)


def _engine(place: str | Path | None, model: Model | None, durability: Durability) -> AsyncEngine:
    sealer = StoreSealer(None if place == MEMORY else _folder(place) / seal.KEY, settings.seal_key())
    ports = Ports(clock=time.time, model=model or Models(), sealer=sealer)
    return AsyncEngine(_store(place, durability), ports, settings.policy)


@cache
def _load_counter() -> None:
    """Begin to load the vocabulary, so that it is there when the first request is."""
    threading.Thread(target=tokens.load, name="pumice-counter", daemon=True).start()


def _store(place: str | Path | None, durability: Durability) -> Store:
    if isinstance(place, str) and "://" in place:
        raise InvalidInput(f"store {place!r} is not supported by this version.", hint="Name a folder, or :memory:.")
    if place == MEMORY:
        return memory_store()
    return open_store(_folder(place), durability=durability)


def _folder(place: str | Path | None) -> Path:
    return Path(place) if place is not None else settings.home()


class Portal:
    """One event loop on its own thread, for callers that block."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="pumice", daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of a coroutine; interrupting the caller cancels it."""
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


class Engine:
    """The blocking face of an engine; use it as a context manager."""

    def __init__(self, inner: AsyncEngine, portal: Portal) -> None:
        self._inner = inner
        self._portal = portal

    @classmethod
    def open(
        cls, place: str | Path | None = None, *, model: Model | None = None, durability: Durability = "process"
    ) -> "Engine":
        """An engine over a folder, `$PUMICE_HOME` or `~/.pumice`, or `:memory:`. Raises StoreError."""
        return cls(_engine(place, model, durability), Portal())

    def session(
        self,
        name: str,
        *,
        scope: str = "",
        policy: Policy | Asked = None,
        window: int | None = None,
        model: str | None = None,
        dialect: str | None = None,
        resident: Mapping[str, Texts] | None = None,
    ) -> "Session":
        """The session of a name in a scope, opened or continued.

        A policy is a preset's name, a YAML file, a `Policy`, values by key over what is in force, or None: what is in force.
        `resident` are texts that stand in the head of every request, as in `Session.resident`.
        """
        _load_counter()
        inner = self._inner.session(
            name, scope=scope, policy=policy, window=window, model=model, dialect=dialect, resident=resident
        )
        return Session(inner, self._portal)

    def sessions(self, scope: str = "") -> list[SessionInfo]:
        """What is stored of the tenant of a scope."""
        return self._portal.run(self._inner.sessions(scope))

    def accounts(self, scope: str = "", *, since: float = 0.0) -> list[Account]:
        """What the calls of a scope sent and cost, oldest first, from a time on (seconds since 1970)."""
        return self._portal.run(self._inner.accounts(scope, since=since))

    def forget(self, name: str, *, scope: str = "") -> int:
        """Remove everything kept of a session; returns how many events and artifacts went."""
        return self._portal.run(self._inner.forget(name, scope=scope))

    def close(self) -> None:
        """Let the store and the portal go."""
        self._portal.run(self._inner.close())
        self._portal.close()

    def __enter__(self) -> "Engine":
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


class BlockingTool:
    """A tool of a session as a plain callable: arguments in, the text of its result out."""

    def __init__(self, tool: Tool, run: Callable[[Coroutine[Any, Any, str]], str]) -> None:
        self._tool = tool
        self._run = run
        self.name, self.description, self.parameters = tool.name, tool.description, tool.parameters

    def definition(self, dialect: str) -> dict[str, Any]:
        """The tool as a request of the dialect declares it."""
        return self._tool.definition(dialect)

    def __call__(self, arguments: Mapping[str, Any]) -> str:
        return self._run(self._tool(arguments))


class Session:
    """The blocking face of a session; every method is the one of the same name in `pumice.engine.session`."""

    def __init__(self, inner: AsyncSession, portal: Portal) -> None:
        self.inner = inner
        self._run = portal.run

    @property
    def id(self) -> str:
        return self.inner.id

    def compile(
        self,
        body: Body | None = None,
        *,
        dialect: str | None = None,
        agent: str = "main",
        window: int | None = None,
        model: str | None = None,
    ) -> View:
        """Compile what the next model call should see."""
        return self._run(self.inner.compile(body, dialect=dialect, agent=agent, window=window, model=model))

    def record(self, response: Body, view: View | None = None) -> None:
        """Take the provider's response in: its usage calibrates the counter."""
        self._run(self.inner.record(response, view))

    def refused(self, error: str, view: View | None = None) -> int | None:
        """Take the provider's "too long" error in: a smaller window it names holds from now on."""
        return self._run(self.inner.refused(error, view))

    @contextmanager
    def recording(self, view: View | None = None) -> Iterator[Recorder]:
        """Feed a streamed response chunk by chunk."""
        manager = self.inner.recording(view)
        recorder = self._run(manager.__aenter__())
        try:
            yield recorder
        except BaseException as error:
            if not self._run(manager.__aexit__(type(error), error, error.__traceback__)):
                raise
        else:
            self._run(manager.__aexit__(None, None, None))

    def add(self, messages: Sequence[Any], *, agent: str = "main") -> None:
        """Add messages to an incremental conversation."""
        self._run(self.inner.add(messages, agent=agent))

    def compact(self, reason: str = "requested", focus: str = "", *, agent: str = "main", target: int | None = None) -> View:
        """Compact now and return the view."""
        return self._run(self.inner.compact(reason, focus, agent=agent, target=target))

    def end_phase(self, name: str, *, agent: str = "main") -> None:
        """A phase of the task has ended: the agent's next call is a good moment to cut."""
        self._run(self.inner.end_phase(name, agent=agent))

    def pin(self, text: str, *, authority: str = "task", expires: str = "", scope: str = "") -> Pin:
        """Keep words verbatim in every view from the next epoch on; with a scope, in those of callers within it."""
        return self._run(self.inner.pin(text, authority=authority, expires=expires, scope=scope))

    def resident(self, name: str, text: Texts) -> None:
        """Keep a text in the head of every request; an empty one takes it away."""
        self._run(self.inner.resident(name, text))

    def unpin(self, pin_id: str) -> None:
        """Let a hand-made pin go at the next epoch."""
        self._run(self.inner.unpin(pin_id))

    def rollback(self, epoch: int, *, agent: str = "main") -> None:
        """Show the lane as in an earlier epoch again, as a new epoch."""
        self._run(self.inner.rollback(epoch, agent=agent))

    def seal(self, *, agent: str = "main") -> str:
        """One text that may stand for everything the agent's lane shows, readable by this store's engine alone."""
        return self._run(self.inner.seal(agent=agent))

    def tools(self, *, agent: str = "main") -> tuple["BlockingTool", ...]:
        """Read-back, notes, plan and phases as tools any agent loop can declare and call."""
        return tuple(BlockingTool(tool, self._run) for tool in self.inner.tools(agent=agent))

    def rebuild(self, call: int) -> bytes:
        """The body of any past call."""
        return self._run(self.inner.rebuild(call))

    def explain(self, block_id: str, call: int | None = None) -> Row:
        """Why a block was or was not in the view of a call."""
        return self._run(self.inner.explain(block_id, call))

    def read_range(self, pointer: str, offset: int = 1, limit: int = 200, unit: str = "lines") -> Slice:
        """A slice of something outside the window."""
        return self._run(self.inner.read_range(pointer, offset, limit, unit))

    def search(self, query: str, *, pointer: str | None = None, regex: bool = False, limit: int = 10) -> Hits:
        """Lines of the session, or of one block, that hold a query, best first, and how many more there are."""
        return self._run(self.inner.search(query, pointer=pointer, regex=regex, limit=limit))

    def current_cause(self, agent: str = "main") -> Cause:
        """Why the agent's newest epoch began."""
        return self.inner.current_cause(agent)
