"""What the proxy tells about itself: a line for each request and its numbers; nothing of what a request holds.

Neither ever has a body, a header, a query or a name a client chose: keys stand in all of them.
"""

import logging
import time
from collections.abc import Callable

import msgspec

from pumice.faces.proxy.counts import Counts
from pumice.faces.proxy.gate import Prepared, Stage
from pumice.faces.proxy.metrics import Counter, Gauge, Histogram, Metric

log = logging.getLogger("pumice.proxy")
LEFT = "left"
"""`Entry.fault` where the client went before its answer was complete."""


class Entry(msgspec.Struct):
    """One request on its way; times are readings of `time.perf_counter`."""

    method: str
    path: str
    """As it was written, without its query."""
    named: str
    """Dialect of a model call, else the provider."""
    is_call: bool
    began: float = msgspec.field(default_factory=time.perf_counter)
    stage: Stage = Stage.PASSED
    status: int = 0
    """What the client was told; 0: nothing."""
    fault: str = ""
    """What went wrong on the way, one word."""
    model: str = ""
    """As a model call names it; empty where nobody is told."""
    prepared: Prepared | None = None
    """What its gate made of a model call, and came to know of it."""


class Journal:
    """Counts and logs. The metrics' names and meanings are the public ones of `/metrics`."""

    def __init__(self) -> None:
        self.calls = Counter("pumice_calls_total", "Model calls answered.", ("dialect", "stage", "status"))
        self.passed = Counter("pumice_passed_total", "Requests passed through that are no model calls.", ("provider", "status"))
        self.under_way = Gauge("pumice_under_way", "Requests not answered to their end yet.")
        self.prepared = Histogram(
            "pumice_prepare_seconds", "From the last byte of a model call to the first one sent upstream.", ("dialect",)
        )
        self.first_byte = Histogram(
            "pumice_upstream_first_byte_seconds", "From there to the first byte of the upstream's answer.", ("dialect",)
        )
        self.received = Counter("pumice_received_bytes_total", "Bytes of model calls as clients sent them.", ("dialect",))
        self.sent = Counter("pumice_sent_bytes_total", "Bytes of model calls as they went upstream.", ("dialect",))
        self.faults = Counter(
            "pumice_upstream_faults_total",
            "Upstreams that could not be reached, were silent or broke off.",
            ("dialect", "kind"),
        )
        self.left = Counter("pumice_clients_left_total", "Clients that left before their answer was complete.", ("dialect",))
        self.retried = Counter(
            "pumice_retried_total",
            "Model calls sent once more because the upstream refused what pumice made of them.",
            ("dialect",),
        )
        self.shielded = Counter("pumice_engine_faults_total", "Faults of the engine that no client noticed.", ("step",))
        self.turned_away = Counter("pumice_turned_away_total", "Requests refused at the door.", ("reason",))
        self.counts = Counts()
        self.ended: Callable[[Entry], None] | None = None
        """Who else is told each model call when it has ended."""

    @property
    def metrics(self) -> list[Metric]:
        return [*(value for value in vars(self).values() if isinstance(value, Metric)), *self.counts.metrics]

    def end(self, entry: Entry) -> None:
        """Called once for each request, however it ended."""
        self.under_way.add(by=-1)
        status = f"{entry.status // 100}xx" if entry.status else "none"
        if entry.is_call:
            self.calls.add(entry.named, entry.stage, status)
            self.left.add(entry.named, by=entry.fault == LEFT)
            if self.ended is not None:
                self.ended(entry)
        else:
            self.passed.add(entry.named, status)
        if log.isEnabledFor(logging.INFO):
            took = 1000 * (time.perf_counter() - entry.began)
            words = [entry.method, entry.path, entry.status or "-", entry.stage, f"{took:.0f} ms", entry.fault]
            log.info(" ".join(str(word) for word in words if word))
