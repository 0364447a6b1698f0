"""What a request asks a provider to do with its history, whatever its dialect."""

from collections.abc import Mapping

import msgspec

from pumice.domain.edits import Edit
from pumice.errors import BadRequest


class Compact(msgspec.Struct, frozen=True):
    """A compaction: everything up to here gives way to one block that stands for it."""

    at: int | None = None
    """Tokens of the request from which on it is due; None: now, and the answer is the block alone."""
    instructions: str = ""
    pauses: bool = False
    """The answer is the block alone, so that the client can look at it first."""


class Asked(msgspec.Struct, frozen=True):
    """What is asked for, and the request without it."""

    body: bytes
    """Without the fields that ask, and without blocks that only such a provider reads."""
    edits: tuple[Edit, ...] = ()
    compact: Compact | None = None
    reports: bool = False
    """The client wants to hear which edits were applied."""
    betas: frozenset[str] = frozenset()
    """Values of `anthropic-beta` that go with the fields (K-A28)."""
    is_carried: bool = False
    """It stands on a block of an earlier compaction, in place of what was before that."""
    item: str = ""
    """The sealed item that block holds or comes with; empty where there is none."""


class Unacceptable(BadRequest):
    """The provider itself would refuse what is asked for; `code` is its word for that."""

    def __init__(self, message: str, code: str = "") -> None:
        super().__init__(message)
        self.code = code

    @property
    def details(self) -> Mapping[str, str]:
        """What its error says besides the message."""
        return {"error_code": self.code} if self.code else {}
