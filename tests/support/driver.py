"""Drive a session through anything a client may do between calls, and hold every view to its promises."""

import json
from collections.abc import Sequence
from typing import Any

import msgspec
import promises
from conversations import KINDS, MODELS, Item, Use, body, item, long_text, raw, short_text
from hypothesis import strategies as st
from tests_support import World

from pumice.domain.policy import Policy
from pumice.engine.call import View
from pumice.errors import CannotFit, PumiceError

Op = tuple[Any, ...]

TOOLS = ("Read", "Bash", "Edit", "query")


def ops(most: int = 60) -> st.SearchStrategy[Op]:
    """One thing that happens before the next call."""
    grow = st.tuples(st.just("grow"), st.lists(item(most=most), min_size=1, max_size=2))
    kinds = st.lists(st.sampled_from(list(KINDS)), min_size=1, max_size=6)
    loop = st.tuples(st.just("loop"), kinds, st.integers(0, 90), st.integers(1, 2 * most), st.integers(1, 3))
    return st.one_of(
        loop,
        loop,
        loop,
        loop,
        grow,
        grow,
        grow,
        grow,
        st.tuples(st.just("edit"), st.integers(0, 30), short_text | long_text(most=5)),
        st.tuples(st.just("rewind"), st.integers(1, 30)),
        st.tuples(st.just("regenerate"), item(most=most)),
        st.tuples(st.just("placeholder"), st.integers(0, 30)),
        st.tuples(st.just("client_compact"), st.integers(0, 3)),
        st.tuples(st.just("tag"), long_text(most=most)),
        st.tuples(st.just("model")),
        st.tuples(st.just("usage"), st.floats(0.2, 5.0)),
        st.tuples(st.just("tool")),
        st.tuples(st.just("restart")),
        st.tuples(st.just("compact"), st.none() | st.integers(1, 6000)),
        st.tuples(st.just("pin"), short_text),
        st.tuples(st.just("go_on_from_view")),
    )


def usage(reported: int, dialect: str) -> dict[str, Any]:
    """An empty answer of the provider that cost so many tokens of input."""
    if dialect == "anthropic":
        told = {"input_tokens": reported, "output_tokens": 1}
        return {"id": "m", "type": "message", "role": "assistant", "model": "x", "content": [], "usage": told}
    if dialect == "gemini":
        candidate = {"content": {"role": "model", "parts": [{"text": "ok"}]}, "finishReason": "STOP"}
        return {"candidates": [candidate], "usageMetadata": {"promptTokenCount": reported, "candidatesTokenCount": 1}}
    if dialect == "openai-responses":
        said = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "ok"}]}
        return {"id": "m", "status": "completed", "output": [said], "usage": {"input_tokens": reported, "output_tokens": 1}}
    told = {"prompt_tokens": reported, "completion_tokens": 1}
    message = {"role": "assistant", "content": "ok"}
    return {"id": "m", "object": "chat.completion", "model": "x", "choices": [{"index": 0, "message": message}], "usage": told}


class Driver:
    """A client with all the habits of clients."""

    def __init__(self, dialect: str, *, window: int, policy: str | Policy = "balanced") -> None:
        self.dialect = dialect
        self.world = World()
        self.options = {"policy": policy, "window": window}
        self.session = self._opened()
        self.items: list[Item] = [Item("user", "go")]
        self.model = MODELS[dialect][0]
        self.tools = list(TOOLS[:3])
        self.newest: dict[str, View] = {}
        self.views: list[View] = []
        self.sources: list[str] = []
        self.reported = 0
        self.failures: list[PumiceError] = []

    def _opened(self) -> Any:
        return self.world.engine().session("s", **self.options)

    def body(self) -> dict[str, Any]:
        return body(self.items, self.dialect, model=self.model, tools=self.tools)

    async def run(self, steps: Sequence[Op]) -> None:
        await self.call()
        for step in steps:
            await getattr(self, f"_{step[0]}")(*step[1:])
        for view in self.views:
            rebuilt = await self.session.rebuild(view.call)
            assert json.dumps(json.loads(rebuilt)) == json.dumps(json.loads(view.raw)), view.call

    async def call(self, sent: bytes | None = None) -> View | None:
        """One call with everything it promises; None when it was refused with a typed error."""
        sent = raw(self.body()) if sent is None else sent
        try:
            view = await self.session.compile(sent, dialect=self.dialect)
        except PumiceError as error:
            self.refuse(error)
            return None
        await self.hold(view, sent)
        again = await self.session.compile(sent, dialect=self.dialect)
        assert (again.raw, again.epoch, again.lane) == (view.raw, view.epoch, view.lane)
        return view

    def refuse(self, error: PumiceError) -> None:
        """A refusal is of the kinds that are promised, and what does not fit is what has to stay."""
        assert isinstance(error, CannotFit), error
        assert sum(tokens for _, tokens in error.parts) > error.budget
        assert "messages" not in dict(error.parts), (error, "nothing was folded")
        self.failures.append(error)

    async def hold(self, view: View, sent: bytes) -> None:
        promises.is_valid(view, sent, self.dialect)
        promises.keeps_the_head(view, sent)
        promises.fits(view)
        if not self.reported:
            promises.is_counted(view, self.dialect, self.model)
        before = self.newest.get(view.lane)
        if before is not None:
            promises.extends(before, view, self.dialect)
        self.newest[view.lane] = view
        self.views.append(view)
        await promises.is_accounted_for(view, self.session)
        promises.adds_nothing(view, self.session, self.sources)
        promises.marks_are_ours(view, self.session)
        promises.trusts_only_people(self.session)

    async def _grow(self, items: Sequence[Item]) -> None:
        self.items += items
        await self.call()

    async def _loop(self, kinds: Sequence[str], seed: int, lines: int, parallel: int) -> None:
        """A tool loop: calls and their results, a call of the model after each."""
        for at, kind in enumerate(kinds):
            seed = 100 * seed % 7919 + at
            uses = tuple(
                Use(
                    f"l{len(self.items)}_{n}",
                    TOOLS[(seed + n) % 4],
                    {"file_path": f"src/{kind}_{seed % 5}.py"},
                    KINDS[kind](seed + n, lines),
                )
                for n in range(parallel)
            )
            self.items.append(Item("assistant", f"Step {seed}.", uses))
            await self.call()

    async def _edit(self, at: int, text: str) -> None:
        at %= len(self.items)
        old = self.items[at]
        self.items[at] = msgspec.structs.replace(old, text=text)
        await self.call()

    async def _rewind(self, at: int) -> None:
        self.items = self.items[: 1 + at % len(self.items)]
        await self.call()

    async def _regenerate(self, new: Item) -> None:
        self.items[-1:] = [new] if len(self.items) > 1 else [self.items[0], new]
        await self.call()

    async def _placeholder(self, at: int) -> None:
        """The client cuts old results down itself."""
        at %= len(self.items)
        old = self.items[at]
        cleared = [use.result and "[Old tool result cleared]" for use in old.uses]
        uses = (msgspec.structs.replace(use, result=text, image=False) for use, text in zip(old.uses, cleared, strict=True))
        self.items[at] = msgspec.structs.replace(old, uses=tuple(uses))
        await self.call()

    async def _client_compact(self, keep: int) -> None:
        summary = (
            "This session is being continued from a previous conversation.\n<summary>" + "It went well. " * 60 + "</summary>"
        )
        self.items = [Item("user", summary), *self.items[len(self.items) - keep :]]
        await self.call()

    async def _tag(self, text: str) -> None:
        """What the client injects next to the newest words is another text now."""
        at = max(place for place, item in enumerate(self.items) if item.role == "user")
        self.items[at] = msgspec.structs.replace(self.items[at], tag=text)
        await self.call()

    async def _model(self) -> None:
        known = MODELS[self.dialect]
        self.model = known[1 - known.index(self.model)]
        await self.call()

    async def _usage(self, factor: float) -> None:
        """The provider answers, and reports what it has counted."""
        view = await self.call()
        if view is None:
            return
        event = self.session.tree.calls[view.call]
        self.reported = round(event.counted * factor) + event.fixed
        await self.session.record(usage(self.reported, self.dialect), view)
        await self.call()

    async def _tool(self) -> None:
        self.tools.append(f"tool_{len(self.tools)}")
        await self.call()

    async def _restart(self) -> None:
        before = await self.call()
        self.session = self._opened()
        after = await self.call()
        if before is not None:
            assert after is not None
            assert (after.raw, after.epoch, after.lane) == (before.raw, before.epoch, before.lane)

    async def _compact(self, target: int | None) -> None:
        if await self.call() is None:
            return
        try:
            view = await self.session.compact(target=target)
        except PumiceError as error:
            self.refuse(error)
            return
        known = self.session.tree.reread
        await self.hold(view, raw(self.body()))
        if target is not None:
            assert view.tokens.total <= target
        again = await self.session.compact(target=target)
        if self.session.tree.reread == known:  # to hold a view reads back: what was read too often stays from now on
            assert (again.raw, again.epoch) == (view.raw, view.epoch)
        await self.call()

    async def _pin(self, text: str) -> None:
        try:
            await self.session.pin(text)
        except PumiceError as error:
            self.failures.append(error)
            return
        self.sources.append(text)
        await self.call()

    async def _go_on_from_view(self) -> None:
        """A client that continues the compiled body."""
        view = await self.call()
        if view is not None:
            again = await self.call(view.raw)
            assert again is not None
            if not view.manifest.repairs:
                # A body from which something was left out at its end is that of a client that went back.
                assert (again.lane, again.epoch) == (view.lane, view.epoch)
            assert promises.keys(again, self.dialect) == promises.keys(view, self.dialect)
