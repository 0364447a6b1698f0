"""What clients change in a body they send again, though it means the same: forms, key order, markers, ids."""

import copy
import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any

TOOLS: Mapping[str, Callable[[str], Any]] = {
    "anthropic": lambda name: {"name": name, "description": f"Does {name}.", "input_schema": {"type": "object"}},
    "openai-chat": lambda name: {"type": "function", "function": {"name": name, "parameters": {"type": "object"}}},
    "openai-responses": lambda name: {"type": "function", "name": name, "parameters": {"type": "object"}},
    "gemini": lambda name: {"functionDeclarations": [{"name": name, "parameters": {"type": "OBJECT"}}]},
}
_TEXT = {"anthropic": "text", "openai-chat": "text", "openai-responses": "input_text"}
_MAY_GO = {"openai-responses": ("id", "status"), "openai-chat": ("refusal", "annotations")}


def noisy(dialect: str, messages: list[Any], chance: random.Random) -> list[Any]:
    """The same messages as another request of the same client might have them."""
    found = [_shuffled(_respelled(dialect, message, chance), chance) for message in copy.deepcopy(messages)]
    if dialect == "anthropic":
        newest = next(message for message in reversed(found) if message["role"] == "user")
        if isinstance(newest["content"], list):
            newest["content"][-1]["cache_control"] = {"type": "ephemeral"}
    return found


def _respelled(dialect: str, message: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    if chance.random() < 0.5 and message.get("role") == "user" and isinstance(message.get("content"), str):
        message["content"] = [{"type": _TEXT[dialect], "text": message["content"]}]
    for name in _MAY_GO.get(dialect, ()):
        if chance.random() < 0.5:
            message.pop(name, None)
    for part in _parts(message):
        if part.get("type") == "tool_result" and chance.random() < 0.5 and isinstance(part["content"], str):
            part["content"] = [{"type": "text", "text": part["content"]}]
        if "functionCall" in part and chance.random() < 0.5:
            part["functionCall"].pop("id", None)
    return message


def _parts(message: dict[str, Any]) -> Iterator[dict[str, Any]]:
    held = message.get("parts", message.get("content"))
    yield from (part for part in held if isinstance(part, dict)) if isinstance(held, list) else ()


def _shuffled(message: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    pairs = list(message.items())
    chance.shuffle(pairs)
    return dict(pairs)
