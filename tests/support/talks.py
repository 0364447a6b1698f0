"""A client in a conversation with the provider double, with pumice between the two."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from tests_support import World, code

from pumice import wire
from pumice.domain.block import Kind
from pumice.domain.policy import Policy
from pumice.engine.call import View
from pumice.wire import sse
from pumice.wire.double import Double, Reply, Say

MODELS = {
    "anthropic": "claude-sonnet-4-5",
    "openai-chat": "gpt-4o",
    "openai-responses": "gpt-5",
    "gemini": "gemini-3-pro",
}
MARK = {"cache_control": {"type": "ephemeral"}}


class Talk:
    """Resends everything at every call, answers each tool call, and remembers what the provider said."""

    def __init__(
        self,
        dialect: str,
        script: Sequence[Say],
        *,
        window: int | None,
        model: str = "",
        thinking: Mapping[str, Any] | None = None,
        stream: bool = False,
        marks: bool = False,
        lines: int = 40,
        tools: Sequence[dict[str, Any]] = (),
        policy: str | Policy = "balanced",
    ) -> None:
        self.dialect = dialect
        self.double = Double(script)
        self.world = World()
        self.window = window
        self.lines = lines
        self.marks = marks
        self.policy = policy
        self.model, self.stream = model or MODELS[dialect], stream
        self.head: dict[str, Any] = {"model": self.model, "stream": stream}
        self.messages: list[dict[str, Any]] = []
        if dialect == "anthropic":
            self.head |= {"max_tokens": 2000, "system": "You are careful.", "tools": list(tools) or [_tool("Read")]}
            self.head |= {"thinking": dict(thinking)} if thinking else {}
        elif dialect == "gemini":
            # Model and form stand in the address.
            declared = list(tools) or [{"functionDeclarations": [{"name": "Read"}]}]
            self.head = {"systemInstruction": {"parts": [{"text": "You are careful."}]}, "tools": declared}
        elif dialect == "openai-responses":
            declared = list(tools) or [{"type": "function", "name": "Read", "parameters": {"type": "object"}}]
            self.head |= {"instructions": "You are careful.", "tools": declared, "store": False}
        else:
            self.head |= {
                "tools": list(tools) or [{"type": "function", "function": {"name": "Read"}}],
                "stream_options": {"include_usage": True},
            }
            self.messages = [{"role": "system", "content": "You are careful."}]
        self.views: list[View] = []
        self.statuses: list[int] = []
        self.bodies: list[bytes] = []
        self.reads: list[int] = []
        self.restart()

    def restart(self) -> None:
        """The client's process ends, another goes on with the same store."""
        self.session = self.world.engine().session("talk", window=self.window, policy=self.policy)

    def says(self, words: str) -> "Talk":
        self.messages.append(json.loads(wire.get(self.dialect).user(words)))
        return self

    async def runs(self, rounds: int) -> None:
        """So many calls; every tool call is answered, every answer in words by a person."""
        for _ in range(rounds):
            reply = await self.call()
            if reply.status != 200:
                return

    async def call(self) -> Reply:
        """One call through pumice to the double and back."""
        self.world.now += 1.0
        addressed = self.model if self.dialect == "gemini" else None
        view = await self.session.compile(json.dumps(self.body()).encode(), dialect=self.dialect, model=addressed)
        betas = {value for name, value in view.headers.items() if name == "anthropic-beta"}
        reply = self.double.answer(
            view.raw,
            self.dialect,
            at=self.world.now,
            betas=betas,
            model=addressed or "",
            is_stream=bool(addressed) and self.stream,
        )
        self.views.append(view)
        self.statuses.append(reply.status)
        self.bodies.append(reply.body)
        if reply.status == 200:
            await self._take(reply)
        return reply

    def body(self) -> dict[str, Any]:
        return {**self.head, wire.get(self.dialect).field: _marked(self.messages) if self.marks else self.messages}

    async def _take(self, reply: Reply) -> None:
        reader = wire.get(self.dialect)
        if reply.is_stream:
            async with self.session.recording() as recorder:
                for chunk in reply.chunks(97):
                    recorder.feed(chunk)
            response = sse.read(reply.chunks(97), reader.stream())
        else:
            await self.session.record(reply.body)
            response = reader.read_response(reply.body)
        self.reads.append(response.usage.cache_read if response.usage else 0)
        self.messages += [json.loads(message.raw) for message in response.messages]
        calls = [block for block in response.blocks if block.kind is Kind.CALL]
        self._answer([block.call_id for block in calls])

    def _answer(self, calls: Sequence[str]) -> None:
        if not calls:
            self.says("Good. Go on.")
            return
        texts = [code(f"f{len(self.messages)}_{at}", self.lines) for at in range(len(calls))]
        if self.dialect == "anthropic":
            results = [
                {"type": "tool_result", "tool_use_id": call, "content": text} for call, text in zip(calls, texts, strict=True)
            ]
            self.messages.append({"role": "user", "content": results})
        elif self.dialect == "gemini":
            parts = [
                {"functionResponse": {"id": call, "name": "Read", "response": {"output": text}}}
                for call, text in zip(calls, texts, strict=True)
            ]
            self.messages.append({"role": "user", "parts": parts})
        elif self.dialect == "openai-responses":
            self.messages += [
                {"type": "function_call_output", "call_id": call, "output": text}
                for call, text in zip(calls, texts, strict=True)
            ]
        else:
            self.messages += [
                {"role": "tool", "tool_call_id": call, "content": text} for call, text in zip(calls, texts, strict=True)
            ]

    def interrupt(self) -> "Talk":
        """The user stops the client before the tools of the newest answer have run."""
        self.messages.pop()
        return self

    def refusal(self) -> str:
        """What the provider refused first, for a failing test to say."""
        return next((body.decode()[:300] for status, body in zip(self.statuses, self.bodies, strict=True) if status != 200), "")


def _tool(name: str) -> dict[str, Any]:
    return {"name": name, "description": f"{name} a file.", "input_schema": {"type": "object"}}


def _marked(messages: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """A cache marker on the last block of the newest user message, as clients set it."""
    last = messages[-1]
    content = last["content"]
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    return [*messages[:-1], {**last, "content": [*blocks[:-1], {**blocks[-1], **MARK}]}]
