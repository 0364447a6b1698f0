"""What every store of artifacts promises."""

import hashlib

import pytest

from pumice.domain.event import SessionKey
from pumice.errors import NotAddressable, StoreError
from pumice.store.home import Store

KEY = SessionKey("acme", "build-42")


@pytest.mark.parametrize("data", [b"", b"\xff\x00", "長い出力\n".encode() * 5000], ids=["empty", "binary", "long"])
async def test_bytes_come_back_under_their_name(store: Store, data: bytes) -> None:
    """What was put is got byte for byte, and its address is its sha256."""
    assert await store.artifacts.put(KEY, "b1", data) == hashlib.sha256(data).hexdigest()
    assert await store.artifacts.get(KEY, "b1") == data


async def test_the_same_bytes_again_are_a_no_op(store: Store) -> None:
    """A write repeated after a doubtful answer does no harm."""
    first = await store.artifacts.put(KEY, "b1", b"text")
    assert await store.artifacts.put(KEY, "b1", b"text") == first
    assert await store.artifacts.names(KEY) == ["b1"]


async def test_a_name_is_written_once(store: Store) -> None:
    """A pointer in an old view never shows other bytes than it did."""
    await store.artifacts.put(KEY, "b1", b"text")
    with pytest.raises(StoreError, match="already written"):
        await store.artifacts.put(KEY, "b1", b"other")
    assert await store.artifacts.get(KEY, "b1") == b"text"


async def test_names_belong_to_a_session(store: Store) -> None:
    """One session cannot read another's artifacts, by the same name or at all."""
    await store.artifacts.put(KEY, "b1", b"mine")
    await store.artifacts.put(SessionKey("acme", "other"), "b1", b"theirs")
    assert await store.artifacts.get(KEY, "b1") == b"mine"
    for stranger in (SessionKey("evil", "build-42"), SessionKey("acme", "build-42", user="u2")):
        with pytest.raises(NotAddressable):
            await store.artifacts.get(stranger, "b1")
        assert await store.artifacts.names(stranger) == []


async def test_names_are_listed_in_order(store: Store) -> None:
    """The list of names does not depend on the order of writing."""
    for name in ("b2", "b10", "a-note.md"):
        await store.artifacts.put(KEY, name, name.encode())
    assert await store.artifacts.names(KEY) == ["a-note.md", "b10", "b2"]


async def test_unknown_name_is_not_addressable(store: Store) -> None:
    """A pointer to nothing says so."""
    with pytest.raises(NotAddressable, match="keeps nothing under 'b9'"):
        await store.artifacts.get(KEY, "b9")


async def test_a_name_may_stand_in_one_folder(store: Store) -> None:
    """Areas of the workspace are folders of the artifacts; the same name in two of them is two names."""
    await store.artifacts.put(KEY, "logs/build-1187", b"one")
    await store.artifacts.put(KEY, "build-1187", b"other")
    assert await store.artifacts.get(KEY, "logs/build-1187") == b"one"
    assert await store.artifacts.names(KEY) == ["build-1187", "logs/build-1187"]


@pytest.mark.parametrize(
    "name",
    [
        "../b1",
        "/etc/passwd",
        "a/b/c",
        "a/",
        "/b",
        "../a/b",
        "a/..",
        "A/b",
        "..",
        "a..b",
        "",
        ".hidden",
        "b1\n",
        "b\x001",
        "x" * 129,
        "b1#L2",
    ],
)
async def test_what_is_no_name_is_refused_both_ways(store: Store, name: str) -> None:
    """No name can lead out of the workspace."""
    with pytest.raises(NotAddressable, match="no artifact name"):
        await store.artifacts.get(KEY, name)
    with pytest.raises(NotAddressable, match="no artifact name"):
        await store.artifacts.put(KEY, name, b"x")


async def test_forgetting_leaves_the_bytes_others_name(store: Store) -> None:
    """Two sessions may hold the same bytes; one leaving does not take the other's."""
    other = SessionKey("acme", "other")
    await store.artifacts.put(KEY, "b1", b"shared")
    await store.artifacts.put(KEY, "b2", b"own")
    await store.artifacts.put(other, "b7", b"shared")
    assert await store.artifacts.forget(KEY) == 2
    assert await store.artifacts.names(KEY) == []
    assert await store.artifacts.get(other, "b7") == b"shared"
    with pytest.raises(NotAddressable):
        await store.artifacts.get(KEY, "b1")


async def test_forgetting_the_store_takes_events_and_artifacts(store: Store) -> None:
    """The bundle forgets a session whole."""
    await store.artifacts.put(KEY, "b1", b"x")
    assert await store.forget(KEY) == 1
    assert await store.forget(KEY) == 0
