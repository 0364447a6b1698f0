"""Addresses of offloaded results: the policy's name for the first, numbers for those that follow, never given twice."""

import re
from collections.abc import Mapping

from pumice.domain import pointer


class Addresses:
    """Gives a block its address when it is offloaded; what had one keeps it."""

    def __init__(self, first: str, known: Mapping[str, str]) -> None:
        """`known` holds the session's blocks by the addresses they were given."""
        self._first = first
        self._given = {block: address for address, block in known.items()}
        self._next = 1 + max((_number(first, address) for address in known), default=0)

    def of(self, block_id: str) -> str:
        """The address of a block, or the one it would get: the policy's next, else the block's own."""
        following = self._first if self._next == 1 else f"{self._first}-{self._next}"
        return self._given.get(block_id) or (following if self._first else pointer.artifact(block_id))

    def give(self, block_id: str) -> None:
        """Make the address of a block its own for good."""
        if self._first and block_id not in self._given:
            self._given[block_id] = self.of(block_id)
            self._next += 1


def _number(first: str, address: str) -> int:
    """Which of the policy's addresses one is, from 1; 0 for another."""
    if address == first:
        return 1
    found = re.fullmatch(rf"{re.escape(first)}-(\d+)", address)
    return int(found[1]) if first and found else 0
