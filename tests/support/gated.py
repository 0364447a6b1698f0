"""A client that talks through the engine's gate to a scripted provider, without HTTP between them."""

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from tests_support import code

from pumice.domain.policy import Policy
from pumice.domain.ports import Fault, no_fault
from pumice.engine.context import Ports
from pumice.engine.engine import AsyncEngine
from pumice.faces import settings
from pumice.faces.proxy.desk import Rules
from pumice.faces.proxy.emulate.setting import Emulation
from pumice.faces.proxy.engine_gate import EngineGate
from pumice.faces.proxy.gate import Call, Prepared, Reply
from pumice.faces.proxy.turn import Turn
from pumice.store.home import Store, memory_store
from pumice.store.seal import StoreSealer
from pumice.wire.double import Double

PATHS = {"anthropic": "/v1/messages", "openai-chat": "/v1/chat/completions", "openai-responses": "/v1/responses"}
SEAL_KEY = base64.urlsafe_b64encode(bytes(32)).decode()
"""What items are sealed with where server-side features are emulated."""
GEMINI = "/v1beta/models/gemini-2.5-pro:generateContent"


class FaultAt:
    """Fails at a point of the engine as long as it is set."""

    def __init__(self, point: str = "", error: Exception | None = None) -> None:
        self.point, self.error = point, error or RuntimeError("a fault")

    def __call__(self, name: str) -> None:
        if name == self.point or self.point == "*":
            raise self.error


class Gated:
    """A gate and the provider behind it."""

    def __init__(
        self,
        store: Store | None = None,
        *,
        policy: str | Policy = "balanced",
        window: int | None = 30_000,
        fault: Fault = no_fault,
        upstream: Double | None = None,
        seconds: float = 10.0,
        memory: int = 40_000_000,
        clock: Any = None,
        has_spare: bool = True,
        kind: type[EngineGate] = EngineGate,
        emulation: Emulation | None = None,
    ) -> None:
        self.store = store or memory_store()
        self.upstream = upstream or Double([])
        chosen = settings.policy(policy) if isinstance(policy, str) else policy
        self.now = 0.0
        sealer = StoreSealer(None, SEAL_KEY) if emulation is not None else None
        ports = Ports(clock=clock or (lambda: self.now), fault=fault, sealer=sealer)

        def engine() -> AsyncEngine:
            return AsyncEngine(self.store, ports, settings.policy)

        rules = Rules(chosen, window, memory=memory)

        def spare() -> AsyncEngine:
            return AsyncEngine(memory_store(), Ports(clock=ports.clock), settings.policy)

        kept = spare if has_spare else None
        self.gate = kind(engine, self.store.identity, rules, seconds=seconds, spare=kept, emulation=emulation, sealer=sealer)

    async def prepare(self, body: Any, dialect: str = "anthropic", path: str = "", **headers: str) -> Turn:
        """What the gate sends for a body."""
        raw = body if isinstance(body, bytes) else json.dumps(body, separators=(",", ":"), ensure_ascii=False).encode()
        model = "gemini-2.5-pro" if dialect == "gemini" else ""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        is_stream = json.loads(raw).get("stream") is True
        call = Call(dialect, raw, named, path or PATHS.get(dialect, GEMINI), model, is_stream)
        made = await self.gate.prepare(call)
        assert isinstance(made, Turn)
        return made

    async def send(self, body: Any, dialect: str = "anthropic", **headers: str) -> tuple[Turn, Reply]:
        """A whole call: what was sent and what came back, with the second try where the gate has one (K-P8)."""
        made = await self.prepare(body, dialect, **headers)
        if made.reply is not None:
            return made, made.reply
        reply = self.ask(made)
        if reply.status == 400:
            again = await self.gate.refused(made.call, made, reply)
            if isinstance(again, Turn):
                made, reply = again, self.ask(again)
        if made.call.is_stream and reply.status == 200:
            for at in range(0, len(reply.body), 100):
                self.gate.feed(made, reply.body[at : at + 100])
            await self.gate.answered(made, None)
        else:
            await self.gate.answered(made, reply)
        return made, reply

    def ask(self, made: Prepared) -> Reply:
        assert isinstance(made, Turn)
        betas = [item for item in made.headers.get("anthropic-beta", "").split(",") if item]
        found = self.upstream.answer(
            made.body, made.call.dialect, betas=betas, model=made.call.model, is_stream=made.call.is_stream
        )
        return Reply(found.status, found.body)

    async def close(self) -> None:
        await self.gate.close()


def chat(first: str, model: str = "claude-sonnet-4-5", system: str = "You are careful.", **more: Any) -> dict[str, Any]:
    """A conversation that begins with a user's words."""
    messages = [{"role": "user", "content": first}]
    return {"model": model, "max_tokens": 1000, "system": [{"type": "text", "text": system}], "messages": messages, **more}


def step(
    body: dict[str, Any], name: str, text: str, tool: str = "Read", before: Sequence[Mapping[str, Any]] = ()
) -> dict[str, Any]:
    """The conversation after one more tool call and its result."""
    use = {"type": "tool_use", "id": f"toolu_{name}", "name": tool, "input": {"file_path": f"src/{name}.py"}}
    result = {"type": "tool_result", "tool_use_id": f"toolu_{name}", "content": text}
    fresh = [{"role": "assistant", "content": [*before, use]}, {"role": "user", "content": [result]}]
    return {**body, "messages": [*body["messages"], *fresh]}


def worked(body: dict[str, Any], steps: int, name: str = "m", lines: int = 60) -> list[dict[str, Any]]:
    """The requests of so many steps that read a file each."""
    found = []
    for at in range(steps):
        body = step(body, f"{name}{at}", code(f"{name}{at}", lines))
        found.append(body)
    return found


def bodies_of() -> list[dict[str, Any]]:
    """A conversation that is the same in every process, long enough for several cuts in the usual window."""
    return worked(chat("Fix the parts. Never touch migrations/."), 24)


def sha(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()[:16]
