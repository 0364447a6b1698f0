"""Which provider a request belongs to, and where its path lies there."""

import pytest

from pumice.errors import InvalidInput
from pumice.faces.proxy import routes
from pumice.faces.proxy.config import UPSTREAMS, configured
from pumice.faces.proxy.headers import readable
from pumice.faces.proxy.routes import Route
from pumice.faces.proxy.upstream import address

G = "/v1beta/models/gemini-2.5-pro"


@pytest.mark.parametrize(
    ("method", "path", "headers", "route"),
    [
        ("POST", "/v1/messages", {}, Route("anthropic", "anthropic")),
        ("POST", "/v1/chat/completions", {}, Route("openai", "openai-chat")),
        ("POST", "/v1/responses", {}, Route("openai", "openai-responses")),
        ("POST", f"{G}:generateContent", {}, Route("gemini", "gemini", "gemini-2.5-pro")),
        ("POST", f"{G}:streamGenerateContent", {}, Route("gemini", "gemini", "gemini-2.5-pro", True)),
        ("POST", "/v1/projects/p/locations/l/publishers/google/models/m:generateContent", {}, Route("gemini", "gemini", "m")),
        ("POST", f"{G}:countTokens", {}, Route("gemini")),
        ("GET", "/v1/messages", {}, Route("anthropic")),
        ("POST", "/v1/messages/count_tokens", {}, Route("anthropic")),
        ("POST", "/v1/responses/compact", {}, Route("openai")),
        ("HEAD", "/api/hello", {}, Route("anthropic")),
        ("GET", "/v1/models", {"anthropic-version": "2023-06-01"}, Route("anthropic")),
        ("GET", "/v1/models", {"authorization": "Bearer k"}, Route("openai")),
        ("POST", "/upload/v1beta/files", {}, Route("gemini")),
        ("GET", "/anything", {"x-goog-api-key": "k"}, Route("gemini")),
        ("GET", "/anything", {}, Route("openai")),
    ],
)
def test_a_request_finds_its_provider(method: str, path: str, headers: dict[str, str], route: Route) -> None:
    """By path where only one provider has it, else by headers only one provider's clients send."""
    assert routes.find(method, path, headers) == route


@pytest.mark.parametrize(
    ("provider", "base", "path", "url"),
    [
        ("anthropic", "https://a.com", "/v1/messages?beta=true", "https://a.com/v1/messages?beta=true"),
        ("anthropic", "https://gate.way/claude", "/v1/messages", "https://gate.way/claude/v1/messages"),
        ("anthropic", "https://gate.way/v1", "/v1/messages", "https://gate.way/v1/messages"),
        ("openai", "https://o.com", "/v1/responses", "https://o.com/v1/responses"),
        ("openai", "https://o.com/v1", "/v1/models?a=%2F", "https://o.com/v1/models?a=%2F"),
        ("openai", UPSTREAMS["chatgpt"], "/v1/responses", "https://chatgpt.com/backend-api/codex/responses"),
        ("openai", "https://o.com/v1", "/other", "https://o.com/v1/other"),
        ("gemini", "https://g.com", f"{G}:countTokens?key=a", f"https://g.com{G}:countTokens?key=a"),
        ("gemini", "https://g.com/v1beta", f"{G}:countTokens", f"https://g.com{G}:countTokens"),
    ],
)
def test_an_upstream_is_written_as_clients_write_it(provider: str, base: str, path: str, url: str) -> None:
    """The version stands once, whoever's convention the base follows; escapes stay."""
    assert str(address(provider, base, path)) == url


def test_a_wrong_upstream_is_refused_and_a_named_one_serves_every_login() -> None:
    """An address that is none is told before anything starts; a ChatGPT login goes elsewhere only while nothing is named."""
    for wrong in ("api.openai.com", "ftp://x", "https://", "https://x?y=1"):
        with pytest.raises(InvalidInput, match="no http address"):
            configured(upstreams={"openai": wrong})
    assert configured().upstreams["chatgpt"] == UPSTREAMS["chatgpt"]
    assert configured(upstreams={"openai": "http://127.0.0.1:1/v1/"}).upstreams["chatgpt"] == "http://127.0.0.1:1/v1"


def test_only_encodings_that_can_be_read_are_asked_for() -> None:
    """What the client wrote stays as it is where every part of it can be decoded."""
    assert readable("gzip, deflate, br, zstd") == "gzip, deflate, br, zstd"
    assert readable("zstd,gzip;q=0.1") == "zstd,gzip;q=0.1"
    assert readable("gzip, dcb, zstd") == "gzip, zstd"
    assert readable("dcb") == "identity"
