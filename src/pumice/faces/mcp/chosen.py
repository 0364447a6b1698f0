"""Which stored session a tool call is about: the one it names, the one the server is for, or the newest of its scope."""

from pumice.domain import scope as scopes
from pumice.domain.event import SessionInfo, SessionKey
from pumice.domain.scope import Scope
from pumice.engine.archive import Archive
from pumice.engine.engine import AsyncEngine
from pumice.errors import InvalidInput

_NAMED = 5
"""Sessions that an error names."""


class Chosen:
    """Opens stored sessions of one scope, and no others."""

    def __init__(self, engine: AsyncEngine, *, scope: str = "", session: str = "") -> None:
        self._engine = engine
        self._scope = scopes.parse(scope)
        self.only = session
        """The one session there is, where the server is for a single one."""
        self._open: dict[SessionKey, Archive] = {}

    def none(self) -> Archive:
        """A session nothing is stored of: what tools are declared over."""
        return Archive(self._engine.session("none", scope=str(self._scope)))

    async def desk(self, name: str) -> Archive:
        """The session of a name, the newest without one. Raises InvalidInput where there is none."""
        found = await self._find(self.only or name)
        if found not in self._open:
            # A policy is chosen where a session is compiled; here it only names the limits of reading.
            session = self._engine.session(found.session, scope=scopes.of(found))
            self._open[found] = Archive(session)
        return self._open[found]

    async def _find(self, name: str) -> SessionKey:
        held = [info for info in await self._engine.sessions(str(self._scope)) if is_within(info.key, self._scope)]
        newest = sorted(held, key=lambda info: info.last_at)
        match = [info.key for info in newest if not name or info.key.session == name]
        if not match:
            raise InvalidInput(_missing(name, newest), hint="Name one of them, or let an agent work through pumice first.")
        return match[-1]


def is_within(key: SessionKey, scope: Scope) -> bool:
    """Whether a session belongs to a scope: what the scope does not name is left open."""
    levels = ((scope.project, key.project), (scope.user, key.user), (scope.session, key.session))
    return key.tenant == scope.tenant and all(not wanted or wanted == held for wanted, held in levels)


def _missing(name: str, newest: list[SessionInfo]) -> str:
    known = ", ".join(info.key.session for info in newest[: -_NAMED - 1 : -1])
    return f"session {name[:60]!r} given, newest here: {known or 'none yet'}." if name else "no session is stored here yet."
