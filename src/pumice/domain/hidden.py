"""An exchange with the model that the client never sees, and where it stands among the client's own messages."""

import msgspec


class Hidden(msgspec.Struct, frozen=True):
    """Calls of our tool with their results: an answer of their own, or part of one the client has the rest of."""

    agent: str
    dialect: str
    tool: str
    at: int
    """How many of the client's messages stand before the answer."""
    before: tuple[str, ...]
    """What the last of these is known by: one in common is enough."""
    is_beside: bool
    """The client has the answer without our calls, and answers the others itself."""
    answers: int
    """How many messages the answer is; those after it are results."""
