"""Virtual environments of the peers' proxies, one each, in a folder that is named once and used again."""

import json
import subprocess
import sys
from pathlib import Path

PACKAGES = {"litellm": "litellm[proxy]==1.108.7", "headroom": "headroom-ai[proxy]==0.42.0"}
ABSENT = "no virtual environment of it: run with --peers FOLDER --install"


def program(folder: Path | None, peer: str) -> Path | None:
    """A peer's command; None where its environment is not there."""
    found = folder / peer / "bin" / peer if folder else None
    return found if found and found.exists() else None


def install(folder: Path) -> None:
    """Make what is missing; needs a package registry and some minutes. Raises CalledProcessError."""
    for peer, package in PACKAGES.items():
        if program(folder, peer) is None:
            subprocess.run([sys.executable, "-m", "venv", str(folder / peer)], check=True)
            subprocess.run([str(folder / peer / "bin" / "python"), "-m", "pip", "install", "--quiet", package], check=True)


def version(folder: Path | None, peer: str) -> str:
    """Which version stands in the environment; empty where there is none."""
    command = program(folder, peer)
    if command is None:
        return ""
    name = PACKAGES[peer].partition("[")[0]
    asked = f"import importlib.metadata as m, json; print(json.dumps(m.version({name!r})))"
    said = subprocess.run([str(command.with_name("python")), "-c", asked], check=True, capture_output=True, text=True).stdout
    return str(json.loads(said))
