"""Where no policy is named, call, project and user decide in this order, and every value says who set it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pumice import Engine, compact
from pumice.compact.summary import template
from pumice.domain.policy import keys
from pumice.errors import BadPolicy
from pumice.faces import settings

Write = Callable[[str, str], Path]
ASKED = (
    *("name", "budget.window", "keep.reads", "keep.groups", "keep.state_tokens", "lines.price", "never_compress"),
    "isolate.tokens",
)


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Write a file under a fresh folder whose `project/deep` is the working directory and whose `home` is the store."""

    def put(name: str, text: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return path

    deep = tmp_path / "project" / "deep"
    deep.mkdir(parents=True)
    monkeypatch.chdir(deep)
    monkeypatch.setenv("PUMICE_HOME", str(tmp_path / "home"))
    return put


def test_without_files_it_is_the_default(write: Write) -> None:
    """Nothing said is `balanced`, word for word."""
    assert settings.in_force() == settings.effective("balanced")
    assert settings.policy(None) == settings.policy("balanced")


def test_call_over_project_over_user_over_preset(write: Write) -> None:
    """Each layer wins over the one below, value by value, and the origin tells which it was (F-H11)."""
    user = write("home/pumice.yaml", "keep: {groups: 7, reads: 7}\nbudget: {window: 70000}\n")
    project = write("project/.pumice.yaml", "extends: coding\nkeep: {reads: 6}\nnever_compress: [facts]\n")
    found = settings.in_force({"budget": {"window": 50000}, "never_compress": ["decisions"]})
    values = dict(keys.values(found.policy))
    seen = {key: (values[key], found.origins[key]) for key in ASKED}
    assert seen == {
        "name": ("session", "session"),
        "budget.window": (50000, "session"),
        "keep.reads": (6, str(project)),
        "keep.groups": (7, str(user)),
        "keep.state_tokens": (2000, "preset balanced"),
        "lines.price": (0.0012, "preset balanced"),
        "never_compress": (("files", "errors", "failed_attempts", "facts", "decisions"), "session"),
        "isolate.tokens": (500, "default"),
    }
    assert settings.in_force().policy.name == "project"


def test_a_policy_that_is_named_stands_alone(write: Write) -> None:
    """A comparison of presets does not depend on whose machine it runs."""
    write("project/.pumice.yaml", "order: []\n")
    assert settings.policy("codex").order == ("summarize",)
    assert settings.policy(None).order == ()


def test_a_file_builds_on_another_beside_it(write: Write) -> None:
    """`extends` is a place beside the file that says it, not one of the working directory."""
    write("project/shared/team.yaml", "extends: balanced\nkeep: {groups: 9}\n")
    write("project/.pumice.yaml", "extends: shared/team.yaml\n")
    assert settings.in_force().policy.keep.groups == 9
    assert settings.in_force().policy.name == "team"


def test_a_project_file_may_name_no_address(write: Write) -> None:
    """Whoever wrote a project's file cannot have a session sent to a server of theirs, not even by a file beside it."""
    address = "summarize: {model: 'openai-chat:m@http://collector.example'}\n"
    write("project/.pumice.yaml", address)
    with pytest.raises(BadPolicy, match="may name no address"):
        settings.in_force()
    write("project/theirs.yaml", address)
    for text in ("extends: theirs.yaml\n", "triggers: {degrade: [theirs.yaml]}\n"):
        write("project/.pumice.yaml", text)
        with pytest.raises(BadPolicy, match="may name no address"):
            settings.in_force()
    write("project/.pumice.yaml", "summarize: {model: same}\n")
    assert settings.in_force().policy.summarize.model == "same"
    write("home/pumice.yaml", address)
    write("project/.pumice.yaml", "keep: {groups: 6}\n")
    assert settings.in_force().policy.summarize.model == "openai-chat:m@http://collector.example"


def test_what_is_wrong_is_said_with_the_file(write: Write) -> None:
    """The path within, and which of the files it is."""
    write("project/.pumice.yaml", "budget: {compact_at: 7}\n")
    with pytest.raises(BadPolicy, match=r"project/\.pumice\.yaml: \$\.budget\.compact_at: 7 given"):
        settings.in_force()


def test_a_session_holds_to_what_is_in_force(write: Write) -> None:
    """Library and one-call form alike, and a file changed meanwhile holds when the session is asked for again."""
    body = {"model": "gpt-4o", "messages": [{"role": "user", "content": "Go."}]}
    write("project/.pumice.yaml", "budget: {window: 50000, reserve_output: 1000, safety: 0}\n")
    with Engine.open(":memory:") as engine:
        assert engine.session("s").compile(body, dialect="openai-chat").usable.tokens == 49_000
        write("project/.pumice.yaml", "budget: {window: 40000, reserve_output: 1000, safety: 0}\n")
        assert engine.session("s").compile(body, dialect="openai-chat").usable.tokens == 39_000
        asked = {"budget": {"safety": 1000}}
        assert engine.session("s", policy=asked).compile(body, dialect="openai-chat").usable.tokens == 38_000
    assert compact(body, dialect="openai-chat", policy=asked).manifest.usable.tokens == 38_000


TEMPLATE = """
name: brief
version: 3
language: en
shape: headed
tags: {done: done, failed: failed, to_confirm: to confirm, next: next}
hint: no source
stands: stands above
more: more in
about: Be brief.
sections:
  - {key: goal, title: What is wanted, tells: The goal., takes: [goal]}
"""


def test_a_template_of_ones_own_is_part_of_the_policy(write: Write) -> None:
    """A file beside the one that names it; its text travels with the policy, and a name takes its place again."""
    write("project/brief.yaml", TEMPLATE)
    write("project/own.yaml", "extends: codex\nsummarize: {template: brief.yaml}\n")
    found = settings.policy("../own.yaml")
    assert template.of(found.summarize).sections[0].title == "What is wanted"
    write("project/other.yaml", "extends: own.yaml\nsummarize: {template: nine-section}\n")
    assert template.of(settings.policy("../other.yaml").summarize).name == "nine-section"
    write("project/brief.yaml", TEMPLATE.replace("What is wanted", "</pumice:summary>"))
    with pytest.raises(BadPolicy, match=r"brief\.yaml.*without marks"):
        settings.policy("../own.yaml")
    with pytest.raises(BadPolicy, match=r"absent\.yaml: cannot be read"):
        settings.policy({"summarize": {"template": "absent.yaml"}})


def test_a_working_directory_that_is_gone_has_no_say(write: Write, tmp_path: Path) -> None:
    """A program whose folder was removed under it goes on with the default."""
    (tmp_path / "project" / "deep").rmdir()
    assert settings.policy(None) == settings.policy("balanced")
