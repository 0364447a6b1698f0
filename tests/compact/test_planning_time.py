"""Planning one compaction of a long session takes no time a user would notice."""

import time

import pytest
from msgspec.structs import replace

from pumice.compact import planner
from pumice.domain.book import Book
from pumice.domain.decision import Cause
from pumice.domain.policy import Budget, Judge, Offload, Policy, Recent
from pumice.measure import tokens

SECONDS = 0.6
"""Of processor time: four times what is aimed at, since this runs beside other tests."""


@pytest.fixture
def book(story) -> Book:
    """About 200,000 tokens in 1,000 steps: files, logs, searches and JSON."""
    for at in range(340):
        if at % 20 == 0:
            story.user(f"Please look at part {at} of the parser and go on with it.")
        code = "\n".join(f"{line:5}→def helper_{at}_{line}(value): return conf_{at}.field_{line}" for line in range(1, 16))
        log = "\n".join(f"[{line:04}] unit_{line} of src/part_{at}.c took {line * 31} ms" for line in range(14))
        rows = ",".join(f'{{"id": {row}, "name": "item-{at}-{row}", "ok": true}}' for row in range(14))
        story.step(f"I read helper_{at}_3.", ("Read", {"file_path": f"src/part_{at % 40}.py"}, code))
        story.step("", ("Bash", {"command": f"make part_{at}"}, log))
        story.step("", ("Grep", {"pattern": f"helper_{at}"}, f"[{rows}]"))
    return story.book()


@pytest.mark.parametrize(
    "options",
    [
        {"order": ("mechanical", "offload")},
        {"order": ("offload",), "offload": Offload("judged"), "judge": Judge(min_reduction=0.0)},
        {"order": ("recent",), "recent": Recent("hybrid")},
        {"order": ("recent",), "recent": Recent("tool_rounds")},
    ],
)
def test_a_session_of_200k_tokens_is_planned_at_once(book, room, options) -> None:
    """Every level without a model, the counter of the product included."""
    large = replace(room, window=210_000, usable=180_000, view=200_000)
    policy = Policy("test", budget=Budget(to=0.4), **options)
    tokens.count("the vocabulary is loaded")
    started = time.process_time()
    cut = planner.plan(book, large, policy, cause=Cause.BUDGET, necessary=True, count=tokens.count_many)
    assert time.process_time() - started < SECONDS
    assert cut.tokens < 0.8 * 200_000
