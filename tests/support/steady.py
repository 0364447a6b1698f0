"""A conversation that is the same in every process: what a session sends can be compared byte for byte."""

import asyncio
import hashlib
from pathlib import Path
from typing import Any

from tests_support import Agent, code

from pumice.domain.ports import Fault, no_fault
from pumice.engine.context import Ports
from pumice.engine.engine import AsyncEngine
from pumice.faces import settings
from pumice.store.home import Store, memory_store, open_store

ROUNDS = 14
NAME = "steady"


def sha(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()


def opened(store: Store, fault: Fault = no_fault, window: int = 9000) -> Agent:
    """An agent on a store; its clock stands still, so that only what is sent can differ."""
    engine = AsyncEngine(store, Ports(clock=lambda: 1000.0, fault=fault), settings.policy)
    return Agent(engine.session(NAME, window=window))


def until(agent: Agent, rounds: int) -> Agent:
    """The agent's client has seen so many rounds: reads, a big log, a rule, parallel calls."""
    agent.messages = []
    agent.says("Fix the parts. Never touch migrations/. Order A-17.")
    for at in range(rounds):
        if at % 5 == 4:
            agent.runs(f"c{at}", "\n".join(f"[{line}] built unit {line * 7}" for line in range(500)), command=f"make part{at}")
        else:
            agent.runs(f"c{at}", code(f"part{at}", 40), tool="Read", file_path=f"src/part{at}.py")
    return agent


async def reference() -> list[str]:
    """What an undisturbed session sends, call by call."""
    agent = opened(memory_store())
    return [sha((await until(agent, at).call()).raw) for at in range(1, ROUNDS + 1)]


async def talk(home: Path, fault: Fault, say: Any, *, store_fault: Fault = no_fault) -> None:
    """Call after call on a real store, saying each view's hash once it is handed out."""
    store = open_store(home, fault=store_fault)
    agent = opened(store, fault)
    for at in range(1, ROUNDS + 1):
        say(f"{at} {sha((await until(agent, at).call()).raw)}")
    await store.close()


def run(home: Path, fault: Fault, say: Any, **options: Any) -> None:
    asyncio.run(talk(home, fault, say, **options))
