"""A long session in which something is said or done once, early: work goes on until it has left every window."""

from collections.abc import Sequence
from typing import Any

from tests_support import Agent, World, code

from pumice.domain.policy import Policy
from pumice.engine.call import View
from pumice.faces import settings

POLICIES = ("balanced", "coding", "research", "support")
WINDOW = 10_000
TURNS = 22


class Work:
    """A client that works on, turn by turn; each turn a person says something, then some steps follow."""

    def __init__(self, world: World, policy: str | Policy, *, window: int = WINDOW) -> None:
        chosen = settings.policy(policy) if isinstance(policy, str) else policy
        self.agent: Agent = world.agent(policy=chosen, window=window)
        self.views: list[View] = []
        self.texts: list[str] = []
        """What the model could read at each call."""
        self.turns = 0

    async def turn(self, words: str = "", *, steps: Sequence[tuple[str, dict[str, Any], str]] = (), size: int = 22) -> View:
        """A person's words, some steps of the test's, and two that only take room."""
        self.turns += 1
        self.agent.says(words or f"Please go on with part {self.turns} of the work as we said.")
        for at, (tool, arguments, result) in enumerate(steps):
            self.agent.runs(f"t{self.turns}x{at}", result, tool=tool, **arguments)
            await self.call()
        for at in range(2):
            name = f"mod{self.turns}_{at}"
            self.agent.runs(f"t{self.turns}r{at}", code(name, size), tool="Read", file_path=f"src/{name}.py")
            await self.call()
        self.agent.answers(f"Part {self.turns} is read.")
        return self.views[-1]

    async def until(self, turn: int) -> View:
        """Turns without news, up to a number."""
        while self.turns < turn:
            await self.turn()
        return self.views[-1]

    async def call(self) -> View:
        view: View = await self.agent.call()
        assert view.tokens.total <= view.usable.tokens
        self.views.append(view)
        self.texts.append(self.shown())
        return view

    @property
    def cuts(self) -> int:
        """How often the view has been compacted."""
        return self.views[-1].epoch

    def shown(self) -> str:
        """Everything the model can read now."""
        lane = self.agent.session.tree.current["main"]
        return lane.shown.text()

    def gone(self, text: str) -> bool:
        """Whether the message that holds a text no longer stands at its own place."""
        lane = self.agent.session.tree.current["main"]
        blocks = [block for group in lane.branch.groups for block in group.blocks if text in block.text]
        return bool(blocks) and not any(lane.shown.stands(block.id) for block in blocks)
