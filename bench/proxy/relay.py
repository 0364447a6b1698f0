"""The least a proxy can be: `python -m bench.proxy.relay PORT UPSTREAM` sends a body on and hands back what comes."""

import sys
from collections.abc import AsyncIterator

import aiohttp
import uvloop
from aiohttp import web

HOP = ("host", "connection", "content-length", "transfer-encoding", "content-encoding")


def main() -> None:
    upstream = sys.argv[2]
    session: list[aiohttp.ClientSession] = []

    async def opened(_: web.Application) -> AsyncIterator[None]:
        async with aiohttp.ClientSession(auto_decompress=False) as made:
            session.append(made)
            yield

    async def relay(request: web.Request) -> web.StreamResponse:
        headers = {name: value for name, value in request.headers.items() if name.lower() not in HOP}
        body = await request.read()
        async with session[0].request(request.method, upstream + request.path_qs, headers=headers, data=body) as answer:
            given = {name: value for name, value in answer.headers.items() if name.lower() not in HOP}
            response = web.StreamResponse(status=answer.status, headers=given)
            await response.prepare(request)
            async for chunk in answer.content.iter_any():
                await response.write(chunk)
        return response

    app = web.Application(client_max_size=1 << 28)
    app.cleanup_ctx.append(opened)
    app.router.add_route("*", "/{path:.*}", relay)
    web.run_app(app, host="127.0.0.1", port=int(sys.argv[1]), print=None, access_log=None, loop=uvloop.new_event_loop())


if __name__ == "__main__":
    main()
