"""Provider dialects, both ways, and their rules."""

from pumice.errors import UnknownDialect
from pumice.wire.anthropic import Anthropic
from pumice.wire.detect import candidates
from pumice.wire.dialect import Dialect, Unit
from pumice.wire.gemini import Gemini
from pumice.wire.openai_chat import OpenAIChat
from pumice.wire.openai_responses import OpenAIResponses

__all__ = ["Dialect", "Unit", "detect", "dialects", "get"]

dialects: dict[str, Dialect] = {
    "anthropic": Anthropic(),
    "openai-chat": OpenAIChat(),
    "openai-responses": OpenAIResponses(),
    "gemini": Gemini(),
}


def get(name: str) -> Dialect:
    """The dialect of this name. Raises UnknownDialect."""
    if name in dialects:
        return dialects[name]
    raise UnknownDialect(f"{name!r} is no dialect; supported: {', '.join(dialects)}.", hint="Name one of them.")


def detect(body: bytes) -> str:
    """The dialect of a request body or a bare list of messages. Raises UnknownDialect with the candidates."""
    found = candidates(body)
    if len(found) == 1:
        return get(found[0]).name
    if not found:
        expected = f"expected an object with `messages`, or a list of messages, as {' or '.join(dialects)} has them"
        raise UnknownDialect(f"no request; {expected}.", hint="Send all of it.")
    named = " or ".join(found)
    raise UnknownDialect(f"the body could be {named}.", hint="Name it: --dialect on the command line, dialect= in the library.")
