"""Opening files: formats, constraints, and everything that is no recording."""

import json
import os

import pytest

from pumice import recordings
from pumice.errors import BadRecording
from pumice.recordings.files import parse
from pumice.recordings.sniff import sniff


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("claude.jsonl", "claude-code"),
        ("pi.jsonl", "pi"),
        ("runs.json", "openai"),
        ("anthropic.json", "body"),
        ("chat.json", "body"),
        ("steps.jsonl", "bodies"),
    ],
)
def test_the_format_is_told_from_content(fixtures, tmp_path, name, form):
    """No file name is looked at."""
    data = (fixtures / name).read_bytes()
    assert sniff(data, "x") == form
    disguised = tmp_path / "notes.txt"
    disguised.write_bytes(b"\xef\xbb\xbf" + data)
    assert recordings.open(disguised)[0].format in (form, "body")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "is empty"),
        (b" \n\n", "is empty"),
        (b"\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00", "line 1: is binary"),
        ("{}".encode("utf-16"), "line 1: is binary"),
        (b"hello world", "line 1: not JSON"),
        (b'{\n "model": "x",\n "messages": [\n', "line 4: not JSON"),
        (b"42", "line 1: a bare int: no known format"),
        (b"[]", "line 1: a list of 0: no known format"),
        (b'{"a":1}', "line 1: an object with the keys a: no known format"),
        (b'{"a":1}\n{"a":2}', "line 1: an object with the keys a: no known format"),
        (b"[" * 100_000, "line 1: "),
        (b'{"type":"session_meta","payload":{}}', "0 records, none of them an item"),
        (b'{"sessionId":"s","projectHash":"h","messages":[]}', "0 records, none of them a message"),
        (b'{"sessionId":"s","projectHash":"h"}\n{"id":1}', "line 2 skipped: Expected `str`, got `int`"),
        (b'{"model":"gpt-5","input":[]}', "request 1: holds no call: 0 messages"),
        (b'{"contents":[]}', "request 1: holds no call: 0 messages"),
        (b'{"type":"summary","summary":"s","leafUuid":"x"}', "none of them a message"),
    ],
)
def test_what_is_no_recording(data, words):
    """One line names the file, the line and what was expected."""
    with pytest.raises(BadRecording) as caught:
        parse(data, "odd.file")
    message = str(caught.value)
    assert message.startswith("odd.file: ")
    assert words in message
    assert "expected" in message
    assert "\n" not in message
    assert caught.value.exit_code == 2


def test_files_that_cannot_be_read(tmp_path):
    """A missing file, a folder and a forbidden file are told by the system's reason."""
    with pytest.raises(BadRecording, match=r"gone\.jsonl: cannot be read \(No such file"):
        recordings.open(tmp_path / "gone.jsonl")
    with pytest.raises(BadRecording, match="cannot be read"):
        recordings.open(tmp_path)
    locked = tmp_path / "locked.jsonl"
    locked.write_text("{}")
    locked.chmod(0)
    if not os.access(locked, os.R_OK):
        with pytest.raises(BadRecording, match=r"Permission denied"):
            recordings.open(locked)


def test_one_line_of_five_megabytes(claude, block):
    """A huge line is read like any other."""
    huge = "x" * 5_000_000
    log = claude().user("u1", "go").says("a1", "m1", block(call="c1")).result("r1", "c1", huge)
    recording = log.says("a2", "m2", block("ok")).read()[0]
    assert len(recording.messages[2]) > 5_000_000
    assert len(recording.calls) == 2
    (body,) = parse(json.dumps({"model": "claude-x", "messages": [{"role": "user", "content": huge}]}).encode(), "body.json")
    assert len(body.calls) == 1


def test_a_dialect_that_is_not_the_recordings(fixtures):
    """A log has its own dialect; asking for another is an error that says so."""
    with pytest.raises(BadRecording, match=r"is a claude-code recording in the dialect anthropic, 'openai-chat' was asked for"):
        recordings.open(fixtures / "claude.jsonl", dialect="openai-chat")
    assert recordings.open(fixtures / "claude.jsonl", dialect="anthropic")


@pytest.mark.parametrize("name", ["session.jsonl.constraints.json", "session.constraints.json"])
def test_constraints_beside_a_recording(fixtures, tmp_path, name):
    """The list is named like the file with or without its suffix and holds strings or objects with a text."""
    (tmp_path / "session.jsonl").write_bytes((fixtures / "claude.jsonl").read_bytes())
    (tmp_path / name).write_text('["不要动 migrations/", {"text": "never push", "id": 7}]')
    (recording,) = recordings.open(tmp_path / "session.jsonl")
    assert recording.constraints == ("不要动 migrations/", "never push")


@pytest.mark.parametrize("text", ["{", '{"a":1}', "[1]", '[{"rule":"x"}]', '[""]'])
def test_constraints_that_are_no_list_of_texts(fixtures, tmp_path, text):
    """They are refused by the name of their own file."""
    (tmp_path / "s.jsonl").write_bytes((fixtures / "claude.jsonl").read_bytes())
    (tmp_path / "s.constraints.json").write_text(text)
    with pytest.raises(BadRecording, match=r"s\.constraints\.json: .*[Ee]xpected"):
        recordings.open(tmp_path / "s.jsonl")
