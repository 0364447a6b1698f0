"""What tests with real clients stand on: nobody on this stage can reach anything but the stage."""

import socket
from pathlib import Path

import pytest
from real_clients import INSTALLED, Stage


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    """A stage in a network that has only loopback."""
    if [name for _, name in socket.if_nameindex()] != ["lo"]:
        pytest.skip("only in a network namespace of its own, which make test-clients opens where the machine lets it")
    missing = [name for name in ("claude", "codex", "gemini") if not (INSTALLED / name).exists()]
    if missing:
        pytest.skip(f"{', '.join(missing)} not installed: make test-clients installs them where a registry can be reached")
    return Stage(tmp_path)
