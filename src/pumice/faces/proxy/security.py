"""The door of the proxy: who may come in. What lies behind it never sees the token.

A web page must not reach a proxy on its visitor's machine: neither by a name it has pointed there (DNS rebinding, told by
`host`) nor across sites (told by `origin`). Where other machines may connect, clients show a token instead.
"""

from hashlib import sha256
from hmac import compare_digest
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Receive, Scope, Send

from pumice.faces.proxy import headers, refusals, routes
from pumice.faces.proxy.config import Config, is_loopback
from pumice.faces.proxy.journal import Journal

TOKEN = "x-pumice-token"  # noqa: S105  a header's name
OPEN_PATHS = ("/healthz",)
"""Served without a token: what watches a service has none."""


class Door:
    """ASGI middleware that turns away whoever may not use the proxy."""

    def __init__(self, app: ASGIApp, config: Config, journal: Journal) -> None:
        self._app, self._config, self._journal = app, config, journal

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        given = headers.read(scope["headers"])
        found = self._refusal(scope["path"], given)
        if found is not None:
            reason, status, message = found
            self._journal.turned_away.add(reason)
            named = routes.find(scope["method"], scope["path"], given).named
            return await _refuse(send, status, refusals.body(named, status, message))
        return await self._app(self._without_token(scope, given), receive, send)

    def _refusal(self, path: str, given: dict[str, str]) -> tuple[str, int, str] | None:
        if self._config.token:
            if path in OPEN_PATHS or any(self._is_token(shown) for shown in (given.get(TOKEN, ""), _bearer(given))):
                return None
            return "token", 401, f"This proxy wants its token: send it as {TOKEN}, or as a bearer where no key is one."
        host = given.get("host", "")
        if not is_loopback(_host_of(f"//{host}")):
            return "host", 403, f"Host {host[:100]!r} is not this machine: use http://127.0.0.1 or http://localhost."
        if not _may_ask(given.get("origin", "")):
            return "origin", 403, "Pages of other sites may not use this proxy."
        return None

    def _is_token(self, shown: str) -> bool:
        return compare_digest(sha256(shown.encode("utf-8", "surrogatepass")).digest(), self._config.token)

    def _without_token(self, scope: Scope, given: dict[str, str]) -> Scope:
        """A token sent as a bearer is no key of the provider's."""
        if not self._config.token:
            return scope
        shown = {TOKEN.encode(), b"authorization"} if self._is_token(_bearer(given)) else {TOKEN.encode()}
        return {**scope, "headers": [pair for pair in scope["headers"] if pair[0].lower() not in shown]}


def _may_ask(origin: str) -> bool:
    """Whether a client that names its origin is a page of this machine, or no page of the web at all.

    `null` is what a page of any site sends from a sandboxed frame.
    """
    scheme, mark, _ = origin.lower().partition("://")
    if scheme in ("http", "https"):
        return is_loopback(_host_of(origin))
    return bool(mark) or not origin


def _host_of(address: str) -> str:
    """The host of an address; empty for what is none."""
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def _bearer(given: dict[str, str]) -> str:
    kind, _, shown = given.get("authorization", "").partition(" ")
    return shown.strip() if kind.lower() == "bearer" else ""


async def _refuse(send: Send, status: int, body: bytes) -> None:
    raw = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": raw})
    await send({"type": "http.response.body", "body": body})
