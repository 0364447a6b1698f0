"""What OpenTelemetry is told: the numbers of `/metrics` and a span for each model call, and nothing that was said."""

import asyncio
import logging
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from gated import Gated, chat
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from proxied import proxied

from pumice import extras
from pumice.faces.proxy import otel, running
from pumice.faces.proxy.journal import Journal, log
from pumice.faces.upstream import Fault, Upstream
from pumice.wire import jsonbytes
from pumice.wire.double import Say

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "proxy.md").read_text("utf-8")


async def told(upstream: Upstream, body: Any) -> tuple[Journal, dict[str, Any], list[Any]]:
    """The journal, the data points of each metric and the spans after one call."""
    reader, spans = InMemoryMetricReader(), InMemorySpanExporter()
    tracers = TracerProvider(shutdown_on_exit=False)
    tracers.add_span_processor(SimpleSpanProcessor(spans))
    meters = MeterProvider([reader], shutdown_on_exit=False)
    async with proxied(upstream, Gated().gate) as proxy:
        otel.attach(proxy.journal, meters, tracers)
        await proxy.send(body=jsonbytes.encode(body), content_type="application/json")
        while proxy.journal.under_way.value():  # noqa: ASYNC110 - a call is on the books a little after its answer
            await asyncio.sleep(0.001)
    scopes = [scope for resource in reader.get_metrics_data().resource_metrics for scope in resource.scope_metrics]
    points = {metric.name: list(metric.data.data_points) for scope in scopes for metric in scope.metrics}
    meters.shutdown()
    return proxy.journal, points, list(spans.get_finished_spans())


async def test_numbers_are_those_of_the_metrics_and_a_span_holds_no_word() -> None:
    """Counters, gauges and histograms with their labels; a span by the conventions, each attribute on the page."""
    journal, points, spans = await told(Upstream([Say("An answer.")]), chat("A secret plan.", "claude-sonnet-4-5"))
    counts, labels = journal.counts, {"dialect": "anthropic", "policy": "balanced"}
    (sent,) = points["pumice_input_tokens_sent_total"]
    assert (sent.value, sent.attributes) == (counts.sent.value("anthropic", "balanced"), labels)
    assert [(point.value, point.attributes) for point in points["pumice_breakers_open"]] == [(0, {})]
    (full,) = points["pumice_occupancy_ratio"]
    assert (full.count, full.explicit_bounds) == (1, counts.occupancy.bounds)
    (span,) = spans
    assert span.name == "chat claude-sonnet-4-5"
    assert span.attributes["gen_ai.request.model"] == "claude-sonnet-4-5"
    assert span.attributes["gen_ai.usage.input_tokens"] == sent.value
    assert span.attributes["gen_ai.usage.output_tokens"] > 0
    assert span.end_time > span.start_time
    assert not any(word in span.to_json() for word in ("secret", "answer.", "sk-"))
    assert [name for name in (*span.attributes, "error.type") if f"`{name}`" not in PAGE] == []


async def test_a_call_that_failed_is_a_span_that_says_so() -> None:
    """The upstream's status is the error; nobody reported tokens, so none are told."""
    upstream = Upstream()
    upstream.then(Fault(status=529))
    _, _, (span,) = await told(upstream, chat("Go."))
    assert (span.attributes["error.type"], span.status.is_ok) == ("529", False)
    assert "gen_ai.usage.input_tokens" not in span.attributes


@pytest.mark.skipif(find_spec("opentelemetry.exporter") is not None, reason="the exporter is installed here")
@pytest.mark.parametrize("endpoint", ["", "http://127.0.0.1:9"])
def test_without_the_exporter_it_is_said_what_to_install(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only where somebody asks for an export; calls are served all the same."""
    said: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: said.append(record.getMessage())  # type: ignore[method-assign]
    monkeypatch.setenv(running.ENDPOINT, endpoint)
    log.addHandler(handler)
    try:
        running.exported(Journal())()
    finally:
        log.removeHandler(handler)
    assert len(said) == bool(endpoint)
    assert all(extras.command("otel") in line for line in said)
