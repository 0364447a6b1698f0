"""The proxy's own routes: as described, whatever is sent to them, and never with a fault of the server."""

import asyncio
import threading
from collections.abc import Iterator

import pytest
import schemathesis
from hypothesis import settings
from proxied import KEYS, proxied
from schemathesis.checks import not_a_server_error
from starlette.testclient import TestClient

from pumice.faces.proxy import status
from pumice.faces.proxy.app import create
from pumice.faces.proxy.config import configured
from pumice.faces.proxy.gate import Open, Stage
from pumice.faces.proxy.journal import Journal
from pumice.faces.proxy.metrics import Counter, Histogram, text
from pumice.faces.upstream import Upstream

ANY_JSON = {"requestBody": {"content": {"application/json": {"schema": {}}}}, "responses": {"4XX": {"description": "refused"}}}
CALLS = ("/v1/messages", "/v1/responses")
CALLED = {"openapi": "3.1.0", "info": {"title": "calls", "version": "1"}, "paths": {path: {"post": ANY_JSON} for path in CALLS}}
OWN, OTHERS = (schemathesis.openapi.from_dict(document) for document in (status.OPENAPI, CALLED))


@pytest.fixture(scope="module")
def running() -> Iterator[str]:
    """A proxy in a thread of its own, before an upstream that refuses whatever is no request."""
    began, over, urls = threading.Event(), asyncio.Event(), []

    async def serve() -> None:
        async with proxied(Upstream()) as proxy:
            urls.append((proxy.url, asyncio.get_running_loop()))
            began.set()
            await over.wait()

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    assert began.wait(20)
    (url, loop) = urls[0]
    yield url
    loop.call_soon_threadsafe(over.set)
    thread.join()


@OWN.parametrize()
@settings(max_examples=4)
def test_own_routes_are_as_described(running: str, case: schemathesis.Case) -> None:
    """Every check of schemathesis: statuses, types and bodies as the document says, wrong methods refused, no 5xx."""
    case.call_and_validate(base_url=running)


@OTHERS.parametrize()
@settings(max_examples=5)
def test_no_body_makes_the_proxy_fail(running: str, case: schemathesis.Case) -> None:
    """Whatever a call holds, the provider's refusal comes back, and no fault of the proxy's own."""
    case.call_and_validate(base_url=running, headers=KEYS, checks=[not_a_server_error])


def test_the_document_is_served() -> None:
    """What is checked here is what anyone can read."""
    client = TestClient(create(configured(), Open()), base_url="http://127.0.0.1")
    assert client.get("/openapi.json").json() == status.OPENAPI


def test_only_get_is_known_and_nothing_is_told() -> None:
    """Other methods are no reason to ask a provider; no version, path or address is given away."""
    client = TestClient(create(configured(), Open()), base_url="http://localhost")
    for path, body in (("/", {"name": "pumice"}), ("/healthz", {"status": "ready"})):
        assert client.get(path).json() == body
        assert client.head(path).status_code == 200
        assert [client.request(method, path).status_code for method in ("POST", "DELETE", "TRACE")] == [405] * 3


def test_what_is_asked_of_mcp_reaches_no_provider() -> None:
    """Where it is not served, or under another spelling, the client hears so, and what it asked stays here."""
    client = TestClient(create(configured(), Open()), base_url="http://localhost")
    for path in ("/mcp", "/mcp/", "/mcp/x"):
        assert [client.request(method, path).status_code for method in ("POST", "GET", "DELETE")] == [404] * 3
    assert "--mcp" in client.post("/mcp", json={}).text


def test_numbers_are_told_as_prometheus_reads_them() -> None:
    """Counters with labels, escaped; histograms add up; a metric without labels is there from the start."""
    seen = Counter("seen_total", "Seen.", ("kind",))
    seen.add('a"\\\n')
    took = Histogram("took_seconds", "Took.", bounds=(0.1, 1.0))
    for value in (0.1, 0.5, 7):
        took.see(value)
    assert text([seen, Counter("plain_total", "Plain."), took]).splitlines() == [
        "# HELP seen_total Seen.",
        "# TYPE seen_total counter",
        'seen_total{kind="a\\"\\\\\\n"} 1',
        "# HELP plain_total Plain.",
        "# TYPE plain_total counter",
        "plain_total 0",
        "# HELP took_seconds Took.",
        "# TYPE took_seconds histogram",
        'took_seconds_bucket{le="0.1"} 1',
        'took_seconds_bucket{le="1"} 2',
        'took_seconds_bucket{le="+Inf"} 3',
        "took_seconds_sum 7.6",
        "took_seconds_count 3",
    ]


def test_labels_are_few() -> None:
    """No label holds what a client chose: dialect, provider, step and status are short lists."""
    labels = {label for metric in Journal().metrics for label in metric.labels}
    assert labels == {"dialect", "provider", "stage", "status", "kind", "step", "reason", "policy", "cause", "level"}
    assert len(Stage) < 10
