"""Where OpenTelemetry's numbers and spans go: to `OTEL_EXPORTER_OTLP_ENDPOINT` over HTTP, and nowhere without it."""

import threading
from collections.abc import Callable

from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk.resources import OTELResourceDetector, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

import pumice
from pumice.faces.proxy import otel
from pumice.faces.proxy.journal import Journal

GRACE = 2.0
"""Seconds the last numbers and spans may take each when the proxy stops: nobody waits for a collector that is gone."""


def begin(journal: Journal) -> Callable[[], None]:
    """Export from now on, as OpenTelemetry's variables say; what is returned sends the rest and ends it."""
    named = Resource({"service.name": "pumice", "service.version": pumice.__version__})
    resource = named.merge(OTELResourceDetector().detect())
    meters = MeterProvider([PeriodicExportingMetricReader(OTLPMetricExporter())], resource, shutdown_on_exit=False)
    tracers = TracerProvider(resource=resource, shutdown_on_exit=False)
    tracers.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    otel.attach(journal, meters, tracers)

    def end() -> None:
        last = [threading.Thread(target=provider.shutdown, daemon=True) for provider in (tracers, meters)]
        for thread in last:
            thread.start()
        for thread in last:
            thread.join(GRACE)

    return end
