"""What a scripted session is made of: a person's words, an agent's steps, an agent's answers."""

import re
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Call:
    """A tool call of the agent; `fails` says that an error is part of the story."""

    tool: str
    input: dict[str, Any]
    fails: bool = False


@dataclass(frozen=True)
class User:
    text: str


@dataclass(frozen=True)
class Step:
    """One assistant message with its tool calls, parallel when there are several."""

    text: str
    calls: tuple[Call, ...]


@dataclass(frozen=True)
class Answer:
    """An assistant message that ends the turn."""

    text: str


Story = Generator[User | Step | Answer, list[str], None]
"""Receives the results of each step, so that later words can quote what was really printed."""


def step(text: str, *calls: Call) -> Step:
    return Step(text, calls)


def bash(command: str, description: str, *, fails: bool = False) -> Call:
    return Call("Bash", {"command": command, "description": description}, fails)


def read(path: str, offset: int | None = None, limit: int | None = None) -> Call:
    window = {"offset": offset, "limit": limit}
    return Call("Read", {"file_path": path} | {name: value for name, value in window.items() if value is not None})


def edit(path: str, old: str, new: str, *, fails: bool = False) -> Call:
    return Call("Edit", {"file_path": path, "old_string": old, "new_string": new}, fails)


def write(path: str, content: str) -> Call:
    return Call("Write", {"file_path": path, "content": content})


def grep(pattern: str, path: str = ".") -> Call:
    return Call("Grep", {"pattern": pattern, "path": path})


def glob(pattern: str) -> Call:
    return Call("Glob", {"pattern": pattern})


def found(pattern: str, text: str, group: int = 1) -> str:
    """What a pattern finds in a real output; a story whose facts are missing stops."""
    hit = re.search(pattern, text, re.MULTILINE)
    if hit is None:
        raise SystemExit(f"{pattern!r} is not in:\n{text}")
    return hit[group]
