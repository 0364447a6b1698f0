"""Bodies and looks at views for the rows of known failures (coding-agents §5), one session each."""

import json
from collections.abc import Sequence
from typing import Any

from conversations import MODELS, Item, Use, body, raw
from tests_support import World, code

from pumice import wire
from pumice.domain.block import Kind
from pumice.domain.policy import Policy
from pumice.domain.ports import Model
from pumice.engine.call import View

TOOLS = ("Read", "Bash", "Edit", "Write", "Task", "TodoWrite")


class Row:
    """A client of one dialect over a fresh store; it resends everything at every call."""

    def __init__(
        self,
        dialect: str = "anthropic",
        *,
        window: int | None = 12_000,
        policy: str | Policy = "balanced",
        model: str = "",
        answering: Model | None = None,
    ) -> None:
        self.dialect = dialect
        self.world = World()
        self.world.model = answering
        self.session: Any = self.world.engine().session("row", window=window, policy=policy)
        self.model = model or MODELS[dialect][0]
        self.items: list[Item] = []
        self.system = "Be exact."
        self.more: dict[str, Any] = {}
        """Further fields of each body."""
        self.views: list[View] = []

    def user(self, text: str, **more: Any) -> "Row":
        self.items.append(Item("user", text, **more))
        return self

    def says(self, text: str) -> "Row":
        self.items.append(Item("assistant", text))
        return self

    def uses(self, *results: str | None, tool: str = "Read", ids: Sequence[str] = (), **arguments: Any) -> "Row":
        """A batch of parallel calls with their results; None: the call dangles."""
        at = len(self.items)
        made = [
            Use(ids[n] if ids else f"c{at}_{n}", tool, arguments or {"file_path": f"src/p{at}_{n}.py"}, text)
            for n, text in enumerate(results)
        ]
        self.items.append(Item("assistant", f"Step {at}.", tuple(made)))
        return self

    def reads(self, rounds: int, lines: int = 40) -> "Row":
        """A tool loop so far: one file read per round."""
        for _ in range(rounds):
            self.uses(code(f"p{len(self.items)}", lines))
        return self

    def body(self) -> dict[str, Any]:
        return body(self.items, self.dialect, model=self.model, tools=TOOLS, system=self.system) | self.more

    async def call(self, **options: Any) -> View:
        view: View = await self.session.compile(raw(self.body()), dialect=self.dialect, **options)
        self.views.append(view)
        return view

    async def steps(self, rounds: int, lines: int = 40) -> View:
        """Round after round of a tool loop with a call of the model after each; the newest view."""
        for _ in range(rounds):
            view = await self.reads(1, lines).call()
        return view

    @property
    def state(self) -> Any:
        branch = self.session.tree.current["main"].branch
        branch.settle()
        return branch.state


def sent(view: View) -> list[dict[str, Any]]:
    """The messages of a view."""
    return listed(json.loads(view.raw))


def listed(body: dict[str, Any]) -> list[dict[str, Any]]:
    """The messages of a body, whatever they stand under."""
    found: list[dict[str, Any]] = next(body[field] for field in ("messages", "input", "contents") if field in body)
    return found


def blocks(view: View) -> list[dict[str, Any]]:
    """All content blocks of an Anthropic view, strings as texts."""
    contents = [message["content"] for message in sent(view)]
    return [
        block
        for content in contents
        for block in ([{"type": "text", "text": content}] if isinstance(content, str) else content)
    ]


def preface(view: View) -> str:
    """The text of ours that opens an epoch; empty before the first cut."""
    texts = (unit.text for unit in wire.get(wire.detect(view.raw)).units(view.raw))
    return next((text for text in texts if text.startswith("<pumice:note>")), "")


def pairs(view: View, dialect: str) -> tuple[list[str], list[str]]:
    """Ids of calls and of results of a view, in order."""
    reader = wire.get(dialect)
    found = [block for raw in reader.open(view.raw).messages for block in reader.read_message(raw).blocks]
    halves = ([block.call_id for block in found if block.kind is kind] for kind in (Kind.CALL, Kind.RESULT))
    calls, results = halves
    return calls, results
