"""What every ledger promises."""

import asyncio

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pumice.domain.event import Event, SessionKey
from pumice.errors import Conflict
from pumice.store.home import Store, memory_store

KEY = SessionKey("acme", "build-42", project="web", user="u1")


def message(text: str, branch: str = "main", at: float = 1.0) -> Event:
    return Event("message", text.encode(), branch=branch, at=at)


async def test_events_come_back_in_order_with_their_seq(store: Store) -> None:
    """What was appended is loaded byte for byte, numbered from 1."""
    given_events = [message("a"), Event("head", b"\x00\xff" * 900, branch="b2", at=2.5), message("")]
    assert await store.ledger.append(KEY, given_events, tips={"main": 0, "b2": 0}) == 3
    loaded = await store.ledger.load(KEY)
    assert [(event.seq, event.kind, event.data, event.branch, event.at) for event in loaded] == [
        (1, "message", b"a", "main", 1.0),
        (2, "head", b"\x00\xff" * 900, "b2", 2.5),
        (3, "message", b"", "main", 1.0),
    ]


async def test_loading_after_a_seq_gives_only_news(store: Store) -> None:
    """A reader that is up to seq n receives n+1 and later."""
    await store.ledger.append(KEY, [message(str(number)) for number in range(5)], tips={})
    assert [event.data for event in await store.ledger.load(KEY, after=3)] == [b"3", b"4"]
    assert await store.ledger.load(KEY, after=5) == []


async def test_unknown_session_is_empty(store: Store) -> None:
    """A session nobody wrote is no error."""
    assert await store.ledger.load(KEY) == []
    assert await store.ledger.sessions("acme") == []
    assert await store.ledger.forget(KEY) == 0


async def test_moved_tip_is_a_conflict_and_writes_nothing(store: Store) -> None:
    """A cut computed against an old tip is thrown away whole."""
    await store.ledger.append(KEY, [message("a")], tips={"main": 0})
    await store.ledger.append(KEY, [message("b")], tips={"main": 1})
    with pytest.raises(Conflict, match="stands at event 2, not at 1"):
        await store.ledger.append(KEY, [message("c"), message("d", branch="new")], tips={"new": 0, "main": 1})
    assert [event.data for event in await store.ledger.load(KEY)] == [b"a", b"b"]


async def test_a_branch_that_must_not_exist_conflicts_when_it_does(store: Store) -> None:
    """Two writers cannot open the same branch."""
    await store.ledger.append(KEY, [message("a", branch="fork")], tips={"fork": 0})
    with pytest.raises(Conflict):
        await store.ledger.append(KEY, [message("b", branch="fork")], tips={"fork": 0})


async def test_a_fork_is_no_conflict(store: Store) -> None:
    """Growth of another branch does not disturb the one built on."""
    await store.ledger.append(KEY, [message("a")], tips={"main": 0})
    await store.ledger.append(KEY, [message("x", branch="fork")], tips={"fork": 0})
    assert await store.ledger.append(KEY, [message("b")], tips={"main": 1}) == 3


async def test_appending_nothing_checks_the_tips_only(store: Store) -> None:
    """An empty append answers the last seq and leaves no session behind."""
    assert await store.ledger.append(KEY, [], tips={"main": 0}) == 0
    assert await store.ledger.sessions("acme") == []
    await store.ledger.append(KEY, [message("a")], tips={})
    assert await store.ledger.append(KEY, [], tips={"main": 1}) == 1
    with pytest.raises(Conflict):
        await store.ledger.append(KEY, [], tips={"main": 0})


async def test_sessions_of_other_owners_stay_apart(store: Store) -> None:
    """The same name under another tenant, project or user is another session."""
    keys = [
        SessionKey("acme", "s"),
        SessionKey("other", "s"),
        SessionKey("acme", "s", project="p"),
        SessionKey("acme", "s", user="u"),
    ]
    for number, key in enumerate(keys):
        await store.ledger.append(key, [message(str(number))], tips={"main": 0})
    assert [[event.data for event in await store.ledger.load(key)] for key in keys] == [[b"0"], [b"1"], [b"2"], [b"3"]]
    assert {info.key for info in await store.ledger.sessions("acme")} == {keys[0], keys[2], keys[3]}


async def test_sessions_tell_size_and_time_newest_first(store: Store) -> None:
    """The list of sessions says how much is kept and since when."""
    await store.ledger.append(KEY, [message("abc", at=10.0)], tips={})
    await store.ledger.append(KEY, [message("de", at=20.0), message("f", at=30.0)], tips={})
    await store.ledger.append(SessionKey("acme", "later"), [message("x", at=40.0)], tips={})
    later, first = await store.ledger.sessions("acme")
    assert later.key.session == "later"
    assert (first.key, first.events, first.first_at, first.last_at, first.bytes) == (KEY, 3, 10.0, 30.0, 6)


async def test_forgotten_session_is_gone_and_can_begin_anew(store: Store) -> None:
    """Forgetting says how much went, leaves the neighbours, and frees the name."""
    other = SessionKey("acme", "other")
    await store.ledger.append(KEY, [message("a"), message("b")], tips={})
    await store.ledger.append(other, [message("stays")], tips={})
    assert await store.ledger.forget(KEY) == 2
    assert await store.ledger.load(KEY) == []
    assert [info.key for info in await store.ledger.sessions("acme")] == [other]
    assert await store.ledger.append(KEY, [message("new")], tips={"main": 0}) == 1


async def test_concurrent_appends_are_all_kept(store: Store) -> None:
    """Appends that wait together each get their own seq, and none is lost."""
    seqs = await asyncio.gather(*(store.ledger.append(KEY, [message(str(number))], tips={}) for number in range(50)))
    assert sorted(seqs) == list(range(1, 51))
    assert {event.data for event in await store.ledger.load(KEY)} == {str(number).encode() for number in range(50)}


async def test_only_one_of_many_writers_on_a_tip_wins(store: Store) -> None:
    """Compare-and-swap: of writers that saw the same tip, one is first and the others are told."""
    tries = (store.ledger.append(KEY, [message(str(number))], tips={"main": 0}) for number in range(10))
    answers = await asyncio.gather(*tries, return_exceptions=True)
    assert sum(answer == 1 for answer in answers) == 1
    assert sum(isinstance(answer, Conflict) for answer in answers) == 9
    assert len(await store.ledger.load(KEY)) == 1


appends = st.lists(
    st.tuples(
        st.sampled_from("ab"), st.integers(0, 6), st.lists(st.tuples(st.sampled_from("ab"), st.binary(max_size=3)), max_size=3)
    ),
    max_size=8,
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(appends)
async def test_ledgers_agree_on_any_sequence(store: Store, steps: list[tuple[str, int, list[tuple[str, bytes]]]]) -> None:
    """Every implementation takes and refuses the same appends as the memory one, which is plain enough to be believed."""
    model = memory_store()
    await store.ledger.forget(KEY)
    for branch, seen, events in steps:
        given_events = [Event("message", data, branch=name) for name, data in events]
        answers = [
            await asyncio.gather(ledger.append(KEY, given_events, tips={branch: seen}), return_exceptions=True)
            for ledger in (store.ledger, model.ledger)
        ]
        assert repr(answers[0]) == repr(answers[1])
    assert await store.ledger.load(KEY) == await model.ledger.load(KEY)
