"""A raw Claude Code log as blocks and calls, read by a second, independent reader for the judge beside it."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import toktok

INJECTED = (
    "<local-command-",
    "<command-name>",
    "<command-message>",
    "<bash-",
    "<system-reminder>",
    "[Request interrupted",
    "Caveat:",
)
REASONING = ("thinking", "redacted_thinking")


@dataclass(frozen=True)
class Block:
    kind: str
    text: str
    key: str
    call_id: str
    tool: str
    group: int
    counted: int
    is_error: bool = False

    def tokens(self, factor: float) -> float:
        return self.counted * factor + 8


@dataclass(frozen=True)
class Call:
    response: str
    upto: int
    """Blocks before the response."""
    group: int
    said: str
    since: int | None
    """First block of what the recorded client still had, None before its first compaction."""
    summary: tuple[Block, ...] = ()


@dataclass(frozen=True)
class Session:
    blocks: list[Block]
    calls: list[Call]


def leaves(value: Any) -> Iterator[str]:
    if isinstance(value, dict | list):
        for child in value.values() if isinstance(value, dict) else value:
            yield from leaves(child)
    elif isinstance(value, str) or (isinstance(value, int | float) and not isinstance(value, bool)):
        yield str(value)


class Reader:
    """Content blocks as judged blocks; `arguments` is leaves (reference entities.md) or json (reference frontier.md)."""

    def __init__(self, arguments: str = "leaves") -> None:
        self.arguments = arguments
        self._counts: dict[str, int] = {}

    def blocks(self, content: Any, role: str, group: int) -> list[Block]:
        listed = [{"type": "text", "text": content}] if isinstance(content, str) else content
        return [self._block(item, role, group) for item in listed if item["type"] != "text" or item["text"].strip()]

    def _block(self, item: dict[str, Any], role: str, group: int) -> Block:
        text = self._text(item)
        if text not in self._counts:
            clean = text.encode("utf-8", "replace").decode()
            self._counts[text] = toktok.batch_count([clean], "o200k_base")[0]
        bare = {key: value for key, value in item.items() if key != "cache_control" and (key, value) != ("is_error", False)}
        return Block(
            kind=item["type"],
            text=text,
            key=role + json.dumps(bare, sort_keys=True),
            call_id=item.get("tool_use_id") or item.get("id") or "",
            tool=item.get("name", ""),
            group=group,
            counted=self._counts[text],
            is_error=bool(item.get("is_error")),
        )

    def _text(self, item: dict[str, Any]) -> str:
        if item["type"] == "text":
            return str(item["text"])
        if item["type"] == "tool_use":
            if self.arguments == "json":
                return json.dumps(item["input"], ensure_ascii=False).replace("\\n", "\n").replace('\\"', '"')
            return "\n".join(leaves(item["input"]))
        if item["type"] == "tool_result":
            content = item.get("content") or ""
            parts = [content] if isinstance(content, str) else [part["text"] for part in content if part["type"] == "text"]
            return "\n".join(parts)
        return ""


def read_log(path: Path, reader: Reader, *, reasoning: bool = True) -> Session:
    """The history of a log's main agent in order, and its calls."""
    log = _Log(reader, reasoning)
    for line in path.read_text("utf-8").split("\n"):
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if not record.get("isSidechain"):
            log.take(record)
    return log.session()


class _Log:
    def __init__(self, reader: Reader, reasoning: bool) -> None:
        self._reader = reader
        self._reasoning = reasoning
        self._groups: list[dict[str, Any]] = []
        self._responses: dict[str, dict[str, Any]] = {}
        self._callers: dict[str, dict[str, Any]] = {}
        self._boundary: tuple[int, tuple[Block, ...]] | None = None
        self._waits = False

    def take(self, record: dict[str, Any]) -> None:
        if record.get("subtype") == "compact_boundary":
            self._boundary, self._waits = (len(self._groups), ()), True
        elif record.get("type") == "assistant" and record["message"].get("model") != "<synthetic>":
            self._respond(record["message"])
        elif record.get("type") == "user":
            self._hear(record)

    def _respond(self, message: dict[str, Any]) -> None:
        content = [
            item for item in message["content"] if self._reasoning or item["type"] not in ("thinking", "redacted_thinking")
        ]
        group = self._responses.get(message["id"])
        if group is None:
            group = {"response": message["id"], "content": [], "results": [], "boundary": self._boundary}
            self._responses[message["id"]] = group
            self._groups.append(group)
            self._waits = False
        group["content"] += content
        self._callers |= {item["id"]: group for item in content if item["type"] == "tool_use"}

    def _hear(self, record: dict[str, Any]) -> None:
        content = record["message"]["content"]
        if record.get("isCompactSummary"):
            assert self._boundary is not None
            self._boundary = (self._boundary[0], tuple(self._reader.blocks(content, "user", -1)))
            return
        listed = [{"type": "text", "text": content}] if isinstance(content, str) else content
        rest = []
        for item in listed:
            caller = self._callers.get(item.get("tool_use_id", "")) if item["type"] == "tool_result" else None
            if caller is None:
                rest.append(item)
            else:
                caller["results"].append(item)
        injected = record.get("isMeta") or all(item.get("text", "").startswith(INJECTED) for item in rest)
        if rest and not (self._waits and injected):
            self._groups.append({"response": None, "content": rest, "results": []})

    def session(self) -> Session:
        blocks: list[Block] = []
        calls: list[Call] = []
        starts: dict[int, int] = {}
        number = 0
        for place, group in enumerate(self._groups):
            starts[place] = len(blocks)
            role = "user" if group["response"] is None else "assistant"
            said = self._reader.blocks(group["content"], role, number)
            if group["response"] and all(block.kind in REASONING for block in said):
                continue
            if group["response"]:
                text = "\n".join(block.text for block in said)
                since, summary = group["boundary"] or (None, ())
                first = None if since is None else starts.get(since, len(blocks))
                calls.append(Call(group["response"], len(blocks), number, text, first, summary))
            blocks += said + self._reader.blocks(group["results"], "user", number)
            number += 1
        return Session(blocks, calls)
