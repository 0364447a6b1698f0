"""The numbers of `/metrics` as OpenTelemetry's instruments, and a span for each model call; never a word of it.

Names of a span's attributes are those of OpenTelemetry's conventions for generative AI, and `pumice.…` where they have none.
"""

import time
from collections.abc import Callable, Iterable, Mapping

from opentelemetry.metrics import CallbackOptions, MeterProvider, Observation
from opentelemetry.trace import SpanKind, Status, StatusCode, TracerProvider

import pumice
from pumice.faces.proxy.journal import Entry, Journal
from pumice.faces.proxy.metrics import Counter, Gauge, Histogram

PROVIDERS = {"anthropic": "anthropic", "openai-chat": "openai", "openai-responses": "openai", "gemini": "gcp.gemini"}
MOST_NAME = 100
"""Characters of a model's name: what a client writes there is not checked by anyone."""

_Value = str | int | float
_Callback = Callable[[CallbackOptions], Iterable[Observation]]


def attach(journal: Journal, meters: MeterProvider, tracers: TracerProvider) -> None:
    """From now on everything the journal counts is told to these providers, and each model call when it has ended."""
    meter = meters.get_meter("pumice", pumice.__version__)
    for metric in journal.metrics:
        if isinstance(metric, Histogram):
            bounds = list(metric.bounds)
            made = meter.create_histogram(metric.name, "1", metric.meaning, explicit_bucket_boundaries_advisory=bounds)
            metric.also = made.record
        elif isinstance(metric, Gauge):
            meter.create_observable_gauge(metric.name, [_read(metric)], "1", metric.meaning)
        elif isinstance(metric, Counter):
            meter.create_observable_counter(metric.name, [_read(metric)], "1", metric.meaning)
    tracer = tracers.get_tracer("pumice", pumice.__version__)

    def ended(entry: Entry) -> None:
        now, took = time.time_ns(), time.perf_counter() - entry.began
        found = attributes(entry)
        name = f"{found['gen_ai.operation.name']} {found.get('gen_ai.request.model', '')}".strip()
        span = tracer.start_span(name, kind=SpanKind.CLIENT, attributes=found, start_time=now - int(took * 1e9))
        if "error.type" in found:
            span.set_status(Status(StatusCode.ERROR))
        span.end(now)

    journal.ended = ended


def attributes(entry: Entry) -> Mapping[str, _Value]:
    """What a span says of a model call; what nobody knows is left out."""
    found: dict[str, _Value | None] = {
        "gen_ai.operation.name": "generate_content" if entry.named == "gemini" else "chat",
        "gen_ai.provider.name": PROVIDERS.get(entry.named, entry.named),
        "gen_ai.request.model": entry.model[:MOST_NAME] or None,
        "http.response.status_code": entry.status or None,
        "error.type": entry.fault or (str(entry.status) if entry.status >= 400 else None),
        "pumice.step": str(entry.stage),
        **_size(entry),
        **_cost(entry),
    }
    return {name: value for name, value in found.items() if value is not None}


def _size(entry: Entry) -> dict[str, _Value | None]:
    seen = entry.prepared.seen if entry.prepared is not None else None
    if seen is None:
        return {}
    return {"pumice.policy": seen.policy, "pumice.occupancy": seen.occupancy, "pumice.epochs": len(seen.epochs)}


def _cost(entry: Entry) -> dict[str, _Value | None]:
    row = entry.prepared.row if entry.prepared is not None else None
    if row is None:
        return {}
    return {
        "gen_ai.usage.input_tokens": row.sent if row.is_reported else None,
        "gen_ai.usage.output_tokens": row.output,
        "gen_ai.usage.cache_read.input_tokens": row.read if row.is_reported else None,
        "pumice.input_tokens.full": row.full,
        "pumice.cost.usd": row.cost_usd,
        "pumice.cost.full_usd": row.full_cost_usd,
    }


def _read(metric: Counter) -> _Callback:
    def read(_: CallbackOptions) -> Iterable[Observation]:
        return [Observation(value, metric.labelled(values)) for values, value in metric.values()]

    return read
