"""Stores in memory for the server."""

import pytest
from tests_support import World


@pytest.fixture
def world() -> World:
    """A fresh store."""
    return World()
