"""The index for search in the database file: what it leaves behind, what it costs others."""

import asyncio
from pathlib import Path

import pytest

from pumice.domain.event import Event, SessionKey
from pumice.domain.ports import Found, Passage
from pumice.errors import StoreError
from pumice.store.home import open_store

KEY = SessionKey("acme", "gone")


def passages(word: str, blocks: int) -> list[Passage]:
    lines = "\n".join(f"{word}{number} of the usual words, error {number % 7}" for number in range(200))
    return [Passage(f"b{number}", f"{word}{number}", lines) for number in range(1, blocks + 1)]


async def test_forgotten_words_stand_in_no_file(tmp_path: Path) -> None:
    """After a forget, no segment of the index, free page or log holds a word of the session; others are found as before."""
    store = open_store(tmp_path)
    for word, key in (("zzgone", KEY), ("stays", SessionKey("acme", "stays")), ("zzgone", KEY)):
        await store.ledger.append(key, [Event("message", b"x")], tips={})
        await store.search.index(key, passages(word, 12))
    await store.search.index(KEY, [Passage("b1", "other", "zzgonetoo")])
    assert b"zzgone" in everything(tmp_path)
    await store.forget(KEY)
    assert b"zzgone" not in everything(tmp_path)
    assert (await store.search.query(SessionKey("acme", "stays"), ["stays7"], 1)).total == 12
    await store.close()


async def test_a_forgotten_session_is_not_indexed_again(tmp_path: Path) -> None:
    """A search that was under way while its session was forgotten brings nothing back."""
    store = open_store(tmp_path)
    await store.search.index(KEY, passages("zzgone", 1))
    assert await store.search.query(KEY, ["zzgone1"], 5) == Found((), 0)
    assert b"zzgone" not in everything(tmp_path)
    await store.close()


async def test_a_commit_does_not_wait_for_the_whole_index(tmp_path: Path) -> None:
    """Indexing gives the writer back between batches: what a call commits meanwhile is in long before the index is."""
    store = open_store(tmp_path)
    await store.ledger.append(KEY, [Event("message", b"x")], tips={})
    indexing = asyncio.create_task(store.search.index(KEY, passages("word", 300)))
    await asyncio.sleep(0)
    for _ in range(3):
        await store.ledger.append(KEY, [Event("message", b"y")], tips={})
    assert not indexing.done()
    await indexing
    assert (await store.search.query(KEY, ["word3"], 1)).total == 300
    await store.close()


async def test_the_index_survives_the_process_and_serves_another(tmp_path: Path) -> None:
    """What one process has indexed another finds, without doing it again."""
    store = open_store(tmp_path)
    await store.ledger.append(KEY, [Event("message", b"x")], tips={})
    await store.search.index(KEY, passages("word", 3))
    await store.close()
    again = open_store(tmp_path)
    assert (await again.search.query(KEY, ["word3"], 2)).places == (("b3", 4), ("b2", 4))
    await again.close()
    with pytest.raises(StoreError, match="closed"):
        await again.search.query(KEY, ["word3"], 2)


def everything(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())
