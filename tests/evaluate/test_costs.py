"""What sessions cost: the replay's own sums, split by partition and drawn call by call."""

import json
from pathlib import Path

import pytest
import small_sessions as small

from pumice.evaluate import costs
from pumice.evaluate.options import Options
from pumice.evaluate.replay import File, Plan, no_tick, replay_file, result
from pumice.faces import settings

LINES = "".join(f"value_{at} = configuration.field_{at}\n" for at in range(80))


def session(tmp_path: Path, reads: int = 10, **head: object) -> Path:
    parts = [
        message for at in range(reads) for message in small.read(at, f"src/part_{at}.py", LINES.replace("value", f"v{at}"))
    ]
    file = tmp_path / f"{reads}.json"
    body = json.loads(small.body([small.user("Read all."), *parts, small.said("v3_9")]))
    file.write_text(json.dumps(body | head), "utf-8")
    return file


def plan(**options: object) -> Plan:
    policies = {"none": settings.policy("none"), "recorded": None, "balanced": settings.policy("balanced")}
    return Plan(policies=policies, options=Options(**({"window": 12_000} | options)))  # type: ignore[arg-type]


def test_the_sums_are_those_of_a_replay(tmp_path: Path) -> None:
    """Both commands bill alike: input, what of it is cached, and dollars."""
    file = session(tmp_path)
    (found,) = costs.measure(file, plan())
    replayed = result(replay_file(File(file, "session"), plan(), no_tick)).sessions[0].policies
    for name, one in found.policies.items():
        assert one.usd is not None
        assert one.usd.total == pytest.approx(replayed[name].cost_usd)
        assert (one.input_tokens, one.read_tokens) == (replayed[name].input_tokens, replayed[name].cache_read_tokens)
    assert found.policies["none"].share == pytest.approx(1.0, abs=1e-3)


def test_parts_add_up_to_the_whole(tmp_path: Path) -> None:
    """Partitions share the input's cost; kinds of token do; the last point of a curve is the total."""
    tools = [{"name": "Read", "description": "Reads a file.", "input_schema": {"type": "object"}}]
    (found,) = costs.measure(session(tmp_path, tools=tools, system="Be careful with everything."), plan())
    for name, one in found.policies.items():
        assert one.usd is not None
        assert one.so_far is not None
        assert one.usd.read + one.usd.written == pytest.approx(one.usd.total, abs=1e-5)
        assert one.so_far[-1] == one.usd.total
        assert list(one.so_far) == sorted(one.so_far)
        assert (one.by_partition is None) == (name == "recorded")
        if one.by_partition is not None:
            assert sum(one.by_partition.values()) == pytest.approx(one.usd.total, abs=1e-5)
            assert one.by_partition["system"] > 0


def test_resending_adds_up_with_the_square_of_the_calls(tmp_path: Path) -> None:
    """Twice the calls send four times the tokens in all; the cache makes it cheaper at every point (F-A3)."""
    short, long = (costs.measure(session(tmp_path, reads), plan())[0].full for reads in (10, 20))
    assert long[-1].sent / short[-1].sent == pytest.approx(4, rel=0.25)
    assert all(point.cached < point.uncached for point in long[2:])
    assert [point.call for point in long] == list(range(1, len(long) + 1))


def test_a_model_without_prices_has_no_dollars(tmp_path: Path) -> None:
    """Unknown is null, never nought; tokens are still told."""
    (found,) = costs.measure(session(tmp_path, model="house-model-1"), plan())
    assert found.full == ()
    for one in found.policies.values():
        assert (one.usd, one.share, one.by_partition, one.so_far) == (None, None, None, None)
        assert one.input_tokens > 0


def test_what_the_cache_missed_is_told_by_call(data: Path) -> None:
    """A real session's cache held what was foretold but for one call, and that one is named (F-A5)."""
    (found,) = costs.measure(data / "claude-code" / "13-db96e5c261-0.jsonl", Plan(policies={"recorded": None}))
    cache = found.cache
    assert cache.calls == found.calls
    assert cache.reported == pytest.approx(cache.predicted, rel=0.03)
    assert sum(missed.tokens for missed in cache.missed) >= 0.9 * (cache.predicted - cache.reported)
    assert all(missed.tokens > 256 for missed in cache.missed)
