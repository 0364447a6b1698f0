"""The proxy beside others: sessions that are valid in every format and the same each time, and what counts as added."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from pumice import wire
from pumice.wire import rules

ROOT = Path(__file__).resolve().parents[2]
DIALECTS = ("anthropic", "openai-chat", "openai-responses", "gemini")


@pytest.fixture
def proxy(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The bench stands beside the package, not in it."""
    monkeypatch.syspath_prepend(str(ROOT))
    yield lambda name: import_module(f"bench.proxy.{name}")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_session_is_valid_and_grows(proxy: Any, dialect: str) -> None:
    """Every body keeps the provider's rules, and each begins with the messages of the one before."""
    talk, again = (proxy("shapes").Talk(dialect, 3) for _ in range(2))
    bodies = [talk.body(number) for number in (0, 3, 4)]
    assert bodies[2] == again.body(4)
    requests = [wire.get(dialect).open(body).for_model(talk.shape.model) for body in bodies]
    assert [[*rules.missing(one), *rules.check_request(one)] for one in requests] == [[], [], []]
    before, after = requests[1].messages, requests[2].messages
    assert len(requests[0].messages) < len(before) < len(after)
    assert after[: len(before) - 1] == before[:-1], "but for the marker on the newest block"


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_upstream_answers_with_the_next_step(proxy: Any, dialect: str) -> None:
    """A session goes on from what its newest call was, whoever has rewritten the rest."""
    upstream, talk = proxy("upstream"), proxy("shapes").Talk(dialect, 3)
    assert upstream.newest(talk.body(0)) == (0, 0)
    assert upstream.newest(talk.body(4)) == (3, 4)
    said = wire.get(dialect).read_response(upstream.written(dialect, False, 3, 4))
    assert [block.call_id for block in said.blocks if block.call_id] == ["call_3x0004"]


def test_added_is_over_no_proxy_in_the_same_round(proxy: Any) -> None:
    """Of all rounds the least counts, and whoever left a call unanswered has no figures."""
    measuring = proxy("measuring")

    def sample(*times: float, fault: str = "") -> Any:
        return measuring.Sample(list(times), list(times), 10.0 * len(times), fault)

    rounds = [
        {"direct": sample(1.0, 2.0, 3.0), "slow": sample(5.0, 6.0, 9.0), "broken": sample(1.0)},
        {"direct": sample(4.0, 4.0, 4.0), "slow": sample(5.0, 6.0, 7.0), "broken": sample(1.0, fault="500")},
    ]
    found = measuring.figures(rounds)
    assert set(found) == {"direct", "slow"}
    assert (found["slow"].p50, found["slow"].p95, found["slow"].cpu) == (2.0, 3.0, 10.0)
    assert measuring.faults(rounds) == {"broken": "500"}
