"""A minimal agent on pumice: one loop, tools on a sandbox folder, any model that speaks Chat Completions."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from sandbox import Sandbox

from pumice import Session

SYSTEM = "You are a careful programmer. Use the tools; answer in words only when the task is done."
Model = Callable[[dict[str, Any]], dict[str, Any]]
"""A request in, the provider's answer out; raises what the provider refuses."""


class Turn(msgspec.Struct, frozen=True):
    """What one model call took."""

    number: int
    tool: str
    """The tool it called; empty for the last answer."""
    full: int
    """Tokens the whole history would have taken."""
    sent: int
    """Tokens of the view."""
    epoch: int
    cause: str
    usage: dict[str, Any]


def run(task: str, session: Session, sandbox: Sandbox, model: Model, *, name: str, limit: int = 60) -> Iterator[Turn]:
    """Work on a task until the model answers in words, at most `limit` calls; the history itself is never shortened."""
    own = {tool.name: tool for tool in session.tools()}
    tools = [*sandbox.definitions(), *(tool.definition("openai-chat") for tool in own.values())]
    messages: list[dict[str, Any]] = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": task}]
    for number in range(1, limit + 1):
        view = session.compile({"model": name, "messages": messages, "tools": tools}, dialect="openai-chat")
        answer = model(view.body)
        session.record(answer)
        message = answer["choices"][0]["message"]
        messages.append(message)
        calls = message.get("tool_calls") or []
        full = sum(len(json.dumps(one, ensure_ascii=False)) for one in (*tools, *messages)) // 4
        tool = calls[0]["function"]["name"] if calls else ""
        yield Turn(number, tool, full, view.tokens.total, view.epoch, str(view.manifest.cause), answer["usage"])
        if not calls:
            return
        for call in calls:
            function = call["function"]
            arguments = function["arguments"]
            ours = own.get(function["name"])
            text = ours(json.loads(arguments)) if ours else sandbox.call(function["name"], arguments)
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": text})
