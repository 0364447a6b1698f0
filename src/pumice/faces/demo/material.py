"""What the demonstration's tools print: files, tests and logs of a made-up service that takes orders from a queue."""

from collections.abc import Sequence
from itertools import cycle, islice

LOST = "2026-11-29T03:12:44Z WARN  ctag-4f1c lost its channel (406), 212 unacked deliveries requeued, first tag 7719"
"""The one line of the broker's log that explains the fault, and that is asked for at the end."""
MODULES: dict[str, tuple[str, Sequence[str]]] = {
    "queue": ("OrderQueue", ("publish", "take", "ack", "nack", "requeue", "drain", "peek", "purge", "bind", "declare", "size")),
    "worker": ("Worker", ("start", "handle", "finish", "retry", "shutdown", "heartbeat", "claim", "release", "report", "loop")),
    "broker": ("Broker", ("connect", "channel", "confirm", "reconnect", "close", "consume", "qos", "publish", "tags", "ping")),
    "store": ("OrderStore", ("insert", "update", "find", "lock", "unlock", "commit", "rollback", "archive", "totals", "seen")),
    "retry": ("Backoff", ("delay", "reset", "jitter", "exhausted", "record", "budget", "next", "since", "cap", "describe")),
    "api": ("OrdersApi", ("create", "cancel", "refund", "status", "list", "export", "import_", "webhook", "health", "metrics")),
}
_BODIES = (
    (
        "with self._lock:",
        "    entry = self._entries.get(key)",
        "    if entry is None or entry.version < {n}:",
        '        raise StaleEntry(f"{verb}: {{key}} is older than {n}")',
        "    self._entries[key] = entry.moved({n})",
        "return entry",
    ),
    (
        "started = self._clock()",
        "for attempt in range(1, {n}):",
        "    if self._try_{verb}(key, attempt):",
        '        self._metrics.observe("{verb}_seconds", self._clock() - started)',
        "        return attempt",
        'raise GaveUp("{verb}", key, after={n})',
    ),
    (
        'log.debug("{verb} %s with limit {n}", key)',
        "rows = self._rows(key, limit={n})",
        "pending = [row for row in rows if row.state is State.OPEN and not row.is_expired()]",
        "if len(pending) > {n} // 2:",
        '    self._alerts.raise_once("too many open rows in {verb}", key)',
        "return sorted(pending, key=lambda row: row.created_at)",
    ),
)
_EVENTS = (
    "INFO  delivery {n} routed to orders.{kind} in {ms} ms",
    "INFO  ack {n} from ctag-{tag} after {ms} ms",
    "DEBUG heartbeat {n} of connection 10.0.{b}.{c}:5672 ok",
    "INFO  queue orders.{kind}: {ms} ready, {b} unacked",
    "DEBUG channel {b} flow resumed at offset {n}",
)
_KINDS = ("created", "paid", "packed", "sent", "refunded")


def source(name: str) -> str:
    """A module of the service, numbered as a read tool shows it."""
    title, verbs = MODULES[name]
    lines = [
        f'"""{title}: part of the orders service."""',
        "",
        "import logging",
        "",
        "log = logging.getLogger(__name__)",
        "",
        "",
    ]
    lines += [f"class {title}:", f'    """Keeps {name} entries in order and says what became of them."""', ""]
    for place, verb in enumerate(verbs):
        lines += _method(name, verb, place)
    return _numbered(lines)


def _method(name: str, verb: str, place: int) -> list[str]:
    number = 3 + (place * 7 + len(name) * 5) % 29
    body = [line.format(verb=verb, n=number) for line in _BODIES[(place + len(name)) % len(_BODIES)]]
    more = [f"self._{verb}_{part}(entry, limit={number + at})" for at, part in enumerate(("before", "within", "after"))]
    doc = f'"""{verb.capitalize()} one entry of the {name}; raises GaveUp after {number} attempts."""'
    return [
        f"    def {verb}(self, key: str) -> object:",
        *(f"        {line}" for line in (doc, *body[:-1], *more, body[-1])),
        "",
    ]


def checks(name: str) -> str:
    """A test module, numbered as a read tool shows it."""
    title, verbs = MODULES[name]
    lines = ['"""What the ' + name + ' promises."""', "", f"from orders.{name} import {title}", ""]
    for place, verb in enumerate(verbs):
        lines += ["", f"def test_{verb}_keeps_order(make_{name}):"]
        lines += [
            f"    one = make_{name}(limit={place + 4})",
            *(f"    one.{verb}('order-{48200 + place * 9 + at}')" for at in range(5)),
        ]
        lines += [f"    assert one.size() == {place + 4}", f"    assert one.log[-1].endswith('{verb}')", ""]
    return _numbered(lines)


def broker_log(lines: int = 1400) -> str:
    """A night of the message broker; one line in it matters."""
    made = [_event(number) for number in range(lines)]
    made[int(lines * 0.62)] = LOST
    return "\n".join(made)


def _event(number: int) -> str:
    seconds = 3600 * 2 + number * 3
    at = f"2026-11-29T{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}Z"
    said = _EVENTS[number * 3 % len(_EVENTS)].format(
        n=6100 + number,
        kind=_KINDS[number % 5],
        ms=number * 37 % 91,
        tag=f"{number * 7919 % 65521:04x}",
        b=number % 7,
        c=number % 251,
    )
    return f"{at} {said}"


def worker_log(lines: int = 1200) -> str:
    """The worker's own log: the same order twice, far apart."""
    made = [
        f"03:{number // 60 % 60:02}:{number % 60:02} worker-{number % 4} order {48000 + number} {state} ({number * 13 % 80} ms)"
        for number, state in enumerate(islice(cycle(("claimed", "stored", "acked")), lines))
    ]
    made[lines // 2] = "03:12:45 worker-2 ERROR order 48213 stored twice: delivery tag 7719 was acked on a channel that is gone"
    return "\n".join(made)


def suite_log(failing: Sequence[str] = ()) -> str:
    """A run of the whole suite, with a section for each test that fails."""
    names = [
        f"tests/test_{name}.py::test_{verb}_keeps_order[{case}]"
        for name, (_, verbs) in MODULES.items()
        for verb in verbs
        for case in range(5)
    ]
    lines = [
        f"{name} {'FAILED' if name in failing else 'PASSED'} [{100 * place // len(names):>3}%]"
        for place, name in enumerate(names)
    ]
    for name in failing:
        lines += [f"____ {name} ____", ">       assert one.size() == 6", "E       AssertionError: assert 7 == 6"]
        lines += ["E        +  where 7 = size(), order 48213 counted twice", f"FAILED {name}"]
    return "\n".join([*lines, f"==== {len(failing)} failed, {len(names) - len(failing)} passed in 41.7s ===="])


def listing() -> str:
    """The files of the service."""
    files = [f"src/orders/{name}.py" for name in MODULES] + [f"tests/test_{name}.py" for name in MODULES]
    return "\n".join([*files, "config/production.yaml", "docs/runbook.md", "migrations/0001_orders.sql", "CHANGELOG.md"])


def settings() -> str:
    """The configuration the service runs with."""
    lines = ["broker:", "  heartbeat: 30", "  prefetch: 256", "  reconnect: true", "queues:"]
    for name in MODULES:
        lines += [
            f"  orders.{name}:",
            "    durable: true",
            f"    max_length: {len(name) * 1000}",
            f"    ttl_seconds: {len(name) * 60}",
        ]
    return _numbered(lines)


def runbook() -> str:
    """What to do at night."""
    steps = [
        f"{at}. Look at orders.{kind}: more than {at * 100} ready means the workers are behind."
        for at, kind in enumerate(_KINDS * 6, 1)
    ]
    return _numbered(["# Runbook", "", *steps, "", "A channel that dies takes its unacked deliveries back into the queue."])


def search(word: str, *, every: int = 3) -> str:
    """Lines of the sources that hold a word, as a search tool shows them."""
    found = [f"src/orders/{name}.py:{line}" for name in MODULES for line in source(name).split("\n") if word in line]
    return "\n".join(found[::every])


def _numbered(lines: Sequence[str]) -> str:
    return "\n".join(f"{number:>5}\t{line}" for number, line in enumerate(lines, 1))
