"""What every keeper of accounts promises."""

import msgspec
from rows_of_calls import KEY, entered, facts, usage

from pumice.domain.event import SessionKey
from pumice.store.home import Store

ROWS = entered(
    [
        facts(1, full=900, sent=900, usage=usage(900, 0), policy="balanced", is_own=True),
        facts(2, full=1500, sent=1100, usage=usage(1100, 900), read_backs=2),
        facts(3, model="house-model", stage="client"),
    ]
)


async def test_rows_come_back_as_they_were(store: Store) -> None:
    """Unknown money and unknown tokens stay unknown, and truth values stay such."""
    for row in ROWS:
        await store.accounts.add(row)
    assert await store.accounts.of_session(KEY) == ROWS
    assert ROWS[2].cost_usd is None
    assert ROWS[2].sent is None


async def test_rows_are_told_by_tenant_and_time(store: Store) -> None:
    """A day's rows, oldest first however they came, and nobody else's."""
    other = msgspec.structs.replace(ROWS[0], key=SessionKey("acme", "x"))
    for row in (ROWS[1], other, ROWS[0]):
        await store.accounts.add(row)
    assert await store.accounts.since("local") == ROWS[:2]
    assert await store.accounts.since("local", ROWS[1].at) == ROWS[1:2]
    assert await store.accounts.since("acme") == [other]


async def test_a_forgotten_session_leaves_no_account(store: Store) -> None:
    """Accounts go with their session, also where nothing else was ever kept of it."""
    await store.accounts.add(ROWS[0])
    assert await store.ledger.sessions("local") == []
    assert await store.forget(KEY) == 0
    assert await store.accounts.since("local") == []
    assert await store.accounts.forget(KEY) == 0
