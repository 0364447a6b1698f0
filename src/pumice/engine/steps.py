"""The steps of a session: one at a time, each on the tree as the store has it, each committed or as if it had not begun."""

import asyncio
from collections.abc import Callable
from typing import Any

from pumice.domain import pointer as pointers
from pumice.domain.block import Block
from pumice.engine import journal
from pumice.engine import resident as residents
from pumice.engine.context import Context
from pumice.engine.journal import Entry
from pumice.engine.outbox import Outbox
from pumice.engine.tree import Tree
from pumice.errors import Conflict

RETRIES = 10
"""Attempts at a step when another process keeps moving the same branch."""


class Steps:
    """The tree of one conversation and the only way it moves."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.tree = Tree(context.policy.effects)
        self.outbox = Outbox(context)
        self._lock = asyncio.Lock()
        self._is_stale = True

    @property
    def id(self) -> str:
        return self.context.key.session

    def renew(self, context: Context) -> None:
        """Go on with what the session was asked for again with; what tools do is told anew where the policy says it."""
        self._is_stale = self._is_stale or context.policy.effects != self.context.policy.effects
        self.context = context

    async def catch_up(self) -> bool:
        """See what other processes have written since; whether a call or a response was among it."""
        async with self._lock:
            fresh = await self.context.store.ledger.load(self.context.key, after=self.outbox.seq)
            self._is_stale = self._is_stale or bool(fresh)
        return any(event.kind in journal.STEPS for event in fresh)

    def write(self, entry: Entry) -> None:
        """Move the tree by an entry and put it into the outbox."""
        if not isinstance(entry.header, journal.MessageEvent):
            self.tree.apply(entry)
        self.outbox.put(entry)

    def blocks(self) -> dict[str, Block]:
        """Every block of the session by id, branches in the order they opened."""
        return {block.id: block for branch in self.tree.branches.values() for node in branch.nodes for block in node.blocks}

    async def loaded(self) -> Tree:
        """The session's tree as the store has it."""
        await self._attempt(self._nothing)
        return self.tree

    async def _nothing(self) -> None:
        return

    async def _attempt(self, step: Callable[[], Any]) -> Any:
        """Run a step alone, on a fresh tree when the last one failed; again when another process was first."""
        async with self._lock:
            for left in reversed(range(RETRIES)):
                if self._is_stale:
                    await self._reload()
                self._is_stale = True
                try:
                    result = await step()
                except Conflict:
                    if not left:
                        raise
                    continue
                self._is_stale = False
                return result
        raise AssertionError("unreachable")

    async def _reload(self) -> None:
        self.tree = Tree(self.context.policy.effects)
        self.tree.load(await self.outbox.load())
        await self.outbox.heal(self._kept())

    def _kept(self) -> dict[str, str]:
        """What must be among the artifacts, by name: what was excerpted on arrival, and what has an address."""
        branches = self.tree.branches.values()
        first = {name: branch.block(name) for branch in branches for name in branch.forms if branch.has(name)}
        blocks = self.blocks() if self.tree.addresses else {}
        named = ((pointers.parse(address), name) for address, name in self.tree.addresses.items())
        held = first | {pointers.kept_as(found): blocks[name] for found, name in named if name in blocks}
        return {name: block.text for name, block in held.items()} | residents.texts(self.tree)
