"""The providers' side: one pool of connections, addresses by provider, and failures as the status they mean."""

import io
import os
from collections.abc import AsyncIterator, Mapping
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp
from multidict import CIMultiDict
from yarl import URL

from pumice.faces.proxy.config import CHATGPT, Config, is_loopback
from pumice.faces.proxy.routes import OPENAI

_AT_ONCE = 1024 * 1024
"""Bytes of a body handed to the connection whole; more goes in pieces."""
_LINE = 64 * 1024
"""Bytes a provider's header line may have."""
_VERSIONS = ("/v1", "/v1beta", "/v1alpha")
FAULTS = (aiohttp.ClientError, TimeoutError, OSError)
"""What goes wrong between here and a provider."""


class Unreachable(Exception):
    """A provider gave no answer: `status` is what the client is told, `kind` what the metrics call it."""

    def __init__(self, status: int, kind: str, said: str) -> None:
        super().__init__(said)
        self.status, self.kind, self.said = status, kind, said


class Upstreams:
    """Sends requests on; answers are handed out raw, unread and not decompressed."""

    def __init__(self, config: Config) -> None:
        self._bases = config.upstreams
        self._limits = config.limits
        self._proxies = {base: _proxy(base) for base in set(config.upstreams.values())}
        self._client: aiohttp.ClientSession | None = None

    async def open(self) -> None:
        """The pool; inside the event loop it serves."""
        self._client = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0, ttl_dns_cache=60),
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=self._limits.connect, sock_read=self._limits.idle),
            auto_decompress=False,
            cookie_jar=aiohttp.DummyCookieJar(),
            skip_auto_headers=("user-agent", "accept", "accept-encoding", "content-type"),
            max_line_size=_LINE,
            max_field_size=_LINE,
        )

    async def close(self) -> None:
        if self._client is not None:
            await self._client.close()

    async def send(
        self, provider: str, method: str, path: str, headers: CIMultiDict[str], body: bytes | AsyncIterator[bytes] | None
    ) -> aiohttp.ClientResponse:
        """The beginning of an answer; whoever gets it closes it. Raises Unreachable; `path` is raw, with its query."""
        if self._client is None:
            raise RuntimeError("the pool is not open")
        base = self._base(provider, headers)
        data = io.BytesIO(body) if isinstance(body, bytes) and len(body) > _AT_ONCE else body
        try:
            return await self._client.request(
                method,
                address(provider, base, path),
                headers=headers,
                data=data,
                allow_redirects=False,
                proxy=self._proxies[base],
            )
        except FAULTS as error:
            raise unreachable(error, _host(base)) from error

    def _base(self, provider: str, headers: Mapping[str, str]) -> str:
        is_login = provider == OPENAI and "chatgpt-account-id" in headers
        return self._bases[CHATGPT if is_login else provider]


def address(provider: str, base: str, path: str) -> URL:
    """Where a client's path lies under a base, which is written as the provider's own clients take it.

    The version stands once: OpenAI's clients expect it in the base, so a base with a path has it or needs none.
    """
    own, version = urlsplit(base).path, f"/{path.removeprefix('/').partition('/')[0]}"
    has_version = bool(own) if provider == OPENAI else own.endswith(_VERSIONS)
    return URL(base + (path.removeprefix(version) if has_version and version in _VERSIONS else path), encoded=True)


def unreachable(error: BaseException, host: str) -> Unreachable:
    """A failure in words that hold nothing of the request."""
    if isinstance(error, TimeoutError):
        return Unreachable(504, "timeout", f"pumice: {host} did not answer in time.")
    if isinstance(error, aiohttp.ClientConnectorError):
        said = f"pumice: {host} cannot be reached ({_reason(error)}). Check the network, and the --…-upstream pumice was given."
        return Unreachable(502, "connect", said)
    return Unreachable(502, "broken", f"pumice: {host} broke the connection off before it answered.")


def _reason(error: aiohttp.ClientConnectorError) -> str:
    """What the system says of a connection that was not made, without the addresses it adds."""
    number = error.errno or 0
    return os.strerror(number) if number > 0 else error.strerror or "no connection"


def _host(base: str) -> str:
    """Whose address it is, and the port where one is written; a name and a password before it are left out."""
    return urlsplit(base).netloc.rpartition("@")[2]


def _proxy(base: str) -> str | None:
    """The proxy the environment names for an address (HTTPS_PROXY, NO_PROXY); never for this machine."""
    parts = urlsplit(base)
    if is_loopback(parts.hostname or "") or proxy_bypass(parts.netloc):
        return None
    return getproxies().get(parts.scheme)
