"""A note: words of ours between the client's messages, placed once and there until the epoch ends (DESIGN §2)."""

import msgspec

from pumice.domain.block import Trust

REMINDER = "reminder"
"""The goal and open items quoted again."""
HEAD = "head"
"""What has changed in system text whose first value stays in place."""


class Note(msgspec.Struct, frozen=True):
    name: str
    text: str
    """Marks included."""
    tokens: int
    """o200k."""
    at: int
    """Index of the node it stands before; behind the last one where there is none."""
    role: str
    """Who speaks it: `system` or `developer` where the model takes that inside a conversation, else `user`."""
    call: int
    """Number of the call it was first sent with."""
    reason: str
    trust: Trust
    """Of the least trusted of its sources."""
    sources: tuple[str, ...] = ()

    @property
    def is_users(self) -> bool:
        return self.role == "user"
