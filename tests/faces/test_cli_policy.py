"""`pumice policy`: which policies there are, what each value is and where it comes from, and what it comes to in tokens."""

import json
from pathlib import Path
from typing import Any

import pytest

from pumice.faces import endpoint, settings
from pumice.faces.cli import main

Out = pytest.CaptureFixture[str]


def shown(capsys: Out, *arguments: str) -> Any:
    assert main(["policy", "show", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def write(folder: Path, text: str, name: str = "own.yaml") -> str:
    path = folder / name
    path.write_text(text, "utf-8")
    return str(path)


def test_the_size_a_policy_acts_at_is_printed_in_tokens(capsys: Out) -> None:
    """The result of all shares and limits, in the table and for a machine (F-C1)."""
    found = shown(capsys, "codex", "--window", "200000")
    assert (found["tokens"], found["acts_at"], found["goes_down_to"]) == (190_000, 171_000, 76_000)
    assert main(["policy", "show", "codex", "--window", "200000"]) == 0
    out = capsys.readouterr().out
    assert "usable 190,000 = window 200,000 (argument) − output 0 − safety 10,000" in out
    assert "acts at 171,000, goes down to 76,000" in out
    assert shown(capsys, "none")["acts_at"] is None


def test_every_value_has_its_origin(tmp_path: Path, capsys: Out) -> None:
    """The file, the preset it builds on or the default; under the key's own name, whatever the file calls it."""
    own = write(
        tmp_path,
        "compression:\n  extends: balanced\n  unload_single_over: 9000\n  budget: {compact_at: 0.9}\n"
        "  offload: {summary: {head: 10}}\n  never_compress: [plan_state]\n",
    )
    values = shown(capsys, own)["values"]
    assert values["offload.single_result_over"] == {"value": 9000, "origin": own}
    assert values["budget.act"] == {"value": 0.9, "origin": own}
    assert values["offload.summary.head"] == {"value": 10, "origin": own}
    assert values["offload.summary.tail"] == {"value": 40, "origin": "default"}
    assert values["offload.style"] == {"value": "lines", "origin": "preset balanced"}
    assert values["never_compress"] == {"value": ["plan"], "origin": own}
    assert values["name"] == {"value": "own", "origin": own}
    assert "unload_single_over" not in values


def test_values_go_through_a_line_of_files(tmp_path: Path, capsys: Out) -> None:
    """Each file wins over the one it builds on, value by value, and each value keeps the origin that set it."""
    first = write(tmp_path, "extends: balanced\nkeep: {groups: 8, reads: 1}\nnever_compress: [facts]\n", "first.yaml")
    second = write(tmp_path, f"extends: {first}\nkeep: {{reads: 2}}\nnever_compress: [errors]\ncold: null\n", "second.yaml")
    values = shown(capsys, second)["values"]
    assert values["keep.groups"] == {"value": 8, "origin": first}
    assert values["keep.reads"] == {"value": 2, "origin": second}
    assert values["keep.pins"] == {"value": "whole", "origin": "preset balanced"}
    assert values["never_compress"]["value"] == ["facts", "errors"]
    assert values["cold"] == {"value": None, "origin": second}


def test_a_changed_file_is_read_anew(tmp_path: Path) -> None:
    """A policy file edited while a program runs holds for the next session that names it."""
    own = write(tmp_path, "extends: balanced\nkeep: {groups: 8}\n")
    assert settings.policy(own).keep.groups == 8
    write(tmp_path, "extends: balanced\nkeep: {groups: 9}\n")
    assert settings.policy(own).keep.groups == 9


def test_policies_are_listed_with_what_they_are_for(capsys: Out) -> None:
    """Task types and levels of every preset, nothing that is none."""
    assert main(["policy", "list", "--json"]) == 0
    found = {item["name"]: item for item in json.loads(capsys.readouterr().out)}
    assert {"balanced", "none", "newest", "codex", "claude-code", "coding", "research", "support"} <= set(found)
    assert "effects" not in found
    assert found["coding"]["task"] == "coding"
    assert found["claude-code"]["order"] == ["offload", "summarize"]
    assert main(["policy", "list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(found)
    assert any(line.startswith("coding ") and "for coding, makes room by" in line for line in lines)


def test_check_prints_the_first_wrong_path(tmp_path: Path, capsys: Out) -> None:
    """Of several mistakes the first from the top, as the file writes it."""
    own = write(tmp_path, "compression:\n  order: [dream]\n  budget: {compact_at: 7}\nwrong: 1\n")
    assert main(["policy", "check", own]) == 2
    captured = capsys.readouterr()
    assert "$.compression.order[0]: 'dream' given" in captured.err
    assert "compact_at" not in captured.err


def test_a_step_down_to_no_policy_is_refused_where_it_is_written(tmp_path: Path, capsys: Out) -> None:
    """`degrade` names presets or files beside the policy; anything else is named with its place."""
    (tmp_path / "harder.yaml").write_text("extends: newest\n")
    good, bad = tmp_path / "good.yaml", tmp_path / "bad.yaml"
    good.write_text("extends: balanced\ntriggers: {degrade: [coding, harder.yaml]}\n")
    bad.write_text("extends: balanced\ntriggers: {degrade: [coding, nopolicy]}\n")
    assert main(["policy", "check", str(good)]) == 0
    assert main(["policy", "check", str(bad)]) == 2
    assert "$.triggers.degrade[1]: 'nopolicy' is no policy" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("extends: nosuch\n", "$.extends: 'nosuch' is no policy: expected one of"),
        ("compression: {extends: nosuch.yaml}\n", "$.compression.extends: 'nosuch.yaml' is no policy"),
        ("probes: [default, nosuch]\n", "$.probes[1]: 'nosuch' given, expected one of coding, default"),
        ("probes: [nosuch.yaml]\n", "$.probes[0]: "),
        ("summarize: {template: nosuch.yaml}\n", "$.summarize.template: "),
    ],
)
def test_what_a_policy_names_and_is_not_there_is_refused_by_its_path(text: str, said: str, tmp_path: Path, capsys: Out) -> None:
    """Another policy, probes, a template: where it is named, and what is accepted there."""
    assert main(["policy", "check", write(tmp_path, text)]) == 2
    assert f"own.yaml: {said}" in capsys.readouterr().err


@pytest.mark.parametrize("dialect", endpoint.APIS)
def test_every_dialect_a_model_can_be_asked_in_may_be_named(dialect: str, tmp_path: Path) -> None:
    """What a policy accepts is what works."""
    own = write(tmp_path, f"extends: balanced\nsummarize: {{model: '{dialect}:some:7b@http://localhost:1'}}\n")
    assert main(["policy", "check", own]) == 0
