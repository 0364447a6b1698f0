"""Reading back in the demonstration: the model finds where its view says things lie, and its own tools open them there."""

import re
from pathlib import Path

from pumice.wire.double import Use

_FOLDER = re.compile(r"((?:/[^/\s\"\\<>]+)+/artifacts)\b")
_AROUND = 2
"""Lines read before and after the one that was found."""


def folder_in(view: str) -> str:
    """The folder a view names for what has left it; empty where it names none."""
    found = _FOLDER.search(view)
    return found[1] if found else ""


def search(folder: str, word: str) -> Use:
    """The command that looks for a word in everything that has left the view."""
    return Use("Bash", {"command": f"grep -n {word} {folder}/*"})


def run_search(folder: str, word: str) -> str:
    """What that command prints."""
    files = sorted(Path(folder).iterdir()) if folder and Path(folder).is_dir() else []
    found = ((path, number, line) for path in files for number, line in enumerate(path.read_text("utf-8").split("\n"), 1))
    return "\n".join(f"{path}:{number}:{line}" for path, number, line in found if word in line)


def read(printed: str) -> Use:
    """The call that reads the lines around the first that was found."""
    path, number, _ = printed.split("\n", 1)[0].split(":", 2)
    return Use("Read", {"file_path": path, "offset": max(1, int(number) - _AROUND), "limit": 2 * _AROUND + 1})


def run_read(path: str, offset: int, limit: int) -> str:
    """What that call prints."""
    lines = Path(path).read_text("utf-8").split("\n")[offset - 1 : offset - 1 + limit]
    return "\n".join(f"{number:>5}\t{line}" for number, line in enumerate(lines, offset))
