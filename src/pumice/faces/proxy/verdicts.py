"""What an upstream's refusal says: too long, or that the messages are not as they should be (K-P8)."""

import re

from pumice.faces.proxy.gate import Reply
from pumice.measure.window import learn_limit

_STRUCTURE = re.compile(
    r"messages?[.\[]\d|input\[\d|contents\[\d|messages?:|thinking|signature|block_binding|reasoning|tool_use|tool_result"
    r"|tool_calls?\b|tool call|function.?(?:call|response)|call_id|roles? must|alternat|cache_control|prefix",
    re.IGNORECASE,
)
"""Words in which providers speak of places in the history; what an edit of ours can break (K §1.2, §1.3, §2.2, §3.2, §4.2)."""
_LONG = re.compile(
    r"too long|context_length_exceeded|context (?:length|window)|maximum context|token count .* exceeds", re.IGNORECASE
)


def is_too_long(said: str) -> bool:
    """Whether the request was over the model's window."""
    return learn_limit(said) is not None or bool(_LONG.search(said))


def is_structural(reply: Reply) -> bool:
    """Whether a refusal may come from what was rewritten."""
    said = text(reply)
    return reply.status == 400 and not is_too_long(said) and bool(_STRUCTURE.search(said))


def text(reply: Reply) -> str:
    """What the upstream said."""
    return reply.body[:20_000].decode("utf-8", "replace")
