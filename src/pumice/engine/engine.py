"""The engine: sessions over one store, with effects handed in by the faces."""

from collections.abc import Callable, Mapping
from typing import Any

from pumice.domain import scope as scopes
from pumice.domain.account import Account
from pumice.domain.event import SessionInfo, SessionKey
from pumice.domain.policy import Policy
from pumice.engine import journal
from pumice.engine.context import Context, Ports
from pumice.engine.resident import Texts, read
from pumice.engine.session import Session
from pumice.errors import InvalidInput
from pumice.measure.window import check_size
from pumice.store.home import Store

Asked = str | Mapping[str, Any] | None
"""A policy by preset name or file; values by key over what is in force; what is in force."""
Policies = Callable[[Asked], Policy]
MAX_NAME = 256
ACTIVE = 60.0
"""Seconds for which a session counts as being worked with: models think for some, and tools run for some."""


class AsyncEngine:
    """Opens sessions; one engine per store and process."""

    def __init__(self, store: Store, ports: Ports, policies: Policies) -> None:
        self._store = store
        self._ports = ports
        self._policies = policies
        self._open: dict[SessionKey, Session] = {}
        """Least recently asked for first."""
        self._asked_at: dict[SessionKey, float] = {}

    def session(
        self,
        name: str,
        *,
        scope: str = "",
        policy: Policy | Asked = None,
        window: int | None = None,
        model: str | None = None,
        dialect: str | None = None,
        resident: Mapping[str, Texts] | None = None,
    ) -> Session:
        """The session of a name in a scope, opened or continued; the same object while this engine lives.

        `policy` is read anew each time and holds from the next epoch on. `window` in tokens and `model` win over policy and
        model table. `resident` are texts to stand in the head of every request, as in `session.resident`; what is not named
        stays as it was given last. Raises InvalidInput for a bad name, scope, window or text.
        """
        within = scopes.parse(scope)
        key = key_of(name, within)
        check_size("window", window)
        if not isinstance(model, str | None):
            raise InvalidInput(
                f"model={model!r} given, expected the name of a model.", hint="Leave it out for the request's own."
            )
        chosen = policy if isinstance(policy, Policy) else self._policies(policy)
        harder = tuple(self._policies(step) for step in chosen.triggers.degrade)
        given = {name: read(name, texts) for name, texts in (resident or {}).items()}
        context = Context(key, within, chosen, harder, self._store, self._ports, window, model, dialect, given)
        known = self._open.pop(key, None)
        if known is None:
            known = Session(context)
        else:
            known.renew(context)
        self._open[key] = known
        self._asked_at[key] = self._ports.clock()
        return known

    async def release(self, most: int) -> list[Session]:
        """Let sessions nobody is waiting for go, least recently asked for first, until the rest takes `most` bytes.

        Those that were asked for within the last seconds may take twice as much: sessions that take turns stay.
        A session that was let go is read from the store when it is asked for again, and sends the same bytes. Incremental
        conversations, which only memory holds, stay.
        """
        weights = {key: session.weight for key, session in self._open.items()}
        left, released = sum(weights.values()), []
        now = self._ports.clock()
        for key, weight in weights.items():
            session = self._open[key]
            room = 2 * most if now - self._asked_at[key] < ACTIVE else most
            if left > room and session.is_idle:
                left -= weight
                released.append(self._open.pop(key))
                del self._asked_at[key]
        for session in released:
            await session.close()
            session.let_go()
        return released

    async def sessions(self, scope: str = "") -> list[SessionInfo]:
        """What is stored of the tenant of a scope, newest last."""
        return await self._store.ledger.sessions(scopes.parse(scope).tenant)

    async def accounts(self, scope: str = "", *, since: float = 0.0) -> list[Account]:
        """The accounts of the calls of a scope's tenant, project and user, oldest first, from a time on."""
        within = scopes.parse(scope)
        found = await self._store.accounts.since(within.tenant, since)
        return [row for row in found if within.project in ("", row.key.project) and within.user in ("", row.key.user)]

    async def forget(self, name: str, *, scope: str = "") -> int:
        """Remove everything kept of a session; returns how many events and artifacts went."""
        key = key_of(name, scopes.parse(scope))
        known = self._open.pop(key, None)
        self._asked_at.pop(key, None)
        if known is not None:
            await known.close()
        for event in await self._store.ledger.load(key):
            if event.kind == journal.SHELVED:
                await self._store.shelf.forget(journal.read(event).header.redeem.folder)
        return await self._store.forget(key)

    async def close(self) -> None:
        """Let the store go; sessions can be opened again from it."""
        for known in list(self._open.values()):
            await known.close()
        self._open.clear()
        self._asked_at.clear()
        await self._store.close()

    async def __aenter__(self) -> "AsyncEngine":
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.close()


def key_of(name: str, scope: scopes.Scope) -> SessionKey:
    """The store's key of a session; raises InvalidInput for an empty or oversized name."""
    if not name or len(name) > MAX_NAME or any(ord(char) < 32 for char in name):
        raise InvalidInput(f"session name {name[:60]!r}: expected 1 to {MAX_NAME} printable characters.")
    return SessionKey(scope.tenant, name, scope.project, scope.user)
