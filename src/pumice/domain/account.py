"""The account of a model call: what it sent and cost, and what the client's own request would have."""

import msgspec

from pumice.domain.event import SessionKey
from pumice.domain.message import Usage


class Facts(msgspec.Struct, frozen=True):
    """What is known of a call once its answer is in, or will not come."""

    key: SessionKey
    at: float
    """Seconds since 1970 when it left."""
    model: str
    dialect: str
    stage: str
    """Which step of the ladder it went through on (DESIGN §7)."""
    policy: str = ""
    agent: str = "main"
    lane: str = ""
    epoch: int = 0
    full: int | None = None
    """Tokens of the client's own request, as counted; 0 where the client would not have made this call at all, as when an
    agent asked for nothing but a read-back. None where nobody counted."""
    sent: int | None = None
    """Tokens of what went upstream, as counted."""
    predicted_read: int = 0
    """Of them, what the provider's cache should have held."""
    usage: Usage | None = None
    """As reported; None where the provider said nothing."""
    is_own: bool = False
    """What went upstream were the client's own bytes."""
    is_long: bool = False
    """The client asks for the cache entry that lives longer and is dearer to write."""
    read_backs: int = 0
    """How often it gave back what had left the window."""
    read_back_tokens: int = 0
    """Of what was sent, results of these read-backs."""
    asked_total_usd: float = 0.0
    """What the session's own questions to models have cost so far, this call's among them."""
    observed: int | None = None
    """Tokens of what would have gone upstream, where calls are only observed."""
    observed_read: int = 0
    """Of them, what the provider's cache would have held."""


class Account(msgspec.Struct, frozen=True):
    """One model call on the books. Tokens nobody knows are None, and money is where the model has no known price."""

    key: SessionKey
    at: float
    model: str
    dialect: str
    policy: str
    agent: str
    stage: str
    lane: str
    epoch: int
    full: int | None
    sent: int | None
    read: int | None
    """Of `sent`, read from the provider's cache."""
    written: int | None
    fresh: int | None
    """Of `sent`, neither read from the cache nor written to it."""
    output: int | None
    is_reported: bool
    """The provider said so; else it is foretold."""
    is_own: bool
    """The client's own bytes went upstream, in this call and in every one before it."""
    read_backs: int
    cost_usd: float | None
    """Input, output, and what pumice asked models for itself."""
    full_cost_usd: float | None
    """The client's own history with the same output: what it shares with the call before from the cache, the rest new."""
    read_back_usd: float | None
    """Of the cost: what read-backs came to."""
    asked_usd: float
    """Of the cost: questions pumice put to models, as far as their prices are known."""
    observed: int | None
    observed_usd: float | None
    """What the observed request would have cost."""

    @property
    def saved_usd(self) -> float | None:
        """Dollars less than the client's own history; below 0 where it was more."""
        if self.cost_usd is None or self.full_cost_usd is None:
            return None
        return self.full_cost_usd - self.cost_usd
