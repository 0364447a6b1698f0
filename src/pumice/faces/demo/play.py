"""Play the demonstration: a scripted upstream, the proxy before it, and agents that resend everything at every call."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec

from pumice.domain.account import Account
from pumice.errors import NotAddressable
from pumice.faces.demo import reading, story
from pumice.faces.demo.agents import Agent, AnthropicAgent, OpenAIAgent
from pumice.faces.demo.story import Step, Turn
from pumice.faces.proxy import assembly
from pumice.faces.proxy.app import create
from pumice.faces.proxy.config import Limits, configured
from pumice.faces.serving import serving
from pumice.faces.upstream import Upstream
from pumice.measure.savings import Savings, add_up
from pumice.store.home import open_store
from pumice.store.private import make_folder
from pumice.wire import jsonbytes
from pumice.wire.double import Say, Use

WINDOW = 24_000
"""Tokens: small, so that a short session is compacted as a long one would be on a large window."""
PATIENCE = 60.0
"""Seconds for the engine: on a slow machine the demonstration is slow, and still the same."""
TENANT = "local"
WORD = "requeued"
"""What the model looks for in what has left its view."""


class Moment(msgspec.Struct, frozen=True):
    """A call that has just been answered."""

    session: str
    kind: str
    model: str
    call: int
    of: int
    """Calls of the session in all."""
    said: str
    so_far: Savings
    """What is on the books of the session; a call that has just ended may not be there yet."""
    newest: Account | None = None


class ReadBack(msgspec.Struct, frozen=True):
    """What the model fetched of what had left its view."""

    command: str
    printed: str


class Played(msgspec.Struct, frozen=True):
    """A session that is over."""

    session: str
    kind: str
    model: str
    read_backs: tuple[ReadBack, ...]


Tell = Callable[[Moment], None]


async def play(home: Path, tell: Tell) -> list[Played]:
    """Both sessions through one proxy, whose store lies in a folder; `tell` hears of every call."""
    upstream = Upstream()
    make_folder(home)
    async with _watching(home, tell) as watch, serving(upstream) as provider, _proxy(home, provider) as url:
        return [
            await _session(AnthropicAgent(url, "repair"), "repair", story.repair(), upstream, watch),
            await _session(OpenAIAgent(url, "review"), "review", story.review(), upstream, watch),
        ]


Watch = Callable[[Moment], Awaitable[None]]


@asynccontextmanager
async def _watching(home: Path, tell: Tell) -> AsyncIterator[Watch]:
    """Adds to each call what is on the books by then."""
    store = open_store(home)

    async def watch(moment: Moment) -> None:
        rows = [row for row in await store.accounts.since(TENANT) if row.key.session == moment.session]
        tell(msgspec.structs.replace(moment, so_far=add_up(rows), newest=rows[-1] if rows else None))

    try:
        yield watch
    finally:
        await store.close()


@asynccontextmanager
async def _proxy(home: Path, provider: str) -> AsyncIterator[str]:
    """The proxy as `pumice serve` runs it, on a free port and a store of its own."""
    gate = assembly.gate("balanced", WINDOW, home=home, seconds=PATIENCE)
    upstreams = {"anthropic": provider, "openai": f"{provider}/v1"}
    config = configured(upstreams=upstreams, limits=Limits(prepare=PATIENCE))
    async with serving(create(config, gate)) as url:
        yield url


async def _session(agent: Agent, name: str, turns: Sequence[Turn], upstream: Upstream, watch: Watch) -> Played:
    player = _Player(agent, name, turns, upstream, watch)
    try:
        for turn in turns:
            await player.turn(turn)
    finally:
        await agent.close()
    return Played(name, agent.kind, agent.model, tuple(player.read_backs))


class _Player:
    """Lets the upstream say what the story says next, and the agent's tools print what it prints."""

    def __init__(self, agent: Agent, name: str, turns: Sequence[Turn], upstream: Upstream, watch: Watch) -> None:
        self.read_backs: list[ReadBack] = []
        self._agent, self._name, self._upstream, self._watch = agent, name, upstream, watch
        self._of = sum(len(turn.steps) + 2 * bool(turn.reads_back) for turn in turns)
        self._calls = 0

    async def turn(self, turn: Turn) -> None:
        self._agent.hear(turn.asks)
        if turn.reads_back:
            await self._read_back()
        for step in turn.steps:
            await self._step(step.says, _uses(step), step.prints)

    async def _read_back(self) -> None:
        """A search over everything that has left the view, then the lines around what it found."""
        folder = reading.folder_in(self._view())
        search = reading.search(folder, WORD)
        found = reading.run_search(folder, WORD)
        if not found:
            raise NotAddressable("nothing that left the view can be found.", hint="Run pumice doctor.")
        await self._step("That left my window; I look for it where it was kept.", (search,), found)
        read = reading.read(found)
        printed = reading.run_read(**{{"file_path": "path"}.get(name, name): value for name, value in read.input.items()})
        await self._step("And the lines around it.", (read,), printed)
        self.read_backs += [ReadBack(str(search.input["command"]), found), ReadBack(str(read.input["file_path"]), printed)]

    def _view(self) -> str:
        """What the model was last shown, as text."""
        return _text(jsonbytes.decode(self._upstream.seen[-1].body))

    async def _step(self, says: str, uses: tuple[Use, ...], prints: str) -> None:
        self._upstream.double.then(Say(says, uses))
        for asked in await self._agent.call():
            self._agent.print(asked, prints)
        self._calls += 1
        moment = Moment(self._name, self._agent.kind, self._agent.model, self._calls, self._of, says, Savings())
        await self._watch(moment)


def _uses(step: Step) -> tuple[Use, ...]:
    return (Use(step.tool, step.input),) if step.tool else ()


def _text(value: Any) -> str:
    """Every text of a body, whatever it stands in."""
    if isinstance(value, str):
        return value
    parts: Iterator[Any] = iter(value.values() if isinstance(value, dict) else value if isinstance(value, list) else ())
    return "\n".join(filter(None, map(_text, parts)))
