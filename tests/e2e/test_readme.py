"""What the documents show works: their Python runs, and the reference names every command and option there is."""

import inspect
import os
import re
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from pumice.faces.cli import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
CODE = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def code(document: Path) -> str:
    """The document's Python, top to bottom, as one program."""
    return "\n".join(CODE.findall(document.read_text("utf-8")))


@pytest.mark.parametrize(
    "document", [path for path in DOCUMENTS if CODE.search(path.read_text("utf-8"))], ids=lambda path: path.name
)
def test_the_python_of_a_document_runs(document: Path, tmp_path: Path) -> None:
    """A reader can paste it: with an empty store, in a checkout's folder, from top to bottom."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    env = {**os.environ, "PUMICE_HOME": str(tmp_path / "home")}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code(document)],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "home").is_dir(), "the store lies where PUMICE_HOME says"


def test_links_between_documents_lead_somewhere() -> None:
    """Every relative link and picture names a file of the checkout."""
    for document in [*DOCUMENTS, ROOT / "AGENTS.md"]:
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", document.read_text("utf-8")):
            assert (document.parent / target).exists(), f"{document.name}: {target}"


@pytest.mark.parametrize("command", COMMANDS)
def test_the_reference_names_each_command_and_option(command: str) -> None:
    """No option is left for the reader to find in the code."""
    reference = (ROOT / "docs" / "reference.md").read_text("utf-8")
    line = next(line for line in reference.splitlines() if line.startswith(f"| `pumice {command}"))
    module = import_module(f"pumice.faces.cli.{command}")
    public = [value for name, value in vars(module).items() if inspect.isfunction(value) and not name.startswith("_")]
    functions = [function for function in public if function.__module__ == module.__name__]
    assert functions
    for function in functions:
        for name, parameter in inspect.signature(function).parameters.items():
            if parameter.kind is inspect.Parameter.KEYWORD_ONLY and name != "json":
                assert f"`--{name.replace('_', '-')}`" in line, f"pumice {command}: --{name}"
