"""Plan the diet of a lane: which tool definitions stay in the prefix, which wait for a search, in what order (F-A6)."""

from collections.abc import Collection, Sequence
from fnmatch import fnmatchcase

import msgspec

from pumice.domain.diet import Diet
from pumice.domain.policy import Tools


class Candidate(msgspec.Struct, frozen=True):
    """A tool definition of the client's."""

    name: str
    tokens: int
    """Calibrated."""
    can_wait: bool


def plan(tools: Sequence[Candidate], policy: Tools, *, needed: Collection[str], search_tokens: int) -> Diet:
    """The diet of a prefix no cache holds yet; `needed` are tools that calls have used or that the request forces."""
    deferred = _waiting(tools, policy, needed)
    saved = sum(tool.tokens for tool in tools if tool.name in deferred)
    return Diet(
        names=tuple(tool.name for tool in tools),
        keeps_order=policy.order == "kept",
        deferred=deferred if saved > search_tokens else (),
        search=policy.search,
    )


def extend(before: Diet, tools: Sequence[Candidate], policy: Tools, *, needed: Collection[str]) -> Diet:
    """The diet of a lane that goes on: what it had, and tools that are new deferred as well, which costs no cache."""
    added = [tool for tool in tools if tool.name not in before.names]
    fresh = _names(added, policy, needed) if before.deferred else ()
    left = {tool.name for tool in tools}
    names = (*(name for name in before.names if name in left), *(tool.name for tool in added))
    deferred = (*(name for name in before.deferred if name in left), *fresh)
    return msgspec.structs.replace(before, names=names, deferred=deferred, note="")


def _waiting(tools: Sequence[Candidate], policy: Tools, needed: Collection[str]) -> tuple[str, ...]:
    over = policy.defer_unused_over
    if over is None or sum(tool.tokens for tool in tools) <= over:
        return ()
    return _names(tools, policy, needed)


def _names(tools: Sequence[Candidate], policy: Tools, needed: Collection[str]) -> tuple[str, ...]:
    free = (tool.name for tool in tools if tool.can_wait and tool.name not in needed)
    return tuple(name for name in free if not any(fnmatchcase(name, pattern) for pattern in policy.keep))
