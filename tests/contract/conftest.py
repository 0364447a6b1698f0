"""Every implementation of the store's protocols, one after another."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from pumice.store.home import Store, memory_store, open_store


@pytest.fixture(params=["sqlite", "memory"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    opened = memory_store() if request.param == "memory" else open_store(tmp_path / "home")
    yield opened
    await opened.close()
