"""Exchanges the client never sees: a tool of ours in its requests, our calls taken out of its answers, both put back later.

A client resends what it has seen. What the upstream has seen besides stands again at the same place: calls among those of
their answer, results where the provider wants them (K-A4 to K-A8, K-O1, K-O2, K-R1, K-R2, K-G4 to K-G7).
"""

from collections.abc import Mapping

from pumice.errors import UnknownDialect
from pumice.wire.hidden.anthropic import Anthropic
from pumice.wire.hidden.gemini import Gemini
from pumice.wire.hidden.openai_chat import OpenAIChat
from pumice.wire.hidden.openai_responses import OpenAIResponses
from pumice.wire.hidden.way import Told, Way, taken_out

__all__ = ["Told", "Way", "taken_out", "way"]

_WAYS: Mapping[str, Way] = {
    "anthropic": Anthropic(),
    "openai-chat": OpenAIChat(),
    "openai-responses": OpenAIResponses(),
    "gemini": Gemini(),
}


def way(dialect: str) -> Way:
    """How a dialect does it. Raises UnknownDialect."""
    if dialect not in _WAYS:
        raise UnknownDialect(f"dialect {dialect!r} given, expected one of {', '.join(_WAYS)}.")
    return _WAYS[dialect]
