"""Known failures of other agents, A: tool pairs and ids through cuts (on the wire alone: tests/wire/test_repair.py)."""

import pytest
from conversations import Item, Use, messages
from rows import Row, listed, pairs, sent

from pumice import wire
from pumice.wire import rules

DIALECTS = list(wire.dialects)


def assert_paired(row: Row) -> None:
    for view in row.views:
        calls, results = pairs(view, row.dialect)
        assert sorted(calls) == sorted(results)
        assert len(set(calls)) == len(calls)
        assert rules.check(view.raw, row.dialect) == ()


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_a1_a_cut_never_parts_a_call_from_its_result(dialect: str) -> None:
    """Whatever folds, folds with its other half."""
    row = Row(dialect).user("Fix it.")
    await row.steps(25)
    assert row.views[-1].epoch > 0
    assert_paired(row)


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_a2_a_session_with_an_aborted_call_still_compacts(dialect: str) -> None:
    """The call gets a result directly behind it, the same in every view of an epoch, and the manifest says so."""
    row = Row(dialect).user("Fix it.").reads(2).uses("one", None).user("Stop. Go on otherwise.")
    await row.call()
    compacted = await row.session.compact(target=6000)
    row.views.append(compacted)
    await row.steps(20)
    assert any("aborted" in sentence for sentence in row.views[0].manifest.repairs)
    assert_paired(row)


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_a3_a_batch_of_parallel_calls_stays_or_goes_as_one(dialect: str) -> None:
    """Of three parallel results all are in a view, or none but single pairs that are whole."""
    row = Row(dialect).user("Fix it.")
    for at in range(12):
        row.uses(*(f"result {at} {n}\n" + "line of text\n" * 120 for n in range(3)), tool="Bash", command=f"run {at}")
        await row.call()
    assert row.views[-1].epoch > 0
    assert_paired(row)


async def test_a5_a_refused_or_failed_call_is_closed() -> None:
    """An error or a refusal is a result like any other: nothing is added to it."""
    row = Row().user("Fix it.")
    row.uses("The user doesn't want to proceed with this tool use. The tool use was rejected.", tool="Bash", command="rm -rf x")
    view = await row.call()
    assert view.manifest.repairs == ()
    assert_paired(row)


async def test_a6_a_providers_own_pair_folds_as_one() -> None:
    """Server-side calls and their results inside one message are never parted by a cut."""
    row = Row(window=9000).user("Search.")
    await row.call()
    base = row.body()["messages"]
    for at in range(16):
        use = {"type": "server_tool_use", "id": f"srvtoolu_{at}", "name": "web_search", "input": {"query": f"q{at}"}}
        found = {"type": "web_search_tool_result", "tool_use_id": f"srvtoolu_{at}", "content": []}
        said = {"type": "text", "text": f"Found {at}. " + "It is long. " * 150}
        base += [{"role": "assistant", "content": [use, found, said]}, {"role": "user", "content": f"And {at}?"}]
        tools = [{"type": "web_search_20250305", "name": "web_search"}]
        view = await row.session.compile({**row.body(), "tools": tools, "messages": base}, dialect="anthropic")
        assert rules.check(view.raw, "anthropic") == ()
        text = view.raw.decode()
        for number in range(at + 1):
            halves = [f'"id":"srvtoolu_{number}"' in text, f'"tool_use_id":"srvtoolu_{number}"' in text]
            assert halves[0] == halves[1]
    assert view.epoch > 0


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_a7_what_was_added_for_a_call_goes_with_it(dialect: str) -> None:
    """Once the aborted call has folded, its aborted result is gone too."""
    row = Row(dialect).user("Fix it.").uses(None)
    row.user("Go on.")
    await row.steps(30)
    first, last = row.views[0].raw.decode(), row.views[-1].raw.decode()
    assert "aborted before" in first
    assert "aborted before" not in last
    assert_paired(row)


async def test_a9_a_call_that_compacted_itself_away_gets_no_result() -> None:
    """A result that comes for a call whose history was replaced is left out, and said."""
    row = Row().user("Fix it.").uses("done", ids=["k1"], tool="compact")
    await row.call()
    body = row.body()
    result = {"type": "tool_result", "tool_use_id": "k1", "content": "compacted"}
    body["messages"] = [{"role": "user", "content": "Summary of what was done."}, {"role": "user", "content": [result]}]
    view = await row.session.compile(body, dialect="anthropic")
    assert rules.check(view.raw, "anthropic") == ()
    assert any("answers no call" in sentence for sentence in view.manifest.repairs)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    "ids", [("x",), ("x", "x"), ("t" * 64, "t" * 64)], ids=["every_turn", "twice_in_a_batch", "as_long_as_may_be"]
)
async def test_a11_ids_a_model_uses_again_are_told_apart(dialect: str, ids: tuple[str, ...]) -> None:
    """Reused ids come out unique within their limit, results with their calls, over cuts and in both dialects."""
    row = Row(dialect).user("Fix it.")
    for at in range(14):
        row.uses(*(f"out {at}.{n} " * 150 for n in range(len(ids))), ids=ids, tool="Bash", command="make")
        await row.call()
    for view in row.views:
        found = pairs(view, dialect)
        assert all(len(ident) <= 64 for ident in found[0])
        assert rules.check(view.raw, dialect) == (), "over turns an id may come again (provider-contracts, corrections)"
    assert row.views[-1].epoch > 0
    names = [block.text.split()[1] for block in row.session.blocks().values() if block.kind == "result"]
    assert names == [f"{at}.{n}" for at in range(14) for n in range(len(ids))], "the log holds what came"


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_a13_a_late_duplicate_of_a_folded_call_is_dropped(dialect: str) -> None:
    """A result that comes again after its call has folded disturbs nothing."""
    row = Row(dialect).user("Fix it.").uses("first answer", ids=["c1"])
    await row.steps(25)
    late = messages([Item("results", uses=(Use("c1", "Read", {}, "first answer"),))], dialect)
    body = row.body()
    listed(body).extend(late)
    view = await row.session.compile(body, dialect=dialect)
    row.views.append(view)
    assert_paired(row)
    assert sent(view)
    assert any("'c1'" in sentence for sentence in view.manifest.repairs)
