"""What came of the demonstration, from the store it left behind: the books, and what left the window."""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path

import msgspec

from pumice.domain.account import Account
from pumice.engine.archive import Archive
from pumice.engine.engine import AsyncEngine
from pumice.faces.demo.play import Played, ReadBack
from pumice.faces.library import open_async
from pumice.measure.savings import Savings, add_up


class Offloaded(msgspec.Struct, frozen=True):
    """A block that is not whole in the newest view."""

    block: str
    what: str
    """The tool call whose result it is."""
    outcome: str
    lines: int
    tokens: int
    """In its own form."""
    shown: int
    """Of them in view."""


class Outcome(msgspec.Struct, frozen=True):
    """A session that was played."""

    session: str
    client: str
    model: str
    totals: Savings
    epochs: int
    """Compactions."""
    largest_full: int
    """Tokens of the largest request, as the client made it."""
    largest_sent: int
    offloaded: tuple[Offloaded, ...]
    """Largest first."""
    read_backs: tuple[ReadBack, ...]
    curve: tuple[tuple[int, int], ...]
    """Full and sent tokens of each call."""


async def outcomes(home: Path, played: Sequence[Played]) -> list[Outcome]:
    """One for every session played over the store in a folder."""
    async with open_async(home) as engine:
        rows = await engine.accounts()
        return [await _outcome(engine, one, [row for row in rows if row.key.session == one.session]) for one in played]


async def _outcome(engine: AsyncEngine, played: Played, rows: Sequence[Account]) -> Outcome:
    return Outcome(
        session=played.session,
        client=played.kind,
        model=played.model,
        totals=add_up(rows),
        epochs=max((row.epoch for row in rows), default=0),
        largest_full=max((row.full or 0 for row in rows), default=0),
        largest_sent=max((row.sent or 0 for row in rows), default=0),
        offloaded=tuple(await _offloaded(engine, rows)),
        read_backs=played.read_backs,
        curve=tuple(zip(_full(rows), (row.sent or 0 for row in rows), strict=True)),
    )


def _full(rows: Sequence[Account]) -> Iterator[int]:
    """The client's own requests; a call that only reads back has none of its own, so the one before stands."""
    return accumulate((row.full or 0 for row in rows), lambda before, now: now or before)


async def _offloaded(engine: AsyncEngine, rows: Sequence[Account]) -> list[Offloaded]:
    key = rows[-1].key
    levels = {"tenant": key.tenant, "project": key.project, "user": key.user}
    scope = "/".join(f"{level}:{name}" for level, name in levels.items() if name)
    session = engine.session(key.session, scope=scope, policy="balanced")
    manifest = await Archive(session).manifest()
    branch = session.tree.lanes[manifest.lane].branch
    found = [
        Offloaded(
            block=row.id,
            what=f"{use.tool} {use.target}" if (use := branch.uses.get(row.id)) is not None else row.source,
            outcome=row.outcome,
            lines=branch.block(row.id).text.count("\n") + 1,
            tokens=branch.sizes[row.id].tokens(manifest.factor),
            shown=row.tokens,
        )
        for row in manifest.rows
        if row.outcome in ("excerpt", "fold") and branch.has(row.id)
    ]
    return sorted(found, key=lambda one: -one.tokens)
