"""The accounts of a session: a row per model call, and whether pumice still pays."""

from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from pumice.compile.assemble import total
from pumice.domain.account import Account, Facts
from pumice.domain.block import Block, Kind, Role
from pumice.domain.event import SessionKey
from pumice.domain.message import Usage
from pumice.domain.ports import Accounts
from pumice.engine.call import View
from pumice.engine.lane import Lane
from pumice.measure import worth
from pumice.measure.accounts import account

if TYPE_CHECKING:
    from pumice.engine.session import Session

KEPT = 200
"""Newest rows of an agent that stay in memory: several epochs of any length that occurs."""


class Books:
    """Rows are entered in the order calls are answered; a restarted process goes on from those in the store."""

    def __init__(self, accounts: Accounts, key: SessionKey) -> None:
        self._accounts = accounts
        self._key = key
        self._rows: dict[str, list[Account]] = {}
        self._asked_usd = 0.0
        self._is_loaded = False

    async def enter(self, facts: Facts) -> Account:
        """Put a call on the books. Raises StoreError."""
        await self._load()
        rows = self._rows.setdefault(facts.agent, [])
        before = next((row for row in reversed(rows) if row.full), None)
        row = account(facts, before, asked_usd=max(0.0, facts.asked_total_usd - self._asked_usd))
        await self._accounts.add(row)
        self._take(row)
        return row

    async def costs_more(self, agent: str = "main", *, usable: int | None = None) -> bool:
        """Whether an agent is better off with the client's own requests; see `measure.worth`. Raises StoreError."""
        await self._load()
        return worth.costs_more(self._rows.get(agent, ()), usable=usable)

    async def _load(self) -> None:
        if self._is_loaded:
            return
        found = await self._accounts.of_session(self._key)
        if not self._is_loaded:  # another call may have been first
            self._is_loaded = True
            for row in found:
                self._take(row)

    def _take(self, row: Account) -> None:
        self._asked_usd += row.asked_usd
        rows = self._rows.setdefault(row.agent, [])
        rows.append(row)
        del rows[:-KEPT]


def facts(session: "Session", view: View, *, stage: str, usage: Usage | None, at: float) -> Facts:
    """What the engine knows of a compiled call; `msgspec.structs.replace` adds what only the caller does."""
    event = session.tree.calls[view.call]
    lane = session.tree.lanes[view.lane]
    brought = _brought(lane, event.nodes)
    sizes = [lane.branch.sizes[block.id].tokens(lane.calibration.factor) for block in brought.back]
    return Facts(
        key=session.context.key,
        at=at,
        model=lane.model,
        dialect=lane.dialect.name,
        stage=stage,
        policy=event.policy,
        agent=lane.agent,
        lane=view.lane,
        epoch=view.epoch,
        full=0 if brought.is_all else view.full - _read_back(lane),
        sent=event.tokens,
        predicted_read=event.predicted_read,
        usage=usage,
        read_backs=len(brought.back),
        read_back_tokens=sum(sizes),
        asked_total_usd=session.tree.spent.asked_usd,
    )


class _Brought(NamedTuple):
    back: list[Block]
    """New results that fetched what had left the window."""
    is_all: bool
    """Nothing else is new: without pumice the call would not have been made."""


def _brought(lane: Lane, nodes: int) -> _Brought:
    """What of the newest messages, since the model's last answer, was read back."""
    newest = takewhile(lambda node: node.role != Role.ASSISTANT, reversed(lane.branch.nodes[:nodes]))
    blocks = [block for node in newest for block in node.blocks]
    back = [block for block in blocks if block.kind is Kind.RESULT and _is_back(lane, block)]
    return _Brought(back, bool(back) and len(back) == len(blocks))


def _read_back(lane: Lane) -> int:
    """Tokens of everything that was ever read back: without pumice it would not stand in the client's history again."""
    branch = lane.branch
    found = (branch.sizes[name] for name, use in branch.uses.items() if use.reads_back and name in branch.sizes)
    return total(found).tokens(lane.calibration.factor)


def _is_back(lane: Lane, block: Block) -> bool:
    use = lane.branch.uses.get(block.id)
    return use is not None and bool(use.reads_back)


def observed(found: Facts) -> Facts:
    """The same call where the client's own request went upstream and the compiled one only stands on record."""
    return msgspec.structs.replace(
        found, sent=found.full, predicted_read=0, is_own=True, observed=found.sent, observed_read=found.predicted_read
    )
