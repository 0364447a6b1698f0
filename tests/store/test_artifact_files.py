"""Artifacts as files: what is on disk, and what is done when it is wrong."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import zstandard

from pumice.domain.event import SessionKey
from pumice.errors import StoreError
from pumice.store.artifacts import FileArtifacts
from pumice.store.database import Database

KEY = SessionKey("acme", "s")


@pytest.fixture
async def artifacts(tmp_path: Path) -> AsyncIterator[FileArtifacts]:
    database = Database(tmp_path / "x.sqlite3", durability="full")
    yield FileArtifacts(tmp_path / "files", database)
    await database.close()


async def test_files_are_named_by_content_and_packed(artifacts: FileArtifacts, tmp_path: Path) -> None:
    """The same bytes under two names are one file, two folders deep, smaller than what is in it."""
    digest = await artifacts.put(KEY, "b1", b"line\n" * 10_000)
    await artifacts.put(KEY, "b2", b"line\n" * 10_000)
    (file,) = files(tmp_path)
    assert file == tmp_path / "files" / digest[:2] / digest[2:4] / f"{digest}.zst"
    assert file.stat().st_size < 1000


async def test_damage_is_found_by_the_hash(artifacts: FileArtifacts, tmp_path: Path) -> None:
    """Bytes that are not what was put are never given out."""
    await artifacts.put(KEY, "b1", b"text")
    (file,) = files(tmp_path)
    for damage in (b"no zstd", zstandard.compress(b"test")):
        file.write_bytes(damage)
        with pytest.raises(StoreError, match=r"'b1'.*damaged"):
            await artifacts.get(KEY, "b1")
    file.unlink()
    with pytest.raises(StoreError, match=r"'b1'.*damaged"):
        await artifacts.get(KEY, "b1")


async def test_collecting_takes_only_what_no_name_stands_for(artifacts: FileArtifacts, tmp_path: Path) -> None:
    """Orphans and half-written files go; named ones stay, also when nothing else is there."""
    await artifacts.put(KEY, "b1", b"text")
    (named,) = files(tmp_path)
    for stray in (named.with_suffix(".part"), named.with_name("0" * 64 + ".zst")):
        stray.write_bytes(b"stray")
    assert await artifacts.collect() == 2
    assert files(tmp_path) == [named]
    assert await artifacts.collect() == 0
    assert await artifacts.get(KEY, "b1") == b"text"


async def test_a_put_after_the_file_vanished_writes_it_again(artifacts: FileArtifacts, tmp_path: Path) -> None:
    """A repeated put heals a lost file."""
    await artifacts.put(KEY, "b1", b"text")
    files(tmp_path)[0].unlink()
    await artifacts.put(KEY, "b1", b"text")
    assert await artifacts.get(KEY, "b1") == b"text"


def files(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "files").glob("??/??/*"))
