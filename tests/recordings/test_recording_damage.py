"""Damaged files: nothing crashes, everything is told, and the same bytes give the same recordings."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from pumice.errors import BadRecording, BadRequest, UnknownDialect
from pumice.recordings import Recording
from pumice.recordings.files import parse
from pumice.wire import get, jsonbytes

_LOGS = [(Path(__file__).parent / "fixtures" / name).read_bytes() for name in ("claude.jsonl", "pi.jsonl", "steps.jsonl")]
_ANY = [*_LOGS, *((Path(__file__).parent / "fixtures" / name).read_bytes() for name in ("runs.json", "anthropic.json"))]
_LINES = st.sampled_from(_LOGS).flatmap(lambda data: st.permutations(data.splitlines()))
_JUNK = st.one_of(
    st.binary(min_size=1, max_size=40),
    st.sampled_from(
        [b"{", b"null", b'"text"', b"{}", b'{"type":"user"}', b'{"type":"message","message":{"role":"user"}}', b"\xff\xfe"]
    ),
)


def _read(data: bytes) -> list[Recording] | str:
    """The recordings, or the one line that refuses the file."""
    try:
        return parse(data, "damaged")
    except (BadRecording, UnknownDialect) as error:
        assert str(error).startswith("damaged")
        assert "\n" not in str(error)
        return str(error)


def _check(found: list[Recording] | str) -> None:
    """Every call names messages that exist and every body of it is read by its dialect."""
    for recording in found if isinstance(found, list) else ():
        assert recording.skipped_lines <= len(recording.problems)
        assert [call.number for call in recording.calls] == list(range(1, len(recording.calls) + 1))
        assert all(0 < call.upto <= len(recording.messages) for call in recording.calls if call.recorded is None)
        for call in recording.calls:
            get(recording.dialect).open(recording.body(call))
            assert call.response is None or get(recording.dialect).read_response(call.response)
        for message in recording.messages:
            get(recording.dialect).read_message(message)


@given(_LINES, st.lists(st.tuples(st.integers(0, 20), _JUNK), max_size=3))
def test_lines_shuffled_and_mixed_with_junk(lines, junk):
    """Any order of lines with any junk between them is read or refused, twice the same."""
    for place, piece in junk:
        lines.insert(place, piece)
    data = b"\n".join(lines)
    found = _read(data)
    _check(found)
    assert found == _read(data)


@given(st.sampled_from(_ANY), st.data())
def test_cut_off_anywhere(data, draw):
    """A file cut off at any byte is read up to there or refused."""
    _check(_read(data[: draw.draw(st.integers(0, len(data)))]))


@given(st.sampled_from(_ANY), st.data())
def test_bytes_overwritten(data, draw):
    """A file with bytes overwritten is read or refused, and a line that is no JSON any more is told."""
    place = draw.draw(st.integers(0, len(data) - 1))
    piece = draw.draw(st.binary(min_size=1, max_size=8))
    damaged = data[:place] + piece + data[place + len(piece) :]
    found = _read(damaged)
    _check(found)
    if isinstance(found, list) and found[0].format in ("claude-code", "pi"):
        told = " ".join(found[0].problems)
        for number, line in enumerate(damaged.split(b"\n"), 1):
            assert not line.strip() or _is_json(line) or f"line {number} skipped" in told


def _is_json(line: bytes) -> bool:
    try:
        jsonbytes.decode(line)
    except BadRequest:
        return False
    return True
