"""`pumice serve`: ready when it says so, stops when told, refuses what would be unsafe before it listens."""

import json
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from pumice.faces.cli import main


def test_a_process_serves_until_it_is_told_to_stop(tmp_path: Path) -> None:
    """One line says where on a free port; options come from the environment too; SIGTERM ends it cleanly."""
    environ = {**os.environ, "PUMICE_PORT": "0", "PUMICE_HOME": str(tmp_path), "PUMICE_OFF": "1", "PUMICE_TOKEN": "t" * 20}
    command = [str(Path(sys.executable).with_name("pumice")), "serve", "--json"]
    with subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        told = json.loads(process.stdout.readline())
        assert (told["host"], told["off"], told["url"]) == ("127.0.0.1", True, f"http://127.0.0.1:{told['port']}")
        with urllib.request.urlopen(f"{told['url']}/healthz") as answer:
            assert (answer.status, json.load(answer)) == (200, {"status": "ready"})
        process.send_signal(signal.SIGTERM)
        assert process.communicate(timeout=20) == ("", "")
    assert process.returncode == 0


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["--host", "0.0.0.0"], "a proxy sees keys and source code"),
        (["--openai-upstream", "api.openai.com"], "is no http address"),
        (["--max-body", "0"], "expected 1 or more"),
        (["--emulate", "sometimes"], "expected auto, on or off"),
        (["--port", "x"], "unable to convert"),
        (["--port", "99999"], "port 99999 given, expected 0 to 65535"),
        (["--port", "-5"], "port -5 given, expected 0 to 65535"),
        (["--window", "-1"], "window -1 given, expected 1 or more"),
    ],
)
def test_what_cannot_be_served_is_said_before_anything_listens(
    given: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Wrong use exits 2 with what to do."""
    assert main(["serve", *given]) == 2
    assert words in capsys.readouterr().err


def test_a_port_in_use_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """Who is asked to listen where somebody else does says so."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["serve", "--port", str(port)]) == 2
    assert f"127.0.0.1:{port} cannot be listened on (Address already in use)." in capsys.readouterr().err
