"""Small logs made by hand, record by record."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pumice.recordings import Recording
from pumice.recordings.files import parse


class ClaudeLog:
    """A Claude Code log under construction; each record hangs under the one before unless told otherwise."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._newest: str | None = None

    def raw(self, line: str) -> "ClaudeLog":
        self.lines.append(line)
        return self

    def record(self, kind: str, name: str, *, parent: str | None = "newest", **members: Any) -> "ClaudeLog":
        at = f"2026-01-02T03:04:{len(self.lines):02d}.000Z"
        chain = {"parentUuid": self._newest if parent == "newest" else parent, "isSidechain": False}
        record = {**chain, "sessionId": "s-1", "cwd": "/src", "version": "2.1", "type": kind, "uuid": name, "timestamp": at}
        self.lines.append(json.dumps({**record, **members}, ensure_ascii=False))
        self._newest = name
        return self

    def user(self, name: str, content: Any, **members: Any) -> "ClaudeLog":
        return self.record("user", name, message={"role": "user", "content": content}, **members)

    def says(self, name: str, response: str, *blocks: Any, tokens: int = 100, **members: Any) -> "ClaudeLog":
        message = {"model": "claude-opus-4-5", "id": response, "type": "message", "role": "assistant", "content": list(blocks)}
        usage = {"input_tokens": 3, "cache_read_input_tokens": 500, "cache_creation_input_tokens": tokens, "output_tokens": 7}
        return self.record("assistant", name, message={**message, "stop_reason": None, "usage": usage}, **members)

    def result(self, name: str, call: str, text: Any, **members: Any) -> "ClaudeLog":
        block = {"tool_use_id": call, "type": "tool_result", "content": text}
        return self.user(name, [block], toolUseResult={"stdout": text}, **members)

    @property
    def data(self) -> bytes:
        return "\n".join(self.lines).encode()

    def read(self) -> list[Recording]:
        return parse(self.data, "session.jsonl")


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def call(name: str, tool: str = "Bash", **arguments: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": name, "name": tool, "input": arguments}


@pytest.fixture
def claude() -> type[ClaudeLog]:
    return ClaudeLog


@pytest.fixture
def block() -> Callable[..., dict[str, Any]]:
    """`block(words)` is a text, `block(call=…)` a tool call."""
    return lambda words="", **given: call(given.pop("call"), **given) if "call" in given else text(words)


@pytest.fixture
def shown() -> Callable[[Any], list[str]]:
    """Messages as short words: `user: hello`, `assistant: [c1]`, `user: c1=out`."""
    return lambda messages: [_short(json.loads(message)) for message in messages]


def _short(message: dict[str, Any]) -> str:
    content = message["content"]
    parts = [content] if isinstance(content, str) else [_word(part) for part in content]
    return f"{message['role']}: {' '.join(parts)}"


def _word(part: dict[str, Any]) -> str:
    if part["type"] == "tool_use":
        return f"[{part['id']}]"
    if part["type"] == "tool_result":
        return f"{part['tool_use_id']}={part['content'] if isinstance(part['content'], str) else len(part['content'])}"
    return str(part.get("text", part["type"]))


@pytest.fixture
def fixtures() -> Path:
    return Path(__file__).parent / "fixtures"
