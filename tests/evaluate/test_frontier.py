"""The definitions are the ones the measured frontier was taken with (reference frontier.md §2.3)."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import pytest
from judge import View, full_views, judge, newest_views, pooled, recorded_views
from judge_log import Reader, Session, read_log

USABLE = 0.835
Views = Callable[[Session], dict[str, View]]

POLICIES: dict[str, Views] = {
    "full": full_views,
    "recorded": recorded_views,
    "newest": partial(newest_views, usable=int(60_000 * USABLE)),
}
MEASURED: dict[str, Mapping[str, float]] = {
    "full": {"cost": 100, "honest": 100, "far": 100, "far line": 100},
    "recorded": {"cost": 56.2, "honest": 64.3, "far": 88.5, "far line": 84.7, "read": 94.7, "reads": 92.2},
    "newest": {"cost": 122.9, "honest": 133.2, "far": 81.5, "far line": 77.9, "read": 98.2, "reads": 96.3},
}
"""In percent, pooled over the nine sessions."""


@pytest.mark.recordings
def test_the_second_judge_reproduces_the_frontier(data: Path) -> None:
    """Within a point, with arguments as JSON, without reasoning and at 1.25 tokens per o200k token, as they were taken.

    The judge that agrees with `replay` to the third digit is the one that agrees with the frontier; what differs in a replay
    is the text of arguments (leaves, by entities.md) and the token factor (learnt from bills, by DESIGN §5).
    """
    found: dict[str, list[dict[str, float]]] = {name: [] for name in POLICIES}
    for path in sorted((data / "claude-code").glob("*.jsonl")):
        session = read_log(path, Reader("json"), reasoning=False)
        for name, views in POLICIES.items():
            found[name].append(judge(session, views(session)))
    for name, measured in MEASURED.items():
        whole = pooled(found[name])
        assert {key: round(100 * whole[key], 1) for key in measured} == pytest.approx(measured, abs=1.0), name
    assert pooled(found["newest"])["cuts"] == 227
