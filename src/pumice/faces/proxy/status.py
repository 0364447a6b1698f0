"""The proxy's own routes: whether it is ready, its numbers, and what these routes are."""

from typing import Any

from starlette.endpoints import HTTPEndpoint
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

import pumice
from pumice.faces.proxy import metrics
from pumice.faces.proxy.journal import Journal
from pumice.wire import jsonbytes

_TEXT = {"text/plain": {"schema": {"type": "string"}}}


def _described(summary: str, content: dict[str, Any]) -> dict[str, Any]:
    return {"get": {"summary": summary, "responses": {"200": {"description": summary, "content": content}}}}


def _object(**properties: dict[str, Any]) -> dict[str, Any]:
    schema = {"type": "object", "required": list(properties), "properties": properties}
    return {"application/json": {"schema": schema}}


OPENAPI: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {"title": "pumice serve", "version": pumice.__version__},
    "paths": {
        "/": _described("What listens here", _object(name={"const": "pumice"})),
        "/healthz": _described("Whether calls are answered", _object(status={"const": "ready"})),
        "/metrics": _described("Numbers in Prometheus' text form", _TEXT),
        "/openapi.json": _described("This document", _object(openapi={"type": "string"}, paths={"type": "object"})),
    },
}
"""Everything else belongs to the providers and is described by them."""


class Root(HTTPEndpoint):
    """Clients knock here before their first call."""

    async def get(self, _: Request) -> Response:
        return JSONResponse({"name": "pumice"})


class Health(HTTPEndpoint):
    async def get(self, _: Request) -> Response:
        return JSONResponse({"status": "ready"})


class Metrics(HTTPEndpoint):
    async def get(self, request: Request) -> Response:
        journal: Journal = request.app.state.journal
        return PlainTextResponse(metrics.text(journal.metrics), media_type=metrics.CONTENT_TYPE)


class Described(HTTPEndpoint):
    async def get(self, _: Request) -> Response:
        return Response(jsonbytes.encode(OPENAPI), media_type="application/json")


ROUTES = [Route("/", Root), Route("/healthz", Health), Route("/metrics", Metrics), Route("/openapi.json", Described)]
_NOTHING = JSONResponse({"error": "nothing is served here: pumice serve --mcp serves MCP at /mcp"}, 404)
NO_MCP = [Route(path, _NOTHING) for path in ("/mcp", "/mcp/{rest:path}")]
"""Where MCP is not served: a provider has nothing there, and would read what the client wants pinned or looked for."""
