"""G1, G14, G17, G18: the request as a whole."""

from collections.abc import Iterator

from pumice.domain.message import Violation
from pumice.measure.naming import ModelName
from pumice.wire.gemini import keys
from pumice.wire.rules.rule import Ending, Seen, Step

START = None

_CACHED = ("systemInstruction", "tools", "toolConfig")
_MOST = 20 * 1024 * 1024
"""Bytes of a request with its inline data (K-G18)."""


def step(state: None, _message: Seen, _model: ModelName, /) -> Step:
    return Step(state)


def end(_state: None, ending: Ending, /) -> Iterator[Violation]:
    if not ending.count:
        yield Violation("G1", "contents", "at least one content is required")
    if keys.get(ending.fields, "cachedContent"):
        for name in _CACHED:
            if keys.get(ending.fields, name):
                yield Violation("G14", name, f"{name} is part of the cached content and must not stand beside it")
    if ending.tokens is not None and ending.window is not None and ending.tokens > ending.window:
        words = f"The input token count ({ending.tokens}) exceeds the maximum number of tokens allowed ({ending.window})."
        yield Violation("G17", "contents", words)
    if ending.size > _MOST:
        yield Violation("G18", "request", f"Request payload size exceeds the limit: {_MOST} bytes")
