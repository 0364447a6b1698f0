"""For which upstreams and models server-side context features are done here: `serve --emulate auto|on|off`."""

from collections.abc import Mapping
from enum import StrEnum
from urllib.parse import urlsplit

import msgspec

from pumice.errors import InvalidInput

COUNT, COMPACT = "/v1/messages/count_tokens", "/v1/responses/compact"
"""Paths besides the model calls that such features have."""
_OWN = {"anthropic": ("api.anthropic.com",), "openai": ("api.openai.com", "chatgpt.com")}
"""Hosts of the providers themselves."""
_PROVIDERS = {"anthropic": "anthropic", "openai-responses": "openai"}
_CLAUDE = "claude"


class Mode(StrEnum):
    AUTO = "auto"
    """Where the upstream is not the provider's own, or the model is not one of the provider's."""
    ON = "on"
    OFF = "off"


class Emulation(msgspec.Struct, frozen=True):
    """The setting, and where calls go."""

    mode: Mode = Mode.OFF
    upstreams: Mapping[str, str] = {}
    """Address by provider."""

    def covers(self, dialect: str, model: str) -> bool:
        """Whether what a call of a dialect asks for is done here."""
        provider = _PROVIDERS.get(dialect)
        if provider is None or self.mode is Mode.OFF:
            return False
        return self.mode is Mode.ON or not self._is_own(provider) or (provider == "anthropic" and not _is_claude(model))

    def takes(self, method: str, path: str) -> str:
        """The dialect of a path besides the model calls that may be answered here; empty for any other."""
        if method != "POST" or self.mode is Mode.OFF:
            return ""
        if path == COUNT:
            return "anthropic"
        return "openai-responses" if path == COMPACT and self.covers("openai-responses", "") else ""

    def _is_own(self, provider: str) -> bool:
        host = urlsplit(self.upstreams.get(provider, "")).hostname or ""
        return host.lower() in _OWN[provider]


def mode(given: str) -> Mode:
    """Raises InvalidInput."""
    try:
        return Mode(given.strip().lower())
    except ValueError as error:
        raise InvalidInput(f"emulate {given!r} given, expected auto, on or off.") from error


def _is_claude(model: str) -> bool:
    return _CLAUDE in model.lower()
