"""A session over stores in memory."""

import pytest
from tests_support import World


@pytest.fixture
def world() -> World:
    """A fresh store."""
    return World()
