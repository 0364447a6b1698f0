"""A proxy between a client and the scripted upstream, all in one event loop, and a gate that writes down what it is told."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from io import BytesIO
from typing import Any

import aiohttp
from starlette.applications import Starlette
from yarl import URL

from pumice.faces.proxy.app import create
from pumice.faces.proxy.config import Limits, configured
from pumice.faces.proxy.emulate.setting import Mode
from pumice.faces.proxy.gate import Call, Gate, Open, Prepared, Reply, Stage
from pumice.faces.proxy.journal import Journal
from pumice.faces.serving import serving
from pumice.faces.upstream import Upstream

HELLO: dict[str, Any] = {"model": "claude-opus-4-8", "max_tokens": 99, "messages": [{"role": "user", "content": "hi"}]}
KEYS = {"x-api-key": "sk-secret-1", "anthropic-version": "2023-06-01"}


class Proxied:
    """A running proxy and a client of it that changes nothing on the way."""

    def __init__(self, url: str, app: Starlette, client: aiohttp.ClientSession) -> None:
        self.url, self.client = url, client
        self.journal: Journal = app.state.journal

    async def send(
        self, path: str = "/v1/messages", body: bytes | None = None, *, method: str = "POST", **headers: str
    ) -> tuple[int, Mapping[str, str], bytes]:
        """Status, headers and raw bytes of an answer; names of headers with `_` for `-`."""
        given = KEYS | {name.replace("_", "-"): value for name, value in headers.items()}
        data = BytesIO(body) if body is not None else None
        async with self.client.request(method, URL(self.url + path, encoded=True), data=data, headers=given) as answer:
            return answer.status, answer.headers, await answer.read()


@asynccontextmanager
async def proxied(
    upstream: Upstream | str,
    gate: Gate | None = None,
    *,
    limits: Limits | None = None,
    token: str = "",
    emulate: Mode = Mode.OFF,
) -> AsyncIterator[Proxied]:
    """A proxy whose providers are all the one upstream (or a base URL where nobody listens)."""
    async with _address(upstream) as base:
        upstreams = {"anthropic": base, "openai": f"{base}/v1", "gemini": base}
        app = create(configured(upstreams=upstreams, limits=limits, token=token, emulate=emulate), gate or Open())
        async with serving(app) as url, aiohttp.ClientSession(auto_decompress=False) as client:
            yield Proxied(url, app, client)


@asynccontextmanager
async def _address(upstream: Upstream | str) -> AsyncIterator[str]:
    if isinstance(upstream, str):
        yield upstream
        return
    async with serving(upstream) as base:
        yield base


class Noting:
    """A gate that rewrites as it is told and keeps what it hears."""

    def __init__(
        self,
        make: Callable[[Call], Prepared] | None = None,
        *,
        again: Prepared | None = None,
        held: Callable[[Reply], Reply | Prepared] | None = None,
    ) -> None:
        self._make, self._again, self._held = make, again, held
        self.calls: list[Call] = []
        self.fed: list[bytes] = []
        self.heard: list[tuple[str, Reply | None]] = []
        """What was called, in order: answered, broken, refused, held, closed."""
        self.over = asyncio.Event()
        """Set when an answer is complete or broken."""

    async def prepare(self, call: Call) -> Prepared:
        self.calls.append(call)
        return self._make(call) if self._make is not None else Prepared(call.body)

    def feed(self, prepared: Prepared, chunk: bytes) -> None:
        self.fed.append(chunk)

    async def answered(self, prepared: Prepared, reply: Reply | None) -> None:
        self.heard.append(("answered", reply))
        self.over.set()

    async def broken(self, prepared: Prepared) -> None:
        self.heard.append(("broken", None))
        self.over.set()

    async def refused(self, call: Call, prepared: Prepared, reply: Reply) -> Prepared | None:
        self.heard.append(("refused", reply))
        return self._again

    async def held(self, call: Call, prepared: Prepared, reply: Reply) -> Reply | Prepared:
        self.heard.append(("held", reply))
        return self._held(reply) if self._held is not None else reply

    async def close(self) -> None:
        self.heard.append(("closed", None))

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.heard]


def rewritten(body: bytes, **more: Any) -> Prepared:
    """What the engine would send in place of a call."""
    return Prepared(body, Stage.COMPILED, **more)
