"""What a core install takes on disk: the site-packages of a fresh environment with only `pip install .`."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench.row import Row
from bench.sessions import ROOT

MOST = 60.0


def rows(_repeats: int) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
        install = [sys.executable, "-m", "pip", "--python", folder, "install", "--quiet", str(ROOT)]
        subprocess.run(install, check=True)
        sizes = {path.name: _size(path) for path in _packages(Path(folder))}
    biggest = sorted(sizes, key=lambda name: sizes[name], reverse=True)[:4]
    note = ", ".join(f"{name} {sizes[name]:.1f}" for name in biggest)
    yield Row("core install, site-packages", sum(sizes.values()), "MB", MOST, note)


def _packages(folder: Path) -> list[Path]:
    return [path for site in folder.glob("lib/python*/site-packages") for path in site.iterdir()]


def _size(path: Path) -> float:
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(file.stat().st_size for file in files if file.is_file()) / 1e6
