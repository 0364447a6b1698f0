"""Keyed identity."""

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from pumice.errors import StoreError
from pumice.store.keys import open_identity, random_identity


def test_a_store_knows_its_own_blocks_again(tmp_path: Path) -> None:
    """The key is made once, readable by its owner only, and gives the same hash after a restart."""
    first = open_identity(tmp_path / "identity.key")(b"block")
    assert open_identity(tmp_path / "identity.key")(b"block") == first
    assert stat.S_IMODE((tmp_path / "identity.key").stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["identity.key"]


def test_threads_that_start_together_share_one_key(tmp_path: Path) -> None:
    """Of engines that open a new store at once one makes the key, and all of them read it whole."""
    together = Barrier(8)

    def opened(_: int) -> bytes:
        together.wait()
        return open_identity(tmp_path / "identity.key")(b"block")

    with ThreadPoolExecutor(8) as threads:
        assert len(set(threads.map(opened, range(8)))) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["identity.key"]


def test_two_stores_do_not_know_each_other(tmp_path: Path) -> None:
    """Hashes of one store say nothing about another's content."""
    one, other = (open_identity(tmp_path / name)(b"block") for name in ("a", "b"))
    assert len({one, other, random_identity()(b"block"), random_identity()(b"block")}) == 4


def test_a_broken_key_is_a_store_error(tmp_path: Path) -> None:
    """A key that was cut short is reported, never replaced in silence."""
    (tmp_path / "identity.key").write_bytes(b"short")
    with pytest.raises(StoreError, match="holds 5 bytes; expected 32"):
        open_identity(tmp_path / "identity.key")
    assert (tmp_path / "identity.key").read_bytes() == b"short"
