"""An agent at work whose views hold notes of ours, and what of them is on the wire."""

import itertools
import json
from collections.abc import Sequence
from typing import Any

from promises import is_counted
from tests_support import World

from pumice import wire
from pumice.domain.policy import Policy
from pumice.engine.call import View
from pumice.wire import rules

GOAL = "Make the parser of src/app.py accept empty files."
TAKES, TAKES_NOT = ("anthropic", "claude-opus-4-8"), ("anthropic", "claude-sonnet-4-5")
CHAT, OTHER = ("openai-chat", "gpt-4o"), ("openai-chat", "some-local-model")


class Client:
    """An agent at work: every step is a call with its result, in either dialect."""

    def __init__(self, dialect: str, model: str, chosen: Policy, window: int = 30_000) -> None:
        self.world, self.dialect, self.model, self.window = World(), dialect, model, window
        self.policy = chosen
        self.system = "Be exact."
        self.messages: list[dict[str, Any]] = [{"role": "user", "content": GOAL}]
        self.views: list[View] = []
        self.restart()

    def restart(self) -> None:
        """The process ends, another goes on with the same store."""
        self.session = self.world.engine().session("s", policy=self.policy, window=self.window)

    def step(self, text: str = "ok") -> "Client":
        name = f"c{len(self.messages)}"
        if self.dialect == "anthropic":
            call = {"type": "tool_use", "id": name, "name": "Bash", "input": {"command": f"make {name}"}}
            result = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": name, "content": text}]}
            self.messages += [{"role": "assistant", "content": [call]}, result]
        else:
            call = {
                "id": name,
                "type": "function",
                "function": {"name": "Bash", "arguments": json.dumps({"command": f"make {name}"})},
            }
            self.messages += [{"role": "assistant", "content": None, "tool_calls": [call]}]
            self.messages += [{"role": "tool", "tool_call_id": name, "content": text}]
        return self

    def turn(self, said: str = "Done.", words: str = "Go on.") -> "Client":
        self.messages += [{"role": "assistant", "content": said}, {"role": "user", "content": words}]
        return self

    def body(self) -> dict[str, Any]:
        tools = [{"name": "Bash", "input_schema": {"type": "object"}}]
        if self.dialect == "anthropic":
            return {"model": self.model, "max_tokens": 900, "system": self.system, "tools": tools, "messages": self.messages}
        functions = [{"type": "function", "function": {"name": "Bash"}}]
        lead = [{"role": "system", "content": self.system}]
        return {"model": self.model, "tools": functions, "messages": [*lead, *self.messages]}

    async def call(self) -> View:
        """One call, valid and rightly counted."""
        view = await self.session.compile(json.dumps(self.body(), separators=(",", ":")).encode(), dialect=self.dialect)
        assert rules.check(view.raw, self.dialect) == ()
        is_counted(view, self.dialect, self.model)
        self.views.append(view)
        return view

    async def works(self, steps: int) -> View:
        for _ in range(steps):
            await self.step().call()
        return self.views[-1]


def notes(view: View, name: str = "reminder") -> list[tuple[int, str, str]]:
    """Place, speaker and text of every note of a kind."""
    found = []
    for at, message in enumerate(json.loads(view.raw)["messages"]):
        content = message["content"]
        text = content if isinstance(content, str) else "".join(part.get("text", "") for part in content or [])
        if text.startswith(f"<pumice:{name}>"):
            found.append((at, message["role"], text))
    return found


def extend_each_other(views: Sequence[View], dialect: str) -> None:
    """Within a lane and epoch each view is a prefix of the next."""
    for before, after in itertools.pairwise(views):
        old, new = ([unit.key for unit in wire.get(dialect).units(view.raw)] for view in (before, after))
        if (before.lane, before.epoch) == (after.lane, after.epoch):
            assert new[: len(old)] == old
