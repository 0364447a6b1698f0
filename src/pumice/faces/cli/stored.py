"""The stored session that a name on the command line means."""

from pumice.domain import scope as scopes
from pumice.domain.event import SessionKey
from pumice.domain.scope import Scope
from pumice.errors import InvalidInput
from pumice.faces.library import Engine


def scope_of(engine: Engine, name: str, scope: str) -> str:
    """The whole scope of the session of a name: who runs a proxy need not know the user it gave a credential.

    A session of just the scope that was given comes first. Raises InvalidInput where there is none, or several: a command on
    a session that is not stored must not create it.
    """
    given = scopes.parse(scope)
    held = [info.key for info in engine.sessions(scope) if info.key.session == name and _is_within(info.key, given)]
    if not held:
        raise InvalidInput(f"no session {name!r} is stored here.", hint="pumice session list names them.")
    found = [key for key in held if (key.project, key.user) == (given.project, given.user)] or held
    if len(found) > 1:
        listed = " or ".join(sorted(map(scopes.of, found)))
        raise InvalidInput(f"{len(found)} sessions {name!r} are stored.", hint=f"Give --scope: {listed}.")
    return scopes.of(found[0])


def _is_within(key: SessionKey, scope: Scope) -> bool:
    return scope.project in ("", key.project) and scope.user in ("", key.user)
