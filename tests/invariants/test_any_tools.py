"""Any client with any tools under any policy for them: nothing is lost, nothing moves within a lane, all of it is valid."""

import asyncio
import json

from dieting import Client, deferred, sent, tool, unmarked
from hypothesis import given, settings
from hypothesis import strategies as st
from tests_support import World

from pumice.domain.policy import Tools
from pumice.engine.call import View
from pumice.wire import rules

NAMES = ("Read", "Edit", "mcp__a__x", "mcp__a__y", "mcp__b__x", "mcp__b__y")
OPS = ("use", "use", "find", "shuffle", "add", "drop", "force", "mark", "restart", "rewind", "model", "echo", "system")
policies = st.builds(
    Tools,
    order=st.sampled_from(["kept", "client"]),
    defer_unused_over=st.sampled_from([None, 0, 500]),
    keep=st.sampled_from([(), ("Read",), ("mcp__a__*",)]),
    search=st.sampled_from(["bm25", "regex"]),
)
steps = st.lists(st.tuples(st.sampled_from(OPS), st.integers(0, 9)), max_size=10)


class Anyone(Client):
    """A client with all the habits of clients about their tools."""

    def __init__(self, tools: Tools) -> None:
        super().__init__(World(), NAMES, tools=tools)
        self.at = 0
        self.views: dict[str, list[View]] = {}

    async def does(self, op: str, at: int) -> None:
        self.at += 1
        await getattr(self, f"_{op}")(at)
        await self.held(json.dumps(self.body()).encode())

    async def held(self, raw: bytes) -> View:
        """A call with everything that must be true of its tools."""
        view = await self.session.compile(raw, dialect="anthropic")
        theirs = {item["name"]: item for item in json.loads(raw)["tools"] if not item["name"].startswith("tool_search")}
        ours = {item["name"]: item for item in sent(view)}
        plain = {name: {key: value for key, value in item.items() if key not in ("defer_loading", "cache_control")}
                 for name, item in (theirs | ours).items()}  # fmt: skip
        assert len(ours) == len(sent(view))
        assert {name: plain[name] for name in theirs} == {item["name"]: item for item in self.tools}
        assert len(ours) - len(theirs) == bool(deferred(view))
        assert rules.check(view.raw, "anthropic") == ()
        assert self.more.get("tool_choice", {}).get("name") not in deferred(view)
        before = self.views.setdefault(view.lane, [])
        if before and self.policy.tools is not None and self.policy.tools.order == "kept":
            assert unmarked(view) == unmarked(before[-1])
        assert set(deferred(view)) == set(deferred(before[-1] if before else view))
        before.append(view)
        return view

    async def _use(self, at: int) -> None:
        self.uses(self.tools[at % len(self.tools)]["name"], f"c{self.at}")

    async def _find(self, at: int) -> None:
        self.finds(self.tools[at % len(self.tools)]["name"])

    async def _shuffle(self, at: int) -> None:
        at %= len(self.tools)
        self.tools = self.tools[at:] + self.tools[:at]

    async def _add(self, _: int) -> None:
        self.tools = [*self.tools, tool(f"mcp__late__{self.at}")]

    async def _drop(self, _: int) -> None:
        """The last tool goes, unless the conversation refers to it."""
        if len(self.tools) > 2 and self.tools[-1]["name"] not in json.dumps(self.messages):
            self.tools = self.tools[:-1]

    async def _force(self, at: int) -> None:
        name = self.tools[at % len(self.tools)]["name"]
        self.more = {"tool_choice": {"type": "tool", "name": name}} if at < 5 else {}

    async def _mark(self, at: int) -> None:
        """One call with a cache marker on a tool."""
        at %= len(self.tools)
        marked = [*self.tools]
        marked[at] = {**marked[at], "cache_control": {"type": "ephemeral"}}
        view = await self.held(json.dumps({**self.body(), "tools": marked}).encode())
        assert len([item for item in sent(view) if "cache_control" in item]) == 1

    async def _restart(self, _: int) -> None:
        self.restart()

    async def _rewind(self, at: int) -> None:
        self.messages = self.messages[: 1 + 2 * (at % len(self.messages) // 2)]

    async def _model(self, at: int) -> None:
        self.model = ("claude-sonnet-4-5", "claude-opus-4-5", "claude-sonnet-4")[at % 3]

    async def _system(self, at: int) -> None:
        self.more = {**self.more, "system": f"Be exact {at}."}

    async def _echo(self, _: int) -> None:
        """The client sends the compiled body again."""
        view = await self.held(json.dumps(self.body()).encode())
        again = await self.session.compile(view.raw, dialect="anthropic")
        assert (again.lane, again.raw) == (view.lane, view.raw)


@settings(max_examples=30, deadline=None)
@given(policies, steps)
def test_tools_of_any_client_are_sticky_whole_and_valid(tools: Tools, ops: list[tuple[str, int]]) -> None:
    """Whatever a client does with its tools, each definition is there once, and a lane's never move."""

    async def run() -> None:
        client = Anyone(tools)
        await client.held(json.dumps(client.body()).encode())
        for op, at in ops:
            await client.does(op, at)
        for view in [view for lane in client.views.values() for view in lane]:
            assert json.loads(await client.session.rebuild(view.call)) == json.loads(view.raw)

    asyncio.run(run())
