"""Bad input at the command line: one line that says what was given and what to do, exit 2 or 1, nothing half written."""

import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pumice.faces import cli

USER = {"role": "user", "content": "hi"}
GOOD = {"model": "claude-sonnet-4-5", "max_tokens": 9, "messages": [USER]}
ORPHAN = {**GOOD, "messages": [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "x", "content": "y"}]}]}
PINNED = {**GOOD, "messages": [{"role": "user", "content": "Never touch migrations/. " * 30}]}


class Ran(NamedTuple):
    code: int
    out: str
    error: str


Run = Callable[..., Ran]


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs `pumice` in an empty folder with a store of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PUMICE_HOME", str(tmp_path / "home"))

    def call(*arguments: object) -> Ran:
        code = cli.main([str(argument) for argument in arguments])
        out, error = capsys.readouterr()
        return Ran(code, out, error)

    return call


def write(path: str, content: Any) -> str:
    Path(path).write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return path


FILES: dict[str, Any] = {
    "words": b"this is not JSON",
    "nothing": b"",
    "half": b'{"model": "claude-sonnet-4-5", "messages": [',
    "binary": bytes(range(256)) * 40,
    "deep": b"[" * 100_000,
    "bare": b"null",
    "number": b"7",
    "empty_list": [],
    "empty_object": {},
    "other": {"rows": [1, 2, 3]},
    "no_object": {**GOOD, "messages": ["hi"]},
    "no_list": {**GOOD, "messages": "hi"},
    "model": {**GOOD, "model": 7},
    "role": {**GOOD, "messages": [{"role": "alien", "content": "x"}]},
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("command", ["compact", "replay", "validate", "prefix"])
def test_what_is_no_session_is_said_in_one_line(run: Run, command: str, name: str) -> None:
    """Text, binary, half a file, other JSON: exit 2 with the file's name, nothing on standard output."""
    file = write(f"{name}.json", FILES[name])
    more = {"compact": ("--target", 5000), "prefix": (file, "--dialect", "anthropic"), "validate": ("--dialect", "anthropic")}
    found = run(command, file, *more.get(command, ()))
    if command == "validate" and name in ("no_object", "role"):
        assert found.code == 1, "a rule that is broken"
        return
    if command == "prefix" and name == "role":
        return
    assert (found.code, found.out) == (2, ""), found
    assert found.error.count("\n") == 1, found.error
    assert file in found.error or command == "prefix"


@pytest.mark.parametrize("command", ["compact", "replay", "validate", "prefix"])
@pytest.mark.parametrize("place", ["absent", "folder", "under_a_file"])
def test_what_cannot_be_read_is_named(run: Run, command: str, place: str) -> None:
    """No such file, a folder in place of a file, a path through a file: exit 2 with the name."""
    Path("folder").mkdir()
    file = {"absent": "absent.json", "folder": "folder", "under_a_file": write("a.json", GOOD) + "/b.json"}[place]
    more = {"compact": ("--target", 5000), "prefix": (file,)}
    found = run(command, file, *more.get(command, ()))
    assert (found.code, found.out) == (2, ""), found
    assert file in found.error
    assert found.error.count("\n") == 1


WRONG_USE: list[tuple[str, tuple[str, ...], str]] = [
    ("a target of nothing", ("compact", "F", "--target", "0"), "above 0"),
    ("a target below nothing", ("compact", "F", "--target", "-5"), "above 0"),
    ("a target in words", ("compact", "F", "--target", "small"), "small"),
    ("no target", ("compact", "F"), "--target"),
    ("no window", ("compact", "F", "--target", "99", "--window", "0"), "window"),
    ("a window below nothing", ("compact", "F", "--target", "99", "--window", "-1"), "window"),
    ("a policy nobody knows", ("compact", "F", "--target", "99", "--policy", "lazy"), "balanced"),
    ("a dialect nobody knows", ("compact", "F", "--target", "99", "--dialect", "klingon"), "openai-chat"),
    ("a body of another dialect", ("validate", "F", "--dialect", "gemini"), "`contents`"),
    ("no window to check", ("validate", "F", "--window", "0"), "--window 0"),
    ("a window to check below nothing", ("validate", "F", "--window", "-3"), "--window -3"),
    ("a replay without a window", ("replay", "F", "--window", "0"), "--window 0"),
    ("a replay of nothing", ("replay",), "no files"),
    ("a replay before the past", ("replay", "F", "--ttl", "-1"), "--ttl -1"),
    ("an unknown option", ("replay", "F", "--frobnicate"), "--frobnicate"),
    ("an unknown command", ("frobnicate",), "frobnicate"),
    ("a policy to show that is none", ("policy", "show", "lazy"), "balanced"),
    ("a policy of no window", ("policy", "show", "balanced", "--window", "0"), "window is 0"),
    ("a session nobody stored", ("session", "rebuild", "nobody", "1"), "nobody"),
    ("a session to roll back nobody stored", ("session", "rollback", "nobody", "1"), "nobody"),
    ("a session to forget nobody stored", ("session", "forget", "nobody"), "nobody"),
    ("a scope out of order", ("session", "list", "--scope", "user:u/tenant:t"), "grammar"),
]


@pytest.mark.parametrize(("arguments", "words"), [case[1:] for case in WRONG_USE], ids=[case[0] for case in WRONG_USE])
def test_wrong_use_exits_2_and_says_what_was_expected(run: Run, arguments: tuple[str, ...], words: str) -> None:
    """Every wrong value is answered with what was given and what was expected; no output, no files."""
    file = write("f.json", GOOD)
    found = run(*(file if argument == "F" else argument for argument in arguments))
    assert (found.code, found.out) == (2, ""), found
    assert words in found.error
    assert found.error.count("\n") == 1, found.error
    assert {path.name for path in Path().iterdir()} <= {"f.json", "home"}


POLICIES = {
    "no yaml": (b"a: [", "no YAML"),
    "binary": (b"\x00\xff\xfe", "cannot be read"),
    "a list": (b"[1, 2]", "expected a mapping"),
    "an unknown key": (b"budgte: {act: 1}", "Did you mean 'budget'"),
    "a wrong kind": (b"budget: {act: many}", "$.budget.act"),
    "a share of nothing": (b"budget: {act: 0}", "$.budget.act"),
    "a window below nothing": (b"budget: {window: -1}", "$.budget.window"),
    "a level of no kind": (b"order: [offload, dream]", "$.order[1]"),
    "a list for a key": (b"order: [offload]\n? [a, b]\n: 1", "line 2, column 3"),
    "an empty list": (b"[]", "expected a mapping"),
    "a key that stands twice": (b"order: [offload]\nname: a\norder: [recent]", "line 3, column 1"),
    "two values for one thing": (b"unload_single_over: 900\noffload: {single_result_over: 800}", "$.unload_single_over is 900"),
    "an alias out of range": (b"compression: {budget: {compact_at: 1.5}}", "$.compression.budget.compact_at: 1.5"),
    "a circle": (b"extends: p.yaml", "circle"),
    "a parent nobody knows": (b"extends: lazy", "lazy"),
    "a date that is none": (b"name: 2020-13-45", "no YAML"),
}


@pytest.mark.parametrize(("text", "words"), POLICIES.values(), ids=POLICIES)
def test_a_wrong_policy_names_the_key(run: Run, text: bytes, words: str) -> None:
    """Exit 2 with the file and the path of the wrong key, from `policy check` and from a command that uses it alike."""
    policy, file = write("p.yaml", text), write("f.json", GOOD)
    for arguments in (("policy", "check", policy), ("compact", file, "--target", "99", "--policy", policy)):
        found = run(*arguments)
        assert (found.code, found.out) == (2, ""), found
        assert words in found.error
        assert found.error.startswith("pumice: p.yaml: ")
        assert found.error.count("\n") == 1


@pytest.mark.parametrize("body", [GOOD, PINNED], ids=["short", "pins"])
def test_what_cannot_fit_exits_1_with_parts_and_sizes(run: Run, body: Any) -> None:
    """A target smaller than what must stand: the parts and their sizes, in words and in JSON (B-B1)."""
    file = write("f.json", body)
    found = run("compact", file, "--target", 5, "-o", "out.json")
    assert (found.code, found.out) == (1, "")
    assert "CannotFit" in found.error
    found = run("compact", file, "--target", 5, "--json", "-o", "out.json", "--manifest", "m.json")
    told = json.loads(found.out)
    assert (found.code, told["error"], told["budget"]) == (1, "CannotFit", 5)
    assert sum(part["tokens"] for part in told["parts"]) > 5
    assert all(part.keys() == {"name", "tokens"} for part in told["parts"])
    assert not Path("out.json").exists()
    assert not Path("m.json").exists()


def test_a_window_smaller_than_the_pins_is_said(run: Run) -> None:
    """The window flag counts too: exit 1, with what needs how much."""
    found = run("compact", write("f.json", PINNED), "--target", 5000, "--window", 60)
    assert (found.code, found.out) == (1, "")
    assert "CannotFit" in found.error


def test_what_was_repaired_is_said(run: Run) -> None:
    """A result without a call is left out of the smaller session, and said on standard error; the output is valid."""
    found = run("compact", write("f.json", ORPHAN), "--target", 5000, "-o", "out.json")
    assert found.code == 0
    assert "answers no call" in found.error
    assert run("validate", "out.json").code == 0
    assert run("validate", "f.json").code == 1


def test_what_stays_wrong_is_said(run: Run) -> None:
    """An unknown kind of block from a user passes untouched, and the rule it breaks is named: never wrong and silent."""
    body = {**GOOD, "messages": [{"role": "user", "content": [{"type": "hologram", "data": 1}]}]}
    found = run("compact", write("f.json", body), "--target", 5000)
    assert found.code == 0
    assert json.loads(found.out)["messages"] == body["messages"]
    assert "A9" in found.error


def test_an_unknown_model_counts_with_a_warning(run: Run) -> None:
    """No table row is no reason to fail: the default window holds, and it is said (B-G1)."""
    found = run("compact", write("f.json", {**GOOD, "model": "some-local-model"}), "--target", 5000, "--dialect", "anthropic")
    assert found.code == 0
    assert "unknown" in found.error
    assert "128,000" in found.error


@pytest.mark.parametrize("place", ["f.json/out.json", ".", "no/such/folder/out.json"])
def test_an_output_that_cannot_be_written_leaves_nothing(run: Run, place: str) -> None:
    """Exit 2 with the place, and neither the session nor its manifest is there."""
    found = run("compact", write("f.json", GOOD), "--target", 5000, "-o", place, "--manifest", "why.json")
    assert (found.code, found.out) == (2, "")
    assert "cannot be written" in found.error
    assert {path.name for path in Path().iterdir()} == {"f.json"}


def small_files() -> None:
    """What a full disk looks like to a program: no file may grow beyond 2,000 bytes."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))


def pumice(*arguments: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
    script = "import sys; from pumice.faces.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", script, *arguments]
    return subprocess.run(command, stderr=subprocess.PIPE, timeout=60, **options)


def test_a_full_disk_leaves_the_old_output(tmp_path: Path) -> None:
    """When the new output does not fit on the disk, the file that was there stays whole, and the reason is said."""
    body = {**GOOD, "messages": [{"role": "user", "content": "many words " * 900}]}
    (tmp_path / "f.json").write_text(json.dumps(body))
    (tmp_path / "out.json").write_text("old")
    arguments = ("compact", "f.json", "--target", "50000", "-o", "out.json", "--manifest", "why.json")
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    ran = pumice(*arguments, cwd=tmp_path, preexec_fn=small_files, stdout=subprocess.PIPE, env=environment)
    assert (ran.returncode, ran.stdout) == (2, b"")
    assert ran.stderr.count(b"\n") == 1
    assert b"cannot be written" in ran.stderr
    assert (tmp_path / "out.json").read_text() == "old"
    assert {path.name for path in tmp_path.iterdir()} == {"f.json", "out.json"}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is always full")
@pytest.mark.parametrize("command", ["compact", "policy"])
def test_a_full_standard_output_is_said(tmp_path: Path, command: str) -> None:
    """Output that goes nowhere is an error in one line, not a traceback."""
    (tmp_path / "f.json").write_text(json.dumps(GOOD))
    arguments = {"compact": ("compact", "f.json", "--target", "5000"), "policy": ("policy", "show", "balanced")}
    with Path("/dev/full").open("wb") as full:
        ran = pumice(*arguments[command], cwd=tmp_path, stdout=full)
    assert ran.returncode == 1
    (said,) = [line for line in ran.stderr.splitlines() if not line.startswith(b"f.json: nothing was compacted")]
    assert b"standard output" in said


@pytest.mark.parametrize("home", ["f.json", "f.json/under"])
@pytest.mark.parametrize("command", [("list",), ("rebuild", "s", "1"), ("forget", "s")])
def test_a_store_that_cannot_be_opened_is_said(
    run: Run, monkeypatch: pytest.MonkeyPatch, home: str, command: tuple[str, ...]
) -> None:
    """A file where the store should be: exit 1, one line with the place and what to do."""
    write("f.json", GOOD)
    monkeypatch.setenv("PUMICE_HOME", home)
    found = run("session", *command)
    assert (found.code, found.out) == (1, "")
    assert "f.json" in found.error
    assert "PUMICE_HOME" in found.error
    assert found.error.count("\n") == 1


COMMANDS = ["replay", "compact", "validate", "prefix", "doctor", "probe", "bench experiments"]
COMMANDS += [f"policy {name}" for name in ("list", "show", "check")]
COMMANDS += [f"session {name}" for name in ("list", "rebuild", "rollback", "forget")]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(run: Run, command: str) -> None:
    """`--help` gives an example and says that there is `--json`."""
    found = run(*command.split(), "--help")
    assert found.code == 0
    assert "Example: pumice" in found.out
    assert "--json" in found.out
    assert "ARGS" not in found.out, "what is to be named has a name"


@pytest.mark.parametrize("group", ["policy", "session"])
def test_every_group_of_commands_explains_itself(group: str) -> None:
    """The same for a command that only holds others."""
    assert b"Example: pumice" in pumice(group, "--help", stdout=subprocess.PIPE).stdout


@pytest.mark.parametrize("command", ["policy list", "policy show balanced", "policy check balanced", "session list", "doctor"])
def test_json_is_one_json_value(run: Run, command: str) -> None:
    """What `--json` prints is one JSON value and nothing else."""
    found = run(*command.split(), "--json")
    assert found.code == 0
    json.loads(found.out)
