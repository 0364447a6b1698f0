"""Scopes: whose data something is."""

import msgspec

from pumice.domain.event import SessionKey
from pumice.errors import InvalidInput

LEVELS = ("tenant", "project", "user", "session", "task")


class Scope(msgspec.Struct, frozen=True):
    """`tenant:acme/project:web/user:u1/session:…/task:…`; levels may be left out, not re-ordered."""

    tenant: str = "local"
    project: str = ""
    user: str = ""
    session: str = ""
    task: str = ""

    def __str__(self) -> str:
        return "/".join(f"{level}:{getattr(self, level)}" for level in LEVELS if getattr(self, level))


def of(key: SessionKey) -> str:
    """Whose a session is, as `parse` reads it."""
    return str(Scope(key.tenant, key.project, key.user))


def parse(text: str) -> Scope:
    """Read a scope; raises InvalidInput with the grammar."""
    found: dict[str, str] = {}
    at = -1
    for part in filter(None, text.split("/")):
        level, _, name = part.partition(":")
        place = LEVELS.index(level) if level in LEVELS else -1
        if place <= at or not name:
            raise InvalidInput(
                f"scope {text!r}: {part!r} is not expected here; the grammar is tenant:T/project:P/user:U/session:S/task:K.",
                hint="Leave levels out, but keep their order.",
            )
        found[level], at = name, place
    return Scope(**found)
