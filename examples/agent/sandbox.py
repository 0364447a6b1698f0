"""Tools on one folder: list, read, write, edit, search and test. Nothing outside the folder is touched."""

import json
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

OUTPUT = 60_000
"""Characters of output a tool gives at most."""


def _schema(**properties: str) -> dict[str, Any]:
    fields = {name: {"type": kind} for name, kind in properties.items()}
    return {"type": "object", "properties": fields, "required": list(properties)}


DECLARED: Mapping[str, tuple[str, dict[str, Any]]] = {
    "list_files": ("List the files of the project.", _schema()),
    "read_file": ("Read a file.", _schema(path="string")),
    "write_file": ("Write a file.", _schema(path="string", content="string")),
    "edit_file": ("Replace one text in a file by another.", _schema(path="string", old="string", new="string")),
    "search_files": ("Find lines that match a regular expression.", _schema(regex="string")),
    "run_tests": ("Run the project's tests, every one named.", _schema()),
}


class Sandbox:
    """The tools, by name; each takes its arguments and gives text."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.tools: dict[str, Callable[..., str]] = {name: getattr(self, name) for name in DECLARED}

    @staticmethod
    def definitions() -> list[dict[str, Any]]:
        """The tools as Chat Completions declares them."""
        return [
            {"type": "function", "function": {"name": name, "description": words, "parameters": schema}}
            for name, (words, schema) in DECLARED.items()
        ]

    def call(self, name: str, arguments: str) -> str:
        """Run a tool; what goes wrong is said in its result."""
        try:
            return self.tools[name](**json.loads(arguments))[:OUTPUT]
        except (OSError, ValueError, TypeError, KeyError, re.error) as error:
            return f"Error: {error}"

    def list_files(self) -> str:
        return "\n".join(sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*.*") if path.is_file()))

    def read_file(self, path: str) -> str:
        return self._inside(path).read_text("utf-8")

    def write_file(self, path: str, content: str) -> str:
        self._inside(path).write_text(content, "utf-8")
        return f"Wrote {len(content.splitlines())} lines to {path}."

    def edit_file(self, path: str, old: str, new: str) -> str:
        text = self._inside(path).read_text("utf-8")
        if text.count(old) != 1:
            raise ValueError(f"the old text stands {text.count(old)} times in {path}, expected once")
        self._inside(path).write_text(text.replace(old, new), "utf-8")
        return f"Changed {path}."

    def search_files(self, regex: str) -> str:
        pattern = re.compile(regex)
        found = [
            f"{path.relative_to(self.folder)}:{number}: {line}"
            for path in sorted(self.folder.rglob("*.py"))
            for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
            if pattern.search(line)
        ]
        return "\n".join(found) or "No match."

    def run_tests(self) -> str:
        command = [sys.executable, "-B", "-m", "unittest", "discover", "-v", "-s", "tests", "-t", "."]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=60, check=False)
        # Times differ from run to run; the same work shall give the same output.
        return re.sub(r"in \d+\.\d+s", "in 0.1s", done.stderr + done.stdout)

    def _inside(self, path: str) -> Path:
        found = (self.folder / path).resolve()
        if not found.is_relative_to(self.folder):
            raise ValueError(f"{path} is outside the project")
        return found
