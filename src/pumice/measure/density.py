"""How much of what a model was shown was worth showing (F-A7)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import msgspec

NEVER = -1


class Shown(msgspec.Struct, frozen=True):
    """A block of a view."""

    content: str
    """Equal for blocks that say the same."""
    tokens: int
    used_at: int = NEVER
    """The newest response that took an entity from it."""
    fetch: str = ""
    """What a read fetched, the same for the same file or query (`Read src/app.py`); empty for any other block."""
    tool: str = ""
    """The tool it is a call or a result of; empty for anything else."""


class Density(msgspec.Struct, frozen=True):
    """Of one view or, added up, of many; shares are between 0 and 1, None where there is nothing to take a share of."""

    tokens: int = 0
    unreferenced: int = 0
    """Tokens in blocks no later response took an entity from."""
    repeated: int = 0
    """Tokens in blocks whose exact content stands in the same view before."""
    reads: int = 0
    rereads: int = 0
    """Reads that fetch what an earlier read had fetched."""

    def __add__(self, other: "Density") -> "Density":
        pairs = ((getattr(self, name), getattr(other, name)) for name in self.__struct_fields__)
        return Density(*(one + two for one, two in pairs))

    @property
    def reread_rate(self) -> float | None:
        return _share(self.rereads, self.reads)

    @property
    def unreferenced_share(self) -> float | None:
        return _share(self.unreferenced, self.tokens)

    @property
    def repeated_share(self) -> float | None:
        return _share(self.repeated, self.tokens)


def density(blocks: Sequence[Shown], *, since: int) -> Density:
    """The density of a view; uses count from response `since` on, the one that answers it."""
    seen: set[str] = set()
    repeated = unreferenced = tokens = 0
    for block in blocks:
        tokens += block.tokens
        repeated += block.tokens if block.content in seen else 0
        unreferenced += block.tokens if block.used_at < since else 0
        seen.add(block.content)
    found = rereads(block.fetch for block in blocks)
    return Density(tokens, unreferenced, repeated, *found)


def rereads(fetches: Iterable[str]) -> tuple[int, int]:
    """How many reads there are, and how many of them fetch what one before had fetched; empty ones are no reads."""
    known = [fetch for fetch in fetches if fetch]
    return len(known), len(known) - len(set(known))


def newest_uses(responses: Iterable[tuple[int, frozenset[str]]]) -> dict[str, int]:
    """The newest response that used each entity, of responses by number and the entities of what they say and do."""
    newest: dict[str, int] = {}
    for number, names in responses:
        newest.update((name, max(number, newest.get(name, NEVER))) for name in names)
    return newest


def used_at(names: Iterable[str], newest: Mapping[str, int]) -> int:
    """The newest response that used any of these entities; -1 for none."""
    return max((newest.get(name, NEVER) for name in names), default=NEVER)


def by_tool(blocks: Iterable[Shown]) -> Counter[str]:
    """Tokens of calls and results by tool."""
    found: Counter[str] = Counter()
    for block in blocks:
        if block.tool:
            found[block.tool] += block.tokens
    return found


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
