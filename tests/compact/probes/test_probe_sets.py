"""Probe sets as data: what is wrong with one is said with its path, a change of a shipped one needs a new version."""

import hashlib
import re
from importlib.resources import files
from pathlib import Path
from typing import Any, get_args

import pytest

from pumice.compact import probes
from pumice.compact.probes import read
from pumice.domain.policy import Policy
from pumice.errors import BadPolicy
from pumice.faces import settings

PROBE = {"id": "a", "ask": "What?", "kind": "goal"}
RELEASED = {
    "default@1": "f089fcd5915d",
    "coding@1": "63911384cc7c",
    "research@1": "77a9d2b918e2",
    "support@1": "238961ad7e38",
}
"""sha256 of each shipped set as it was released; a changed one needs a new version here and in its file."""


def a_set(**more: Any) -> dict[str, Any]:
    return {"name": "mine", "version": 1, "probes": [PROBE], **more}


def test_a_changed_set_has_a_new_version() -> None:
    """Results of two versions are not compared as if they had been asked the same."""
    folder = files("pumice") / "presets" / "probes"
    found = {
        probes.shipped(name).title: hashlib.sha256((folder / f"{name}.yaml").read_bytes()).hexdigest()[:12]
        for name in probes.names()
    }
    assert found == RELEASED


@pytest.mark.parametrize(
    ("data", "path"),
    [
        ({}, "$"),
        (a_set(version=0), "$.version"),
        (a_set(probes=[]), "$.probes"),
        (a_set(probes=[PROBE, PROBE]), "$.probes"),
        (a_set(probes=[{**PROBE, "kind": "gaol"}]), "$.probes[0].kind"),
        (a_set(probes=[{**PROBE, "hint": "x"}]), "$.probes[0]"),
        (a_set(probes=[{**PROBE, "ask": ""}]), "$.probes[0].ask"),
        (a_set(probes=[{**PROBE, "newest": 0}]), "$.probes[0].newest"),
        (a_set(probes=[{**PROBE, "keeps": 0}]), "$.probes[0].keeps"),
        (a_set(probes=[{**PROBE, "texts": ["x"]}]), "$.probes[0].texts"),
        (a_set(probes=[{**PROBE, "kind": "entity"}]), "$.probes[0].texts"),
        (a_set(probes=[{**PROBE, "kind": "regex"}]), "$.probes[0].pattern"),
        (a_set(probes=[{**PROBE, "kind": "regex", "pattern": "("}]), "$.probes[0].pattern"),
    ],
)
def test_what_is_wrong_is_said_with_its_path(data: dict[str, Any], path: str) -> None:
    """Nobody has to guess which line of a file is meant."""
    with pytest.raises(BadPolicy) as error:
        read.read(data)
    assert f"probes {path}" in str(error.value).replace("`", "")


def test_a_policy_names_shipped_sets_and_files(tmp_path: Path) -> None:
    """A file stands beside the policy that names it, and becomes part of it."""
    (tmp_path / "mine.yaml").write_text("name: mine\nversion: 3\nprobes: [{id: a, ask: 'What?', kind: goal}]\n", "utf-8")
    (tmp_path / "policy.yaml").write_text("extends: balanced\nprobes: [default, mine.yaml]\n", "utf-8")
    policy = settings.policy(str(tmp_path / "policy.yaml"))
    assert [one.title for one in probes.of(policy)] == ["default@1", "mine@3"]
    (tmp_path / "policy.yaml").write_text("extends: balanced\nprobes: [defualt]\n", "utf-8")
    with pytest.raises(BadPolicy, match="defualt"):
        settings.policy(str(tmp_path / "policy.yaml"))


def test_a_file_of_probes_that_is_wrong_is_named(tmp_path: Path) -> None:
    """With the policy, not at the first cut."""
    (tmp_path / "mine.yaml").write_text("name: mine\nversion: 3\nprobes: [{id: a, ask: 'What?', kind: gaol}]\n", "utf-8")
    (tmp_path / "policy.yaml").write_text("probes: [mine.yaml]\n", "utf-8")
    with pytest.raises(BadPolicy, match=r"mine\.yaml: probes"):
        settings.policy(str(tmp_path / "policy.yaml"))


def test_every_shipped_set_loads() -> None:
    """Each by its own name."""
    assert all(probes.of(Policy("x", probes=(name,)))[0].name == name for name in probes.names())


DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "probes.md"


def test_the_page_shows_a_set_that_loads_and_names_every_kind() -> None:
    """A reader can paste it, and finds what each kind asks for."""
    text = DOCUMENT.read_text("utf-8")
    shown = [block for block in re.findall(r"^```yaml\n(.*?)^```", text, re.MULTILINE | re.DOTALL) if "version:" in block]
    assert [probes.own(block).name for block in shown] == ["shop"]
    rows = "\n".join(line for line in text.splitlines() if line.startswith("| `"))
    assert all(f"`{kind}`" in rows for kind in get_args(read.Kind))
