"""A store that keeps nothing on disk: for replays, tests and sessions nobody wants kept."""

import hashlib
from collections.abc import Sequence

import msgspec

from pumice.domain.account import Account
from pumice.domain.event import Event, SessionInfo, SessionKey
from pumice.domain.ports import Found, Passage
from pumice.measure.phrases import Corpus, Line, best, is_in, spelled
from pumice.store.promises import check_name, check_tip, check_unused, not_kept


class MemoryLedger:
    """Events in this process only; see the `Ledger` protocol."""

    def __init__(self) -> None:
        self._events: dict[SessionKey, list[Event]] = {}
        self._tips: dict[SessionKey, dict[str, int]] = {}

    async def load(self, key: SessionKey, after: int = 0) -> list[Event]:
        return self._events.get(key, [])[max(after, 0) :]

    async def append(self, key: SessionKey, events: Sequence[Event], *, tips: dict[str, int]) -> int:
        stand = self._tips.get(key, {})
        for branch, seen in tips.items():
            check_tip(key, branch, seen, stand.get(branch, 0))
        if not events:
            return len(self._events.get(key, []))
        kept = self._events.setdefault(key, [])
        kept += [msgspec.structs.replace(event, seq=seq) for seq, event in enumerate(events, len(kept) + 1)]
        self._tips.setdefault(key, {}).update((event.branch, event.seq) for event in kept[-len(events) :])
        return len(kept)

    async def sessions(self, tenant: str) -> list[SessionInfo]:
        found = [_info(key, events) for key, events in self._events.items() if key.tenant == tenant]
        return sorted(found, key=lambda info: (-info.last_at, info.key.session, info.key.project, info.key.user))

    async def forget(self, key: SessionKey) -> int:
        self._tips.pop(key, None)
        return len(self._events.pop(key, []))

    async def close(self) -> None:
        """Nothing is held open."""


class MemoryArtifacts:
    """Bytes in this process only; see the `Artifacts` protocol."""

    def __init__(self) -> None:
        self._kept: dict[SessionKey, dict[str, tuple[str, bytes]]] = {}

    async def put(self, key: SessionKey, name: str, data: bytes) -> str:
        check_name(name)
        digest = hashlib.sha256(data).hexdigest()
        kept = self._kept.get(key, {}).get(name)
        check_unused(key, name, kept and kept[0], digest)
        self._kept.setdefault(key, {})[name] = digest, data
        return digest

    async def get(self, key: SessionKey, name: str) -> bytes:
        check_name(name)
        kept = self._kept.get(key, {}).get(name)
        if kept is None:
            raise not_kept(key, name)
        return kept[1]

    async def names(self, key: SessionKey) -> list[str]:
        return sorted(self._kept.get(key, {}))

    async def forget(self, key: SessionKey) -> int:
        return len(self._kept.pop(key, {}))


class MemoryAccounts:
    """Rows in this process only; see the `Accounts` protocol."""

    def __init__(self) -> None:
        self._rows: list[Account] = []

    async def add(self, row: Account) -> None:
        self._rows.append(row)

    async def of_session(self, key: SessionKey) -> list[Account]:
        return sorted((row for row in self._rows if row.key == key), key=lambda row: row.at)

    async def since(self, tenant: str, at: float = 0.0) -> list[Account]:
        return sorted((row for row in self._rows if row.key.tenant == tenant and row.at >= at), key=lambda row: row.at)

    async def forget(self, key: SessionKey) -> int:
        before = len(self._rows)
        self._rows = [row for row in self._rows if row.key != key]
        return before - len(self._rows)


class MemorySearch:
    """Every line spelled in pieces, looked through one by one; see the `Search` protocol."""

    def __init__(self) -> None:
        self._kept: dict[SessionKey, dict[str, tuple[str, list[Line]]]] = {}

    async def index(self, key: SessionKey, passages: Sequence[Passage]) -> None:
        kept = self._kept.setdefault(key, {})
        for one in passages:
            if one.block not in kept or kept[one.block][0] != one.hash:
                lines = [Line(one.block, number, spelled(line)) for number, line in enumerate(one.text.split("\n"), 1)]
                kept[one.block] = one.hash, lines

    async def query(self, key: SessionKey, phrases: Sequence[str], limit: int, *, every: bool = True) -> Found:
        lines = [line for _, held in self._kept.get(key, {}).values() for line in held]
        holders = {phrase: {at for at, line in enumerate(lines) if is_in(phrase, line.pieces)} for phrase in phrases}
        if not holders:
            return Found((), 0)
        found = set[int].intersection(*holders.values()) if every else set[int]().union(*holders.values())
        pieces = sum(line.pieces.count(" ") + 1 for line in lines if line.pieces)
        corpus = Corpus(len(lines), pieces, {phrase: len(held) for phrase, held in holders.items()})
        ranked = best((lines[at] for at in sorted(found)), corpus, limit)
        return Found(tuple((line.block, line.number) for line in ranked), len(found))

    async def forget(self, key: SessionKey) -> int:
        return len(self._kept.pop(key, {}))


def _info(key: SessionKey, events: list[Event]) -> SessionInfo:
    return SessionInfo(key, len(events), events[0].at, events[-1].at, sum(len(event.data) for event in events))
