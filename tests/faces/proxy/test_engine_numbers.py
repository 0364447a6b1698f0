"""What the engine tells of its calls at `/metrics`: sizes, money, epochs, passes and alerts (F-G1)."""

import asyncio
import re
from itertools import count
from typing import Any

from gated import FaultAt, Gated, bodies_of, chat, step
from proxied import proxied

from pumice.engine.alert import Kind
from pumice.faces.proxy.counts import Counts
from pumice.faces.proxy.gate import Prepared
from pumice.faces.proxy.observing import ObserveGate
from pumice.faces.proxy.seen import Seen
from pumice.faces.upstream import Upstream
from pumice.wire import jsonbytes
from pumice.wire.double import Say

SAMPLE = re.compile(r"^(pumice_\w+)(?:\{(.*)\})? (\S+)$", re.MULTILINE)


async def told(gated: Gated, bodies: list[Any]) -> dict[tuple[str, str], float]:
    """All samples of `/metrics` after so many calls, by name and labels."""
    upstream = Upstream([Say("ok")] * len(bodies))
    async with proxied(upstream, gated.gate) as proxy:
        for body in bodies:
            status, _, raw = await proxy.send(body=jsonbytes.encode(body), content_type="application/json")
            assert status == 200, raw
        while proxy.journal.under_way.value():  # noqa: ASYNC110 - a call is on the books a little after its answer
            await asyncio.sleep(0.001)
        _, _, text = await proxy.send("/metrics", method="GET")
    return {(name, labels): float(value) for name, labels, value in SAMPLE.findall(text.decode())}


def total(samples: dict[tuple[str, str], float], name: str, label: str = "") -> float:
    return sum(value for (found, labels), value in samples.items() if found == name and label in labels)


async def test_two_small_calls_are_counted_and_nothing_of_them_is_named() -> None:
    """Both at their own size and price, in one epoch; no label holds a model, a session or a word."""
    first = chat("A secret plan.")
    samples = await told(Gated(), [first, step(first, "a", "made")])
    labels = 'dialect="anthropic",policy="balanced"'
    sent = samples["pumice_input_tokens_sent_total", labels]
    assert (
        sent == samples["pumice_input_tokens_full_total", labels] == samples["pumice_input_tokens_reported_total", labels] > 0
    )
    assert 0 <= samples["pumice_cache_read_tokens_total", labels] < sent
    assert samples["pumice_cost_usd_total", labels] == samples["pumice_cost_full_usd_total", labels] > 0
    assert samples["pumice_occupancy_ratio_count", labels] == 2
    assert samples["pumice_epochs_total", 'policy="balanced",cause="open"'] == 1
    assert samples["pumice_breakers_open", ""] == 0
    assert not any(word in labels for _, labels in samples for word in ("secret", "sonnet", "sess"))


async def test_cuts_are_counted_by_cause_and_level() -> None:
    """Beyond the window: epochs by cause, the levels that fired, blocks that left, and fewer tokens than the client's own."""
    seconds = count()
    samples = await told(Gated(window=20_000, clock=lambda: float(next(seconds))), bodies_of())
    cuts = total(samples, "pumice_epochs_total") - total(samples, "pumice_epochs_total", 'cause="open"')
    assert cuts >= 2
    assert total(samples, "pumice_alerts_total", f'kind="{Kind.TOO_OFTEN}"') == cuts - 1
    assert cuts <= total(samples, "pumice_levels_total")
    assert 1 <= total(samples, "pumice_blocks_left_total") <= 2 * 24 * cuts
    assert total(samples, "pumice_input_tokens_sent_total") < total(samples, "pumice_input_tokens_full_total")
    assert total(samples, "pumice_alerts_total", f'kind="{Kind.SIZE}"') >= 1


async def test_a_call_that_fell_is_counted_with_the_step_it_went_through_on() -> None:
    """The engine's plan breaks: the call goes through one step below, and no fault of the gate is counted."""
    samples = await told(Gated(fault=FaultAt("engine:plan")), [chat("Go on.")])
    assert samples["pumice_ladder_faults_total", 'stage="last-good"'] == 1
    assert total(samples, "pumice_engine_faults_total") == 0


async def test_observed_calls_are_counted_as_they_would_have_gone() -> None:
    """Epochs and occupancy are those of the views; tokens those of the client's own requests, which were sent."""
    samples = await told(Gated(kind=ObserveGate), [chat("Observe me.")])
    assert total(samples, "pumice_epochs_total", 'cause="open"') == total(samples, "pumice_occupancy_ratio_count") == 1
    assert total(samples, "pumice_input_tokens_sent_total") == total(samples, "pumice_input_tokens_full_total") > 0


def test_a_breaker_is_open_as_long_as_its_conversation_says_so() -> None:
    """Once for each conversation; passes that came to nothing and every kind of alert beside it."""
    counts = Counts()
    seen = [
        Seen("gemini", "lean", "a", 0.5, is_open=True, failed=2, alerts=(Kind.BREAKER, Kind.CACHE_HEAD)),
        Seen("gemini", "lean", "a", 0.5, is_open=True, is_declined=True, alerts=(Kind.BREAKER,)),
        Seen("gemini", "lean", "b", 0.5, is_open=True),
        Seen("gemini", "lean", "a", 0.5),
    ]
    opened = []
    for one in seen:
        counts.prepared(Prepared(b"", seen=one))
        opened.append(counts.open.value())
    assert opened == [1, 1, 2, 1]
    assert (counts.passes.value("lean", "failed"), counts.passes.value("lean", "declined")) == (2, 1)
    assert (counts.alerts.value("lean", "breaker_open"), counts.alerts.value("lean", "cache_head")) == (2, 1)
