"""Shares: so many of so many, pooled by adding up."""

from collections.abc import Iterable

import msgspec


class Share(msgspec.Struct, frozen=True):
    hits: int = 0
    of: int = 0

    def __add__(self, other: "Share") -> "Share":
        return Share(self.hits + other.hits, self.of + other.of)

    @property
    def value(self) -> float | None:
        """None where there was no case: unknown is not zero."""
        return self.hits / self.of if self.of else None


def share(cases: Iterable[bool]) -> Share:
    """The share of cases that hold."""
    listed = list(cases)
    return Share(sum(listed), len(listed))
