"""How much of what a model was shown was worth showing (F-A7)."""

from collections.abc import Sequence

import msgspec


class Shown(msgspec.Struct, frozen=True):
    """A block of a view."""

    at: int
    """Position among all blocks and responses of the session."""
    hash: str
    tokens: int
    names: frozenset[str]
    """Entities of its text."""
    fetch: str = ""
    """What a read fetched, the same for the same file or query (`Read src/app.py`); empty for any other block."""


class Used(msgspec.Struct, frozen=True):
    """A model response."""

    at: int
    names: frozenset[str]
    """Entities of its text and of its tool-call arguments."""


class Density(msgspec.Struct, frozen=True):
    """Shares between 0 and 1; None where there was nothing to take a share of."""

    reread_rate: float | None
    """Reads that fetch what an earlier read had fetched."""
    unreferenced_share: float | None
    """Tokens in blocks no later response took an entity from."""
    repeated_share: float | None
    """Tokens in blocks whose exact content stood in the view before."""


def density(blocks: Sequence[Shown], responses: Sequence[Used]) -> Density:
    """The density of a view, given what the model said after it."""
    tokens = sum(block.tokens for block in blocks)
    fetches = [block.fetch for block in blocks if block.fetch]
    last_use = _last_use(responses)
    unused = sum(block.tokens for block in blocks if not _referenced(block, last_use))
    seen: set[str] = set()
    repeated = 0
    for block in blocks:
        repeated += block.tokens if block.hash in seen else 0
        seen.add(block.hash)
    return Density(
        _share(len(fetches) - len(set(fetches)), len(fetches)),
        _share(unused, tokens),
        _share(repeated, tokens),
    )


def _last_use(responses: Sequence[Used]) -> dict[str, int]:
    """The newest response that used each entity."""
    last: dict[str, int] = {}
    for response in responses:
        last.update((name, max(response.at, last.get(name, -1))) for name in response.names)
    return last


def _referenced(block: Shown, last_use: dict[str, int]) -> bool:
    return any(last_use.get(name, -1) > block.at for name in block.names)


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
