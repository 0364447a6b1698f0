"""Which provider a path belongs to, and whether it is a model call.

The paths are those of provider-contracts §1 to §4 and §9.3 to §9.5; whatever is none of them is passed through to the
provider its path or its headers speak of.
"""

import re
from collections.abc import Mapping

import msgspec

ANTHROPIC, OPENAI, GEMINI = "anthropic", "openai", "gemini"
PROVIDERS = (ANTHROPIC, OPENAI, GEMINI)
_CALLS = {
    "/v1/messages": (ANTHROPIC, "anthropic"),
    "/v1/chat/completions": (OPENAI, "openai-chat"),
    "/v1/responses": (OPENAI, "openai-responses"),
}
_GEMINI_CALL = re.compile(r"/.*/models/([^/:]+):(generateContent|streamGenerateContent)")
_BEGINNINGS = (
    ("/v1/messages", ANTHROPIC),
    ("/v1/complete", ANTHROPIC),
    ("/api/", ANTHROPIC),
    ("/v1beta", GEMINI),
    ("/v1alpha", GEMINI),
    ("/upload/v1beta", GEMINI),
    ("/v1/projects/", GEMINI),
    ("/v1/chat/", OPENAI),
    ("/v1/responses", OPENAI),
)
"""First match wins; `/api/` is where Claude Code says hello."""
_SIGNS = (
    ("anthropic-version", ANTHROPIC),
    ("anthropic-beta", ANTHROPIC),
    ("x-claude-code-session-id", ANTHROPIC),
    ("x-goog-api-key", GEMINI),
    ("x-goog-api-client", GEMINI),
    ("x-api-key", ANTHROPIC),
)
"""Headers only clients of one provider send, for paths several providers have, such as `/v1/models`."""


class Route(msgspec.Struct, frozen=True):
    """Where a request goes."""

    provider: str
    dialect: str = ""
    """Of a model call; empty: passed through."""
    model: str = ""
    """Where it stands in the path (Gemini)."""
    is_stream: bool = False
    """The path says so (Gemini); elsewhere the body does."""

    @property
    def named(self) -> str:
        """The dialect, or the provider whose errors look the same."""
        return self.dialect or self.provider


def find(method: str, path: str, headers: Mapping[str, str]) -> Route:
    """Where a request goes: `path` decoded and without its query, names of headers in lower case."""
    if method == "POST":
        if path in _CALLS:
            return Route(*_CALLS[path])
        if (found := _GEMINI_CALL.fullmatch(path)) is not None:
            return Route(GEMINI, "gemini", found[1], found[2] == "streamGenerateContent")
    return Route(provider(path, headers))


def provider(path: str, headers: Mapping[str, str]) -> str:
    """Whose path it is; OpenAI's where nothing says otherwise, since most others follow its API."""
    by_path = (name for start, name in _BEGINNINGS if path.startswith(start))
    by_header = (name for header, name in _SIGNS if header in headers)
    return next(by_path, None) or next(by_header, None) or OPENAI
