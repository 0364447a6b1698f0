"""What a proxy is told: where the providers are, how much it takes, how long it waits, who may use it."""

from collections.abc import Mapping
from hashlib import sha256
from ipaddress import ip_address
from urllib.parse import urlsplit

import msgspec

from pumice.errors import InvalidInput
from pumice.faces.proxy.emulate.setting import Emulation, Mode
from pumice.faces.proxy.routes import ANTHROPIC, GEMINI, OPENAI

CHATGPT = "chatgpt"
"""Where a ChatGPT login is good: the key of OpenAI's API is another (provider-contracts §9.4)."""
UPSTREAMS: Mapping[str, str] = {
    ANTHROPIC: "https://api.anthropic.com",
    OPENAI: "https://api.openai.com",
    GEMINI: "https://generativelanguage.googleapis.com",
    CHATGPT: "https://chatgpt.com/backend-api/codex",
}
MIB = 1024 * 1024


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """How much and how long; bytes and seconds."""

    max_body: int = 64 * MIB
    """Of a model call, as it comes and with its encoding undone."""
    max_answer: int = 64 * MIB
    """Of an answer that is collected; what is only relayed has no limit."""
    connect: float = 15.0
    idle: float = 600.0
    """Between two pieces of an answer; an answer as a whole may take any time."""
    prepare: float = 30.0
    """For the engine; after that the client's own request goes."""
    keep_alive: float = 15.0
    """Between two comments in a stream whose answer is still being collected."""
    grace: float = 10.0
    """For calls under way when the proxy is told to stop."""


class Config(msgspec.Struct, frozen=True, kw_only=True):
    """Everything the HTTP side goes by. Make it with `configured`."""

    host: str = "127.0.0.1"
    upstreams: Mapping[str, str] = msgspec.field(default_factory=lambda: UPSTREAMS)
    token: bytes = b""
    """sha256 of what clients must show; empty: nothing. The token itself is kept nowhere."""
    limits: Limits = Limits()
    emulate: Mode = Mode.OFF
    """For which upstreams what clients ask a provider to do with their history is done here."""

    @property
    def emulation(self) -> Emulation:
        return Emulation(self.emulate, self.upstreams)

    @property
    def is_local(self) -> bool:
        """Only this machine can connect."""
        return is_loopback(self.host)

    @property
    def is_alone(self) -> bool:
        """Whoever can connect is one person. A token is given out to others, also behind another server on this machine."""
        return self.is_local and not self.token


def configured(
    *,
    host: str = "127.0.0.1",
    upstreams: Mapping[str, str] | None = None,
    token: str = "",
    limits: Limits | None = None,
    emulate: Mode = Mode.OFF,
) -> Config:
    """A checked configuration; `upstreams` by provider, those not named stay. Raises InvalidInput.

    An address is written as the provider's own clients take it: OpenAI's with `/v1`, the others' without.
    """
    if not is_loopback(host) and not token:
        raise InvalidInput(
            f"host {host!r} lets other machines in, and a proxy sees keys and source code.",
            hint="Give a token (--token or PUMICE_TOKEN) that clients send as x-pumice-token, or stay on 127.0.0.1.",
        )
    named = {name: _base(name, address) for name, address in (upstreams or {}).items() if address}
    # Whoever names another server for OpenAI's API means it for every login.
    logins = {CHATGPT: named[OPENAI]} if OPENAI in named else {}
    digest = sha256(token.encode()).digest() if token else b""
    known = {**UPSTREAMS, **logins, **named}
    return Config(host=host, upstreams=known, token=digest, limits=limits or Limits(), emulate=emulate)


def checked(name: str, value: int) -> int:
    """A number from 1 on. Raises InvalidInput."""
    if value < 1:
        raise InvalidInput(f"{name} {value} given, expected 1 or more.", hint="Leave it out for the usual one.")
    return value


def is_loopback(host: str) -> bool:
    """Whether an address or a name can only mean this machine."""
    bare = host.strip("[]").rstrip(".").lower()
    try:
        return ip_address(bare).is_loopback
    except ValueError:
        return bare == "localhost" or bare.endswith(".localhost")


def _base(name: str, address: str) -> str:
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise InvalidInput(f"upstream {name}: {address!r} is no http address.", hint="Write https://host[:port][/path].")
    return address.rstrip("/")
