"""A client that times its calls."""

import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import aiohttp
import msgspec

from bench.proxy.contenders import Contender
from bench.proxy.shapes import Talk

PATIENCE = 120.0


class Refused(Exception):
    """A contender did not answer 200."""


class Timed(msgspec.Struct, frozen=True):
    """Milliseconds of one call."""

    first: float
    """To the first byte of the answer's body."""
    whole: float
    headers: Mapping[str, str]


@asynccontextmanager
async def session() -> AsyncIterator[aiohttp.ClientSession]:
    """Connections that are kept, as many as it takes."""
    timeout = aiohttp.ClientTimeout(total=PATIENCE)
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0), timeout=timeout) as made:
        yield made


async def call(session: aiohttp.ClientSession, contender: Contender, talk: Talk, number: int) -> Timed:
    """One call of a session. Raises Refused."""
    body = talk.body(number)
    headers = {"content-type": "application/json", **talk.shape.headers, **_mark(talk)}
    began = time.perf_counter()
    try:
        async with session.post(contender.url + talk.path, data=body, headers=headers) as answer:
            first = await answer.content.readany()
            at_first = time.perf_counter()
            rest = await answer.content.read()
            ended = time.perf_counter()
    except (aiohttp.ClientError, TimeoutError) as error:
        raise Refused(f"{type(error).__name__}: {error}") from error
    if answer.status != 200:
        raise Refused(f"{answer.status} {(first + rest)[:200].decode('utf-8', 'replace')}")
    return Timed(1000 * (at_first - began), 1000 * (ended - began), dict(answer.headers))


def _mark(talk: Talk) -> Mapping[str, str]:
    """How Claude Code and Codex name a session; Gemini's clients do not."""
    name = {"anthropic": "x-claude-code-session-id", "openai-responses": "thread-id"}.get(talk.dialect)
    return {name: f"bench-{talk.seed}"} if name else {}
