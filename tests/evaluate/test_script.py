"""The script of a recording: groups, file reads, what responses needed, and what tokens were worth."""

import json
from typing import Any

import small_sessions as small

from pumice import wire
from pumice.evaluate import sources
from pumice.evaluate.factor import rates
from pumice.recordings.files import parse


def test_a_result_belongs_to_the_group_of_its_call() -> None:
    """Parallel calls and all their results are one group; each user message is one of its own."""
    both = small.call("t1", file_path="a.py")
    both["content"] += small.call("t2", file_path="b.py")["content"]
    answers = small.result("t2", "two")
    answers["content"] += small.result("t1", "one")["content"]
    found = small.written(small.user("go"), both, answers, small.user("and now"), small.said("done")).sources
    assert [source.group for source in found] == [0, 1, 1, 1, 1, 2, 3]
    assert [source.use.target for source in found if source.use] == ["a.py", "b.py", "b.py", "a.py"]


def test_words_and_results_in_one_message_are_two_groups() -> None:
    """What a person adds to a message of results is a user message of its own."""
    mixed = small.result("t1", "one")
    mixed["content"] += small.user("stop here")["content"]
    found = small.written(small.user("go"), small.call("t1", file_path="a.py"), mixed, small.said("done")).sources
    assert [source.group for source in found] == [0, 1, 1, 2, 3]


def test_a_reused_id_is_paired_by_occurrence() -> None:
    """Some agents number their calls anew in each turn."""
    messages = [small.user("go"), *small.read(1, "a.py", "one"), *small.read(1, "b.py", "two"), small.said("done")]
    found = small.written(*messages).sources
    assert [source.use.target for source in found if source.use] == ["a.py", "a.py", "b.py", "b.py"]


def test_a_moment_knows_only_what_came_before_it() -> None:
    """Nothing of the future leaks into what a view is judged by."""
    told = small.written(small.user("go"), *small.read(1, "a.py", "laterName"), small.said("laterName"), small.user("bye"))
    first, second, third, trailing = told.moments[0], told.moments[1], told.moments[-1], told.moments[-1]
    assert "laterName" not in first.fresh
    assert "laterName" in second.fresh
    assert [need.entity for need in second.needs] == ["laterName"]
    assert third is trailing
    assert trailing.call.response is None
    assert trailing.needs == ()


def _billed(*bills: int) -> Any:
    """A log of as many calls, each bringing 3,000 words, whose input was billed at this many tokens."""
    lines = []
    for number, bill in enumerate(bills):
        words = {"role": "user", "content": "word " * 3000}
        usage = {"input_tokens": bill, "output_tokens": 1}
        said = {"id": f"m{number}", "role": "assistant", "model": small.MODEL, "content": small.said("ok")["content"]}
        for kind, message in (("user", words), ("assistant", said | {"usage": usage})):
            at = f"2026-01-01T00:00:{number:02}Z"
            parent = lines[-1]["uuid"] if lines else None
            uuid = f"{kind}-{number}"
            lines.append({"type": kind, "uuid": uuid, "parentUuid": parent, "timestamp": at, "message": message})
    return parse("\n".join(map(json.dumps, lines)).encode(), "log.jsonl")[0]


def _factors(*bills: int) -> list[float]:
    found = _billed(*bills)
    dialect = wire.get(found.dialect)
    return [round(rate.factor, 2) for rate in rates(found, sources.read(found, dialect), dialect)]


def test_the_factor_is_learnt_from_growth_and_known_one_call_later() -> None:
    """Bills grow by twice the counted tokens: the family's factor first, then what was learnt, and no head in it."""
    assert _factors(50_000, 56_018, 62_036) == [1.25, 1.25, 2.0, 2.0]


def test_a_bill_that_shrinks_teaches_nothing() -> None:
    """The client has compacted in a way the log does not show."""
    assert _factors(50_000, 20_000, 26_018) == [1.25, 1.25, 1.25, 2.0]


def test_bills_of_the_recorded_model_do_not_calibrate_another() -> None:
    """`--model` prices and counts as for that model."""
    found = _billed(50_000, 56_018, 62_036)
    dialect = wire.get(found.dialect)
    assert {rate.factor for rate in rates(found, sources.read(found, dialect), dialect, model="gpt-4o")} == {1.0}
