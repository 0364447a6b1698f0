"""Known failures of other agents, D: cuts inside a turn and at the edges of a history."""

import pytest
from rows import Row, listed, pairs, sent
from tests_support import code

from pumice import wire
from pumice.wire import rules

DIALECTS = list(wire.dialects)


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_d2_the_question_stays_with_the_work_on_it(dialect: str) -> None:
    """In a turn of many rounds the active request stands word for word in every view, whichever batch ends it was cut at."""
    row = Row(dialect).user("Rename frobnicate to wibble in all 40 modules and list those that fail.")
    await row.steps(40)
    assert row.views[-1].epoch > 1
    for view in row.views:
        assert "Rename frobnicate to wibble in all 40 modules and list those that fail." in str(sent(view))


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_d3_a_batch_that_is_not_complete_is_never_cut(dialect: str) -> None:
    """A call that still waits stays in view with what has come for its batch, however full the window is."""
    row = Row(dialect).user("Go.")
    await row.steps(6)
    row.uses(code("first", 30), None, ids=["w1", "w2"])
    compacted = await row.call()
    compacted = await row.session.compact(target=5000)
    calls, results = pairs(compacted, dialect)
    assert calls[-2:] == results[-2:] == ["w1", "w2"]
    assert rules.check(compacted.raw, dialect) == ()


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_d5_nothing_to_cut_is_no_cut(dialect: str) -> None:
    """Compacting what is small is a no-op with its reason: same messages, same epoch."""
    row = Row(dialect).user("hello").says("hi").user("bye")
    before = await row.call()
    for target, reason in ((None, "a tenth smaller"), (5000, "within the 5,000 asked for")):
        after = await row.session.compact(target=target)
        assert (sent(after), after.epoch) == (sent(before), before.epoch)
        assert [words for words in after.manifest.warnings if "nothing was compacted" in words and reason in words]


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_d7_the_agent_is_left_where_it_was(dialect: str) -> None:
    """A view ends with what the request ends with, so that the model goes on with the same turn after a cut."""
    row = Row(dialect).user("Go.")
    for _ in range(30):
        view = await row.steps(1)
        assert sent(view)[-1] == listed(row.body())[-1]
    assert view.epoch > 0
