"""Fixtures every test may use."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("pumice", deadline=None)  # machines are shared: what a single example takes says nothing
settings.load_profile("pumice")

DATA = Path(os.environ.get("DATA") or Path(__file__).resolve().parents[2] / "shared" / "data").resolve()


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real recordings; tests that need it skip where it is absent."""
    if not DATA.is_dir():
        pytest.skip("real recordings are not on this machine (DATA names their folder, ../shared/data without it)")
    return DATA
