"""`pumice validate` and `pumice prefix` as a user meets them: exit codes, JSON, one-line errors."""

import json

import pytest

from pumice.faces import cli

USER = {"role": "user", "content": "hi"}
GOOD = {"model": "claude-opus-4-5", "max_tokens": 9, "system": "at 10:01", "messages": [USER]}
BAD = {
    **GOOD,
    "messages": [USER, {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "f", "input": {}}]}],
}


@pytest.fixture
def run(tmp_path, capsys):
    """Runs a command on bodies written to files; gives exit code, standard output and standard error."""

    def call(command: str, *bodies: object, more: tuple[str, ...] = ()) -> tuple[int, str, str]:
        paths = []
        for number, body in enumerate(bodies):
            paths.append(tmp_path / f"{number}.json")
            paths[-1].write_bytes(body if isinstance(body, bytes) else json.dumps(body).encode())
        code = cli.main([command, *map(str, paths), *more])
        out, error = capsys.readouterr()
        return code, out, error

    return call


def test_validate_says_valid_or_names_the_rule(run):
    """Exit 0 and 1, with the path of what is broken."""
    assert run("validate", GOOD)[:1] == (0,)
    code, out, _ = run("validate", BAD, more=("--dialect", "anthropic"))
    assert code == 1
    assert "A4" in out
    assert "messages[1].content[0]" in out


def test_validate_takes_the_model_an_address_names(run):
    """A body of Gemini's does not say whether signatures are checked."""
    call = {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}}}]}
    answer = {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {"output": "x"}}}]}
    body = {"contents": [{"role": "user", "parts": [{"text": "hi"}]}, call, answer]}
    assert run("validate", body)[0] == 0
    code, out, _ = run("validate", body, more=("--model", "gemini-3-pro-preview"))
    assert code == 1
    assert "contents[1].parts[0]" in out
    longer = {**body, "contents": [*body["contents"], {"role": "user", "parts": [{"text": "more"}]}]}
    assert run("prefix", body, longer, more=("--model", "gemini-3-pro-preview"))[0] == 0


def test_validate_demands_what_the_api_demands(run):
    """A body without model or output cap would be refused; where the version is in the body the address names the model."""
    found = json.loads(run("validate", {"messages": [USER]}, more=("--dialect", "anthropic", "--json"))[1])
    assert [(one["rule"], one["path"]) for one in found["violations"]] == [("A9", "model"), ("A9", "max_tokens")]
    assert (
        run(
            "validate",
            {"anthropic_version": "bedrock-2023-05-31", "max_tokens": 9, "messages": [USER]},
            more=("--dialect", "anthropic"),
        )[0]
        == 0
    )


def test_validate_json_has_the_promised_shape(run):
    """`{"valid", "violations": [{"rule", "path", "message"}]}`."""
    code, out, _ = run("validate", BAD, more=("--json",))
    found = json.loads(out)
    assert (code, found["valid"]) == (1, False)
    assert found["violations"][0].keys() == {"rule", "path", "message"}
    assert json.loads(run("validate", GOOD, more=("--json",))[1]) == {"valid": True, "violations": []}


def test_validate_knows_the_models_window(run):
    """Input over the window is a violation, by the table or the flag."""
    long = {**GOOD, "messages": [{"role": "user", "content": "word " * 3000}]}
    assert run("validate", long)[0] == 0
    assert '"A25"' in run("validate", long, more=("--window", "2000", "--json"))[1]


@pytest.mark.parametrize(
    ("body", "more", "words"),
    [
        (b"nonsense", (), "not JSON"),
        ([1, 2], ("--dialect", "anthropic"), "not a JSON object"),
        ({"model": "m", "max_tokens": 1, "messages": [USER]}, (), "anthropic or openai-chat"),
        (GOOD, ("--dialect", "klingon"), "is no dialect"),
        ({"model": "m", "max_tokens": 1}, (), "no request"),
    ],
)
def test_wrong_use_is_one_line_on_stderr_and_exit_2(run, body, more, words):
    """The error says what was given and what was expected, and nothing is printed as a result."""
    code, out, error = run("validate", body, more=more)
    assert (code, out) == (2, "")
    assert error.count("\n") == 1
    assert words in error


def test_missing_file_is_named(tmp_path, capsys):
    """A file that cannot be read is wrong use."""
    assert cli.main(["validate", str(tmp_path / "none.json")]) == 2
    assert "none.json" in capsys.readouterr().err


def test_prefix_reports_where_what_and_why(run):
    """Exit 1 when the prefix broke; the clock in the system text is named, in words and in JSON."""
    later = {**GOOD, "system": "at 10:02"}
    code, out, _ = run("prefix", GOOD, later)
    assert code == 1
    assert "system (timestamp)" in out
    report = json.loads(run("prefix", GOOD, later, more=("--json",))[1])
    assert report.keys() == {"stable", "diverges_at", "invalidated_tokens", "cost_usd", "volatile"}
    assert report["volatile"] == [{"path": "system", "kind": "timestamp"}]
    assert run("prefix", GOOD, {**GOOD, "messages": [USER, USER]})[0] == 0
