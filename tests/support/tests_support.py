"""What several groups of tests use: a small agent and the stores it talks to."""

import json
from typing import Any

from pumice.domain.policy import Policy
from pumice.domain.ports import Model
from pumice.engine.context import Ports
from pumice.engine.engine import AsyncEngine
from pumice.engine.session import Session
from pumice.faces import settings
from pumice.store.home import memory_store


class Agent:
    """A client in Anthropic form: it resends everything at every call."""

    def __init__(self, session: Session, model: str = "claude-sonnet-4-5") -> None:
        self.session = session
        self.model = model
        self.messages: list[dict[str, Any]] = []
        self.system: list[dict[str, Any]] = [{"type": "text", "text": "You are careful."}]
        self.calls = 0

    def body(self) -> dict[str, Any]:
        return {"model": self.model, "max_tokens": 1000, "system": self.system, "messages": list(self.messages)}

    def says(self, text: str) -> "Agent":
        self.messages.append({"role": "user", "content": text})
        return self

    def answers(self, text: str) -> "Agent":
        self.messages.append({"role": "assistant", "content": [{"type": "text", "text": text}]})
        return self

    def runs(self, name: str, text: str, /, tool: str = "Bash", **arguments: Any) -> "Agent":
        call = {"type": "tool_use", "id": name, "name": tool, "input": arguments or {"command": f"run {name}"}}
        self.messages.append({"role": "assistant", "content": [call]})
        self.messages.append({"role": "user", "content": [{"type": "tool_result", "tool_use_id": name, "content": text}]})
        return self

    async def call(self, **options: Any) -> Any:
        self.calls += 1
        return await self.session.compile(self.body(), dialect="anthropic", **options)


class World:
    """One store and the engines over it."""

    def __init__(self) -> None:
        self.now = 0.0
        self.store = memory_store()
        self.model: Model | None = None

    def engine(self) -> AsyncEngine:
        return AsyncEngine(self.store, Ports(clock=lambda: self.now, model=self.model), settings.policy)

    def agent(
        self, name: str = "s", *, policy: str | Policy = "balanced", window: int | None = 30_000, **options: Any
    ) -> Agent:
        return Agent(self.engine().session(name, policy=policy, window=window), **options)


def words(body: Any) -> str:
    """All text of a body, as the model would read it."""
    return json.dumps(body, ensure_ascii=False)


def code(name: str, lines: int) -> str:
    """A file of a project, every line its own."""
    return "\n".join(f"{at}→def {name}_{at}(value_{at}): return {name}Config.field_{at}" for at in range(1, lines + 1))
