"""Who may use the proxy, and that nobody's credentials are seen anywhere but at the provider."""

import logging

import pytest
from proxied import HELLO, KEYS, Noting, proxied
from starlette.testclient import TestClient

from pumice.errors import InvalidInput
from pumice.faces.proxy.app import create
from pumice.faces.proxy.config import Config, configured, is_loopback
from pumice.faces.proxy.gate import Open
from pumice.faces.upstream import Fault, Upstream
from pumice.wire.double import Say

TOKEN = "a-long-token-of-the-proxy"
SECRETS = {
    "x_api_key": "sk-secret-1",
    "authorization": "Bearer sk-secret-2",
    "x_goog_api_key": "sk-secret-3",
    "cookie": "c=sk-secret-4",
}


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.5", "::", "", "example.com", "localhost.example.com"])
def test_other_machines_are_let_in_only_with_a_token(host: str) -> None:
    """Without one the proxy does not start on such an address; the token itself is nowhere in the configuration."""
    with pytest.raises(InvalidInput, match="token"):
        configured(host=host)
    assert TOKEN not in repr(configured(host=host, token=TOKEN))
    assert not configured(host=host, token=TOKEN).is_alone


def test_only_without_a_token_is_whoever_connects_one_person() -> None:
    """A token is given to others, who may come by way of another server on this machine."""
    assert configured().is_alone
    assert not configured(token=TOKEN).is_alone


def test_only_this_machine_is_loopback() -> None:
    """Names that merely look like it are not."""
    assert all(map(is_loopback, ("127.0.0.1", "127.9.9.9", "::1", "[::1]", "localhost", "LOCALHOST.", "a.localhost")))
    assert not any(map(is_loopback, ("127.0.0.1.example.com", "localhost.evil.com", "10.0.0.1", "", "0.0.0.0")))


def status_of(config: Config, path: str = "/metrics", **headers: str) -> int:
    client = TestClient(create(config, Open()), base_url="http://127.0.0.1:8787")
    return client.get(path, headers={name.replace("_", "-"): value for name, value in headers.items()}).status_code


def test_pages_of_other_sites_do_not_get_in() -> None:
    """Neither by a name that points here nor across sites; clients that are no pages do."""
    here = configured()
    assert [status_of(here, host=host) for host in ("evil.com", "evil.com:8787", "127.0.0.1.evil.com", "", "[")] == [403] * 5
    assert [status_of(here, host=host) for host in ("localhost:8787", "[::1]:8787", "127.0.0.1")] == [200] * 3
    strange = ("https://evil.com", "HTTPS://evil.com", "null", "http://[", "http:", "evil.com")
    assert [status_of(here, origin=origin) for origin in strange] == [403] * 6
    welcome = ("http://localhost:3000", "vscode-webview://x", "file://")
    assert [status_of(here, origin=origin) for origin in welcome] == [200] * 3


def test_a_token_is_wanted_where_there_is_one() -> None:
    """By header or as a bearer; whether the proxy is ready anyone may know, its numbers not."""
    config = configured(host="0.0.0.0", token=TOKEN)
    assert [status_of(config), status_of(config, x_pumice_token="wrong"), status_of(config, "/healthz")] == [401, 401, 200]
    assert status_of(config, host="pumice.internal", x_pumice_token=TOKEN) == 200
    assert status_of(config, authorization=f"bearer {TOKEN}") == 200
    assert status_of(config, authorization=f"Basic {TOKEN}") == 401


async def test_a_token_never_reaches_the_provider_and_a_key_always_does() -> None:
    """What opens the door stays there, in either header."""
    upstream, gate = Upstream([Say("ok")] * 2), Noting()
    async with proxied(upstream, gate, token=TOKEN) as proxy:
        assert (await proxy.send(body=b"{}", x_pumice_token=TOKEN, authorization="Bearer sk-other"))[0] == 400
        assert (await proxy.send(body=b"{}", authorization=f"Bearer {TOKEN}"))[0] == 400
    first, second = (seen.headers for seen in upstream.seen)
    assert (first["authorization"], first["x-api-key"], "x-pumice-token" in first) == (
        "Bearer sk-other",
        KEYS["x-api-key"],
        False,
    )
    assert "authorization" not in second
    assert TOKEN not in repr(gate.calls)


async def test_credentials_are_in_no_log_no_number_and_no_error(caplog: pytest.LogCaptureFixture) -> None:
    """Whatever happens to a call: it succeeds, is refused, breaks off, is turned away or finds nobody."""
    caplog.set_level(logging.DEBUG)
    said = []
    upstream = Upstream([Say("ok")])
    path = "/v1beta/models/gemini-2.5-pro:generateContent?key=sk-secret-5"
    async with proxied(upstream) as proxy:
        upstream.then(Fault(body=b"{}"), Fault(status=401), Fault(body=b"{}"))
        for where in ("/v1/messages?key=sk-secret-5", path, "/v1/files?key=sk-secret-5"):
            said.append((await proxy.send(where, b"{}", **SECRETS))[2])
        said.append((await proxy.send(path, b"x", content_encoding="gzip", **SECRETS))[2])
        said.append((await proxy.send(path, b"x", host="evil.com", **SECRETS))[2])
        said.append((await proxy.send("/metrics", method="GET"))[2])
    async with proxied("http://127.0.0.1:9") as proxy:
        said += [(await proxy.send(where, str(HELLO).encode(), **SECRETS))[2] for where in (path, "/v1/files?key=sk-secret-5")]
        said.append((await proxy.send("/metrics", method="GET"))[2])
    assert "POST /v1beta/models/gemini-2.5-pro:generateContent 401" in caplog.text
    assert "sk-secret" not in caplog.text + str(said)
    assert all(f"sk-secret-{number}" in str(upstream.seen[1]) for number in range(1, 6))
