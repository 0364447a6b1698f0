"""The agent's tools, run for real on a scratch clone; what they print is the same on every machine."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from example.turns import Call

HOME = "/home/dev"
PLACE = f"{HOME}/pumice"
"""Where the scratch copy seems to lie."""

DURATION = re.compile(r"\b\d+\.\d+ ?(?:seconds|sec|s)\b(?: \(\d+:\d\d:\d\d\))?")
TEMPORARY = re.compile(r"/(pip-[a-z-]+-|tmp)[A-Za-z0-9_]{8}\b")
CACHE_PATH = re.compile(r"wheels(?:/[0-9a-f]{2}){3}/[0-9a-f]+")
INDEX = re.compile(r"^\s*(?:Looking in|Ignoring indexes|WARNING: Location).*\n", re.MULTILINE)
"""Lines in which pip names the registries and folders it is set up with."""


class ToolFailed(Exception):
    """What the agent sees as an error result."""


class Workbench:
    """Reads, edits and runs in a clone of the repository at one commit."""

    def __init__(self, repository: Path, commit: str, scratch: Path) -> None:
        self._root = scratch / "pumice"
        self._scratch = scratch
        _git(scratch, "clone", "--quiet", "--no-hardlinks", str(repository), str(self._root))
        _git(self._root, "checkout", "--quiet", "-B", "main", commit)
        _git(self._root, "branch", "--quiet", "release/0.2", "HEAD~3")
        _git(self._root, "remote", "remove", "origin")
        page = repository / "src/pumice/faces/page"
        if page.is_dir():
            shutil.copytree(page, self._root / "src/pumice/faces/page")

    def run(self, call: Call) -> tuple[str, bool]:
        """The tool's output and whether it is an error."""
        try:
            return self._clean(self._tools[call.tool](call.input)), False
        except ToolFailed as failed:
            return self._clean(str(failed)), True

    @property
    def _tools(self) -> dict[str, Callable[[dict[str, Any]], str]]:
        return {
            "Bash": self._bash,
            "Read": self._read,
            "Edit": self._edit,
            "Write": self._write,
            "Grep": self._grep,
            "Glob": self._glob,
        }

    def _bash(self, given: dict[str, Any]) -> str:
        done = subprocess.run(
            ["bash", "-c", given["command"]], cwd=self._root, env=self._env(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, check=False,
        )  # fmt: skip
        printed = _steady(self._clean(done.stdout)).rstrip()
        if done.returncode:
            raise ToolFailed(f"Exit code {done.returncode}\n{printed}")
        return printed or "(no output)"

    def _env(self) -> dict[str, str]:
        """The interpreter's own tools first; identity, dates and columns fixed, so that output is the same everywhere."""
        author = {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER") for what, value in IDENTITY.items()}
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        place = {"PATH": path, "HOME": str(self._scratch), "PYTHONPATH": str(self._root / "src")}
        return FIXED | place | author

    def _read(self, given: dict[str, Any]) -> str:
        lines = self._file(given["file_path"]).read_text("utf-8").splitlines()
        first = given.get("offset", 1)
        shown = lines[first - 1 : first - 1 + given.get("limit", 2000)]
        return "\n".join(f"{number:>6}→{line}" for number, line in enumerate(shown, first))

    def _edit(self, given: dict[str, Any]) -> str:
        path = self._file(given["file_path"])
        text = path.read_text("utf-8")
        count = text.count(given["old_string"])
        if count != 1:
            found = "was not found" if not count else f"was found {count} times"
            raise ToolFailed(f"Nothing was changed: old_string {found} in {given['file_path']}; it must occur exactly once.")
        path.write_text(text.replace(given["old_string"], given["new_string"]), "utf-8")
        line = text[: text.index(given["old_string"])].count("\n") + 1
        shown = self._read(
            {"file_path": given["file_path"], "offset": max(1, line - 2), "limit": given["new_string"].count("\n") + 5}
        )
        return f"{given['file_path']} was changed. Lines around the change:\n{shown}"

    def _write(self, given: dict[str, Any]) -> str:
        path = self._file(given["file_path"], must_exist=False)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(given["content"], "utf-8")
        return f"{given['file_path']} was written, {given['content'].count(chr(10))} lines."

    def _grep(self, given: dict[str, Any]) -> str:
        found = _git(self._root, "grep", "-nE", "-e", given["pattern"], "--", given["path"], check=False)
        return found.rstrip() or "No matches."

    def _glob(self, given: dict[str, Any]) -> str:
        found = sorted(path.relative_to(self._root).as_posix() for path in self._root.glob(given["pattern"]) if path.is_file())
        return "\n".join(name for name in found if "__pycache__" not in name) or "No files."

    def _file(self, name: str, *, must_exist: bool = True) -> Path:
        path = self._root / name.removeprefix(f"{PLACE}/")
        if must_exist and not path.is_file():
            raise ToolFailed(f"There is no file {name}.")
        return path

    def _clean(self, text: str) -> str:
        """The text with the paths of this machine as they would be on the developer's."""
        places = {self._root: PLACE, self._scratch: HOME, sys.prefix: f"{HOME}/.venv", sys.base_prefix: "/usr"}
        for real, shown in places.items():
            text = text.replace(str(real), shown)
        return text


FIXED = {
    "COLUMNS": "120",
    "LC_ALL": "C.UTF-8",
    "NO_COLOR": "1",
    "PYTHONHASHSEED": "0",
    "TERM": "dumb",
    "GIT_PAGER": "cat",
    "GIT_CONFIG_NOSYSTEM": "1",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
}
IDENTITY = {"NAME": "dev", "EMAIL": "dev@example.com", "DATE": "2026-03-02T09:00:00+0000"}


def _steady(text: str) -> str:
    """What a command printed without the registries of this machine, with temporary names and durations made constant."""
    text = TEMPORARY.sub(r"/\g<1>x1y2z3a4", CACHE_PATH.sub("wheels/63/89/b2/0f", INDEX.sub("", text)))
    return DURATION.sub("0.4s", text)


def _git(folder: Path, *words: str, check: bool = True) -> str:
    done = subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True, check=False)
    if check and done.returncode:
        raise RuntimeError(f"git {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout
