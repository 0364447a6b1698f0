"""The files a client reads by itself: no link that somebody has put in their way leads out of their folder."""

import asyncio
import os
from pathlib import Path

import pytest

from pumice.domain.event import SessionKey
from pumice.errors import StoreError
from pumice.store.workspace import Folders

KEY = SessionKey("local", "s")


async def test_a_link_is_neither_written_through_nor_removed_behind(tmp_path: Path) -> None:
    """A session's folder that leads elsewhere: nothing is made there, and forgetting takes nothing from there."""
    shelf, elsewhere = Folders(tmp_path / "workspace"), tmp_path / "elsewhere"
    folder = Path(shelf.folder(KEY))
    for path in (elsewhere, folder.parent.parent):
        path.mkdir()
    folder.parent.symlink_to(elsewhere)
    with pytest.raises(StoreError, match="leads elsewhere"):
        await shelf.write(str(folder), {"b1": "words"})
    assert not list(elsewhere.iterdir())
    (elsewhere / "artifacts").mkdir()
    (elsewhere / "artifacts" / "theirs").write_text("precious")
    assert await shelf.forget(str(folder)) == 0
    assert (elsewhere / "artifacts" / "theirs").read_text() == "precious"


def test_a_link_in_place_of_a_file_is_replaced(tmp_path: Path) -> None:
    """What it leads to stays as it is, also where the link has the name of a file that is being written."""
    shelf, theirs = Folders(tmp_path / "workspace"), tmp_path / "theirs"
    folder = Path(shelf.folder(KEY))
    folder.mkdir(parents=True)
    theirs.write_text("precious")
    for name in ("b1", f".b1.{os.getpid()}"):
        (folder / name).symlink_to(theirs)
    asyncio.run(shelf.write(str(folder), {"b1": "words"}))
    assert (theirs.read_text(), (folder / "b1").read_text(), (folder / "b1").is_symlink()) == ("precious", "words", False)
    assert asyncio.run(shelf.forget(str(folder))) == 1


@pytest.mark.parametrize("name", ["..", "../../etc/passwd", "/etc/passwd", "a/b", "a\x00b", "", "x" * 300, ".", "~"])
def test_no_name_of_a_session_leaves_the_workspace(tmp_path: Path, name: str) -> None:
    """A folder of our own making stands for whatever is no plain word; two names never share one."""
    shelf = Folders(tmp_path)
    folder = Path(shelf.folder(SessionKey("local", name)))
    assert folder.parent.parent == tmp_path
    assert folder.resolve() == folder
    assert shelf.folder(SessionKey("local", f"{name}.")) != str(folder) != shelf.folder(SessionKey("local", name, user="u"))
