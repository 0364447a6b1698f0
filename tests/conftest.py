"""Fixtures every test may use."""

from pathlib import Path

import pytest

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real recordings; tests that need it skip where it is absent."""
    if not DATA.is_dir():
        pytest.skip("real recordings are not on this machine (../shared/data)")
    return DATA
