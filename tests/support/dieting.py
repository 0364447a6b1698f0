"""A client with many tools, a policy that defers those nobody uses, and what of them is on the wire."""

import json
from collections.abc import Sequence
from typing import Any

import msgspec
from tests_support import World

from pumice.domain.policy import Policy, Tools
from pumice.engine.call import View
from pumice.faces import settings

DEFERRING = Tools(defer_unused_over=500, keep=("Read",))
SEARCH = {"type": "tool_search_tool_bm25_20251119", "name": "tool_search_tool_bm25"}


def policy(tools: Tools | None = DEFERRING, base: str = "balanced") -> Policy:
    """`balanced` with a part for tools."""
    return msgspec.structs.replace(settings.policy(base), tools=tools)


def tool(name: str, **more: Any) -> dict[str, Any]:
    """A definition of some 100 tokens."""
    fields = {f"{name.lower()}_field_{at}": {"type": "string", "description": f"Field {at} of {name}."} for at in range(6)}
    return {"name": name, "description": f"Does {name}.", "input_schema": {"type": "object", "properties": fields}, **more}


def function(name: str) -> dict[str, Any]:
    """The same for Chat."""
    held = tool(name)
    return {"type": "function", "function": {"name": name, "parameters": held["input_schema"]}}


class Client:
    """Resends everything at every call."""

    def __init__(
        self, world: World, names: Sequence[str], *, tools: Tools | None = DEFERRING, model: str = "claude-sonnet-4-5"
    ):
        self.world = world
        self.policy = policy(tools)
        self.model = model
        self.tools = [tool(name) for name in names]
        self.messages: list[dict[str, Any]] = [{"role": "user", "content": "go"}]
        self.more: dict[str, Any] = {}
        self.restart()

    def restart(self) -> None:
        """The process ends, another goes on with the same store."""
        self.session = self.world.engine().session("s", policy=self.policy, window=60_000)

    def body(self) -> dict[str, Any]:
        head = {"model": self.model, "max_tokens": 900, "system": "Be exact.", "tools": self.tools}
        return {**head, **self.more, "messages": self.messages}

    def uses(self, name: str, ident: str, text: str = "ok") -> "Client":
        self.messages += [
            {"role": "assistant", "content": [{"type": "tool_use", "id": ident, "name": name, "input": {"at": ident}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": ident, "content": text}]},
        ]
        return self

    def finds(self, *names: str) -> "Client":
        """The provider's search has found tools, and the model says so."""
        found = [{"type": "tool_reference", "tool_name": name} for name in names]
        content = {"type": "tool_search_tool_search_result", "tool_references": found}
        ident = f"srvtoolu_{len(self.messages)}"
        said = [
            {"type": "server_tool_use", "id": ident, "name": SEARCH["name"], "input": {"query": "x"}},
            {"type": "tool_search_tool_result", "tool_use_id": ident, "content": content},
            {"type": "text", "text": "Found."},
        ]
        self.messages += [{"role": "assistant", "content": said}, {"role": "user", "content": "use it"}]
        return self

    async def call(self) -> View:
        return await self.session.compile(json.dumps(self.body()).encode(), dialect="anthropic")


def sent(view: View) -> list[dict[str, Any]]:
    """The tools of a view."""
    found: list[dict[str, Any]] = json.loads(view.raw)["tools"]
    return found


def deferred(view: View) -> list[str]:
    """Names of those that wait."""
    return [item["name"] for item in sent(view) if item.get("defer_loading")]


def loaded(view: View) -> list[str]:
    """Names of those in the prefix."""
    return [item["name"] for item in sent(view) if not item.get("defer_loading")]


def unmarked(view: View) -> list[dict[str, Any]]:
    """The tools without their cache markers."""
    return [{key: value for key, value in item.items() if key != "cache_control"} for item in sent(view)]
