"""The dump: one file a call, named so that anyone finds it."""

import json
from pathlib import Path

import pytest
import small_sessions as small
from hypothesis import given
from hypothesis import strategies as st

from pumice.errors import StoreError
from pumice.evaluate.dump import Dump, distinct

SESSION = [small.user("look"), *small.read(1, "a.py", "text"), small.said("done"), small.user("thanks")]


def test_a_call_is_written_with_everything_a_judge_needs(tmp_path: Path) -> None:
    """The fields of the contract, the body byte for byte, and no manifest where the product compiled nothing."""
    _, seen = small.judged(SESSION, {})
    write = Dump(tmp_path / "session" / "none")
    for one in seen:
        write(one)
    files = sorted(path.name for path in (tmp_path / "session" / "none").iterdir())
    assert files == ["00001.json", "00002.json", "00003.json"]
    text = (tmp_path / "session" / "none" / "00002.json").read_bytes()
    found = json.loads(text)
    assert list(found) == ["call", "response_id", "dialect", "body", "manifest", "tokens", "epoch"]
    assert (found["call"], found["dialect"], found["manifest"], found["epoch"]) == (2, "anthropic", None, 0)
    assert found["tokens"] == seen[1].tokens
    assert seen[1].body in text


def test_a_trailing_user_turn_has_no_response(tmp_path: Path) -> None:
    """It is compiled all the same."""
    _, seen = small.judged(SESSION, {})
    Dump(tmp_path)(seen[-1])
    assert json.loads((tmp_path / "00003.json").read_text("utf-8"))["response_id"] is None


def test_a_folder_that_cannot_be_made_is_one_clear_error(tmp_path: Path) -> None:
    """The path, the reason, and what to do."""
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(StoreError, match="taken/none cannot be written"):
        Dump(tmp_path / "taken" / "none")


def test_equal_names_are_numbered() -> None:
    """The second of a kind gets -2, without taking a name another file has."""
    assert distinct(["a", "b", "a", "a"]) == ["a", "b", "a-2", "a-3"]
    assert distinct(["a", "a-2", "a"]) == ["a", "a-2", "a-3"]


@given(st.lists(st.sampled_from(["a", "a-2", "a-3", "b"]), max_size=8))
def test_names_are_distinct(names: list[str]) -> None:
    """No dump overwrites another."""
    assert len(set(distinct(names))) == len(names)
