"""A model that answers from a script: well, badly, late, never, or with an error."""

import asyncio
from collections.abc import Callable
from typing import Any

from pumice.compact.summary import template
from pumice.domain.message import Usage
from pumice.domain.policy import Budget, Policy, Questions, Summarize
from pumice.domain.ports import Answer
from pumice.domain.summary import Ask

SECRET = "ghp_" + "".join(chr(97 + 7 * at % 26) for at in range(36))
"""What no store may hold."""
TELLS = "All of it went as planned."


def good(ask: Ask) -> str:
    """An answer that passes every check."""
    parts = [part for part in template.shipped("pumice").sections if not part.by_code]
    said = {"state": f"- {TELLS} ({ask.sources[-1]})"}
    return "\n".join(f"## {part.title}\n{said.get(part.key, '')}" for part in parts)


class Scripted:
    """What is asked is remembered; `script` names what happens at the first, the second, … question, the last for all others.

    Steps: `good`, `priced` (with usage), `bad`, `empty`, `flawed` (cut off, with usage), `fail`, `quota`, `hang`, or a
    function of the question.
    """

    def __init__(self, *script: Any) -> None:
        self.script = list(script) or ["good"]
        self.asked: list[Ask] = []
        self.gate = asyncio.Event()
        """What hangs goes on and answers well once this is set."""

    async def __call__(self, ask: Ask) -> str | Answer:
        self.asked.append(ask)
        step = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        if callable(step):
            said = step(ask)
            return said if isinstance(said, Answer) else str(said)
        return await getattr(self, f"_{step}")(ask)  # type: ignore[no-any-return]

    async def _good(self, ask: Ask) -> str:
        return good(ask)

    async def _priced(self, ask: Ask) -> Answer:
        return Answer(good(ask), Usage(10_000, 1_000), "claude-haiku-4-5")

    async def _bad(self, ask: Ask) -> str:
        return "It went well, as far as one can tell."

    async def _empty(self, ask: Ask) -> str:
        return " \n"

    async def _flawed(self, ask: Ask) -> Answer:
        return Answer(good(ask), Usage(10_000, 1_000), "claude-haiku-4-5", "The answer was cut off at its cap.")

    async def _fail(self, ask: Ask) -> str:
        raise RuntimeError(f"connection reset by peer, key {SECRET}")

    async def _quota(self, ask: Ask) -> str:
        raise RuntimeError("Error code: 429 - this request would exceed your rate limit")

    async def _hang(self, ask: Ask) -> str:
        await self.gate.wait()
        return good(ask)


def summarising(**parts: Any) -> Policy:
    """A policy that summarises by a model and goes down to a third."""
    found: dict[str, Any] = {
        "budget": Budget(act=0.8, to=0.35),
        "questions": Questions(wait_seconds=0.05),
        "summarize": Summarize(model="scripted", tokens=1500),
        "order": ("summarize",),
    }
    return Policy("summarising", **(found | parts))


async def until(condition: Callable[[], bool]) -> None:
    """Let other tasks run until something holds."""
    for _ in range(500):
        if condition():
            return
        await asyncio.sleep(0.002)
    raise AssertionError("it never came to that")
