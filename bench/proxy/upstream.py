"""A provider that does next to nothing, so that what is measured is the proxy: `python -m bench.proxy.upstream`.

It looks for the newest tool call's id in a body and answers with the step that comes next in the session, written once.
`GET /peaks` says how many tokens the biggest body of each path had, when started with `--count`.
"""

import re
import sys
from functools import lru_cache
from typing import Any

import msgspec
import uvloop
from aiohttp import web

from bench.proxy import talks
from bench.proxy.shapes import SHAPES, Talk
from pumice.faces.proxy import routes
from pumice.measure import tokens
from pumice.wire.double import Double, Say, Use

_ID = re.compile(rb"call_(\d+)x(\d+)")
_REPORTED = re.compile(rb'"(input_tokens|prompt_tokens|promptTokenCount)":\d+')
_CACHED = re.compile(rb'"(cache_creation_input_tokens|cache_read_input_tokens)":\d+')
_STREAM = re.compile(rb'"stream": ?true')
_TAIL = 64 * 1024
"""Bytes from the end in which the newest call is looked for first."""
BYTES_A_TOKEN = 3.59
"""Of bodies as `talks` makes them, by o200k."""


class Upstream:
    def __init__(self, *, counts: bool) -> None:
        self._counts = counts
        self._peaks: dict[str, list[float]] = {}

    async def peaks(self, _: web.Request) -> web.Response:
        return web.json_response(self._peaks)

    async def answer(self, request: web.Request) -> web.StreamResponse:
        body = await request.read()
        route = routes.find(request.method, request.path, {})
        if not route.dialect:
            return web.json_response({"data": []})
        is_stream = route.is_stream or _STREAM.search(body) is not None
        seed, number = newest(body)
        said = _REPORTED.sub(rb'"\1":%d' % self._size(body, route.dialect), written(route.dialect, is_stream, seed, number))
        return web.Response(body=said, content_type="text/event-stream" if is_stream else "application/json")

    def _size(self, body: bytes, dialect: str) -> int:
        factor = SHAPES[dialect].factor
        size = factor * (counted(body) if self._counts else len(body) / BYTES_A_TOKEN)
        if self._counts:
            self._peaks.setdefault(dialect, []).append(round(size))
        return round(size)


def newest(body: bytes) -> tuple[int, int]:
    """Session and number of the step to answer with."""
    found = _ID.findall(body, max(0, len(body) - _TAIL)) or _ID.findall(body)
    return (int(found[-1][0]), int(found[-1][1]) + 1) if found else (0, 0)


@lru_cache(maxsize=4096)
def written(dialect: str, is_stream: bool, seed: int, number: int) -> bytes:
    step = talks.step(seed, number)
    talk = Talk(dialect, seed, is_stream=is_stream)
    double = Double([Say(step.text, (Use(step.tool, step.given, step.id),))])
    said = double.answer(talk.body(0), dialect, model=talk.shape.model, is_stream=is_stream).body
    return _CACHED.sub(rb'"\1":0', said)


def counted(body: bytes) -> int:
    """Tokens of every text in a body, by o200k: names of fields and ids too."""
    return tokens.count("\n".join(_texts(msgspec.json.decode(body))))


def _texts(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for key, inner in value.items() for text in (key, *_texts(inner))]
    if isinstance(value, list):
        return [text for inner in value for text in _texts(inner)]
    return [str(value)]


def main() -> None:
    made = Upstream(counts="--count" in sys.argv)
    app = web.Application(client_max_size=1 << 28)
    app.router.add_get("/peaks", made.peaks)
    app.router.add_route("*", "/{path:.*}", made.answer)
    web.run_app(app, host="127.0.0.1", port=int(sys.argv[1]), print=None, access_log=None, loop=uvloop.new_event_loop())


if __name__ == "__main__":
    main()
