"""Run the agent: `python examples/agent/main.py`, with a scripted model, or `--model NAME@URL` with a real one."""

import argparse
import json
import os
import tempfile
import urllib.request
from pathlib import Path
from typing import Any

from agent import Model, Turn, run
from project import build
from rich.console import Console
from rich.live import Live
from rich.table import Table
from sandbox import Sandbox
from script import TASK, steps

from pumice import Engine
from pumice.wire.double import Double, Say

NAME = "gpt-5.1"
"""The model the script plays: its window and prices hold."""


def scripted() -> Model:
    """The script over a provider that refuses whatever the real one refuses, with its prompt cache simulated."""
    double, waiting = Double([]), iter(steps())

    def answer(body: dict[str, Any]) -> dict[str, Any]:
        step = next(waiting, Say("Done."))
        double.then(step(_text(body)) if callable(step) else step)
        reply = double.answer(json.dumps(body).encode(), "openai-chat")
        if reply.status != 200:
            raise RuntimeError(f"refused: {reply.body.decode()}")
        found: dict[str, Any] = json.loads(reply.body)
        return found

    return answer


def endpoint(url: str) -> Model:
    """A real server that speaks Chat Completions; its key is $OPENAI_API_KEY, where it wants one."""

    def answer(body: dict[str, Any]) -> dict[str, Any]:
        headers = {"content-type": "application/json", "authorization": f"Bearer {os.environ.get('OPENAI_API_KEY', '')}"}
        request = urllib.request.Request(f"{url.rstrip('/')}/chat/completions", json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request, timeout=300) as response:
            found: dict[str, Any] = json.load(response)
        return found

    return answer


def _text(body: dict[str, Any]) -> str:
    return "\n".join(message["content"] for message in body["messages"] if isinstance(message.get("content"), str))


def work(policy: str, window: int, model: Model, name: str, live: Live | None = None) -> list[Turn]:
    """The whole task in a fresh folder under one policy."""
    turns: list[Turn] = []
    with tempfile.TemporaryDirectory() as folder, Engine.open(":memory:") as engine:
        build(Path(folder))
        session = engine.session("agent", policy=policy, window=window)
        for turn in run(TASK, session, Sandbox(Path(folder)), model, name=name):
            turns.append(turn)
            if live is not None:
                live.update(_table(policy, turns[-12:]))
    return turns


def _table(policy: str, turns: list[Turn]) -> Table:
    table = Table("call", "tool", "whole history", "sent", "from cache", "epoch", title=f"policy {policy}")
    for turn in turns:
        cached = turn.usage.get("prompt_tokens_details", {}).get("cached_tokens", 0)
        epoch = f"{turn.epoch} {turn.cause}" if turn.epoch else ""
        table.add_row(str(turn.number), turn.tool or "(answer)", f"{turn.full:,}", f"{turn.sent:,}", f"{cached:,}", epoch)
    return table


def totals(turns: list[Turn]) -> dict[str, int]:
    """What a run came to: tokens sent, the largest view, tokens the cache served, epochs."""
    cached = sum(turn.usage.get("prompt_tokens_details", {}).get("cached_tokens", 0) for turn in turns)
    return {
        "calls": len(turns),
        "input": sum(turn.usage["prompt_tokens"] for turn in turns),
        "largest": max(turn.sent for turn in turns),
        "cached": cached,
        "epochs": max(turn.epoch for turn in turns),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--policy", action="append", help="policies to compare (none and balanced without it)")
    parser.add_argument("--window", type=int, default=12_000, help="tokens of the model's window")
    parser.add_argument("--model", help="NAME@URL of a server that speaks Chat Completions; a scripted model without it")
    given = parser.parse_args()
    console = Console()
    summary = Table("policy", "calls", "input tokens", "largest view", "from cache", "epochs", title="in all")
    for policy in given.policy or ["none", "balanced"]:
        name, _, url = (given.model or NAME).partition("@")
        with Live(console=console, refresh_per_second=4) as live:
            turns = work(policy, given.window, endpoint(url) if url else scripted(), name, live)
        summary.add_row(policy, *(f"{value:,}" for value in totals(turns).values()))
    console.print(summary)


if __name__ == "__main__":
    main()
