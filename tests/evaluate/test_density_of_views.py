"""The density of recorded views: what nobody used, what stands twice, what is read again, by call and by tool."""

from pathlib import Path

import pytest
import small_sessions as small

from pumice.evaluate import density
from pumice.evaluate.density import SessionDensity
from pumice.evaluate.options import Options
from pumice.evaluate.replay import Plan
from pumice.faces import settings

LONG = "".join(f"maximumRetries_{at} = {at}\n" for at in range(60))
OTHER = "".join(f"unusedThing_{at} = {at}\n" for at in range(60))


def measured(tmp_path: Path, *messages: small.Message, plan: Plan | None = None) -> SessionDensity:
    file = tmp_path / "session.json"
    file.write_bytes(small.body(messages))
    (found,) = density.measure(file, plan or Plan(policies={"recorded": None}))
    return found


def test_what_no_answer_takes_up_is_unreferenced(tmp_path: Path) -> None:
    """A file whose names are used later is worth its tokens at every call, one that nobody mentions at none."""
    found = measured(
        tmp_path,
        small.user("Read both."),
        *small.read(1, "src/pool.py", LONG),
        *small.read(2, "src/other.py", OTHER),
        small.said("maximumRetries_7 it is"),
    ).policies["recorded"]
    rows = {call.call: call for call in found.by_call}
    assert [rows[call].tokens < rows[call + 1].tokens for call in (1, 2)] == [True, True]
    assert rows[2].unreferenced_share is not None
    assert rows[2].unreferenced_share < 0.2
    assert rows[3].unreferenced_share == pytest.approx(0.5, abs=0.1)
    assert found.pooled.tokens == sum(call.tokens for call in found.by_call)
    (tool,) = found.tools
    assert tool.tool == "Read"
    assert 0 < tool.unreferenced < tool.carried
    assert tool.carried > tool.tokens


def test_what_is_used_only_before_it_came_does_not_count(tmp_path: Path) -> None:
    """Uses count from the answer to the view on: the last view's only use is its own answer."""
    found = measured(tmp_path, small.user("Read."), *small.read(1, "src/pool.py", LONG), small.said("done, nothing to say"))
    assert found.policies["recorded"].by_call[-1].unreferenced_share == pytest.approx(1.0, abs=0.1)


def test_the_same_file_read_again_is_counted_and_stands_twice(tmp_path: Path) -> None:
    """A second read of a file is a re-read and, unchanged, a repeat; another file or another part of it is neither."""
    again = [*small.read(1, "src/pool.py", LONG), *small.read(2, "src/pool.py", LONG)]
    part = [small.call("toolu_3", file_path="src/pool.py", offset=40), small.result("toolu_3", "tail")]
    found = measured(tmp_path, small.user("Read."), *again, *part, small.said("maximumRetries_1")).policies["recorded"]
    assert found.pooled.reread_rate == pytest.approx(1 / 3, abs=1e-3)
    assert [call.reread_rate for call in found.by_call] == [None, 0.0, 0.5, pytest.approx(1 / 3, abs=1e-3)]
    assert found.by_call[1].repeated_share == 0.0
    assert found.by_call[2].repeated_share == pytest.approx(0.5, abs=0.1)
    (tool,) = found.tools
    assert (tool.reads, tool.rereads) == (3, 1)


def test_writes_and_failures_are_no_reads(tmp_path: Path) -> None:
    """An edit made twice and a file that is not there are not fetched again."""
    edits = [small.call("e1", "Edit", file_path="a.py"), small.result("e1", "ok")] * 2
    missing = [small.call("r1", file_path="no.py"), small.result("r1", "no such file", is_error=True)]
    found = measured(tmp_path, small.user("Go."), *edits, *missing, *missing, small.said("well"))
    assert found.policies["recorded"].pooled.reread_rate is None


def test_views_under_a_policy_are_measured_as_they_are_sent(tmp_path: Path) -> None:
    """The same session, folded to fit, shows fewer tokens; what was read is the history's, whatever the policy."""
    reads = [message for at in range(12) for message in small.read(at, f"src/part_{at}.py", LONG.replace("Retries", f"R{at}"))]
    plan = Plan(policies={"recorded": None, "balanced": settings.policy("balanced")}, options=Options(window=8_000))
    found = measured(tmp_path, small.user("Read all."), *reads, small.said("maximumR3_9"), plan=plan)
    whole, folded = found.policies["recorded"].pooled, found.policies["balanced"].pooled
    assert folded.tokens < whole.tokens
    assert folded.reread_rate == whole.reread_rate == 0.0
    assert [call.call for call in found.policies["balanced"].by_call] == list(range(1, found.calls + 1))


@pytest.mark.recordings
def test_compaction_makes_real_views_denser(data: Path) -> None:
    """Over real sessions a balanced view holds a smaller share nobody uses than the full one (F-A7)."""
    plan = Plan(policies={"recorded": None, "balanced": settings.policy("balanced")}, options=Options(window=60_000))
    for name in ("13-db96e5c261-0", "7d-66f047ac98-0", "98-78b713483d-0"):
        (found,) = density.measure(data / "claude-code" / f"{name}.jsonl", plan)
        shares = [found.policies[policy].pooled.unreferenced_share or 0 for policy in ("recorded", "balanced")]
        assert shares[1] < 0.8 * shares[0], name
