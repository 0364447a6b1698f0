"""The sessions that are measured: the biggest real ones at hand, under a head of real size."""

import os
from itertools import accumulate
from pathlib import Path

import msgspec

from pumice import recordings, wire
from pumice.measure import calibration, tokens
from pumice.recordings.recording import Recording
from pumice.wire import jsonbytes

ROOT = Path(__file__).resolve().parents[1]
EXAMPLE = ROOT / "examples" / "long-session" / "session.json"
BIG = 150_000
"""Tokens from which a request counts as one of a 200k-token session; in a session that never gets there, its second half."""
TOOLS = 25
WORDS = "Use this tool when the task calls for it, give absolute paths, and say in one sentence what you expect of it. "


def data() -> Path:
    """The folder with recorded sessions: `$DATA`, or `shared/data` beside the repository."""
    return Path(os.environ.get("DATA") or ROOT.parent / "shared" / "data")


def biggest(count: int) -> list[Path]:
    """Files of the biggest recorded sessions, the biggest first; the example session where no recordings are at hand."""
    found = sorted((data() / "claude-code").glob("*.jsonl"), key=lambda path: path.stat().st_size, reverse=True)
    return found[:count] or [path for path in (EXAMPLE,) if path.exists()]


def read(path: Path) -> Recording:
    """A session with the system prompt and tools a coding agent sends, behind the messages where it was recorded without."""
    recording = recordings.open(path)[0]
    if "tools" in recording.fields:
        return recording
    tool = {"description": WORDS * 25, "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}}}
    head = {
        "model": recording.model,
        "system": [{"type": "text", "text": WORDS * 200, "cache_control": {"type": "ephemeral"}}],
        "tools": [{"name": f"tool_{number}", **tool} for number in range(TOOLS)],
        "max_tokens": 8000,
        "stream": True,
    }
    fields = {key: jsonbytes.encode(value) for key, value in head.items()}
    return msgspec.structs.replace(recording, fields=fields, messages_at=1)


def big_calls(recording: Recording) -> frozenset[int]:
    """Numbers of the calls that are measured."""
    sums = sizes(recording)
    least = min(BIG, sums[-1] / 2)
    return frozenset(call.number for call in recording.calls if sums[call.upto] >= least)


def sizes(recording: Recording) -> list[float]:
    """Tokens of the first 0, 1, 2, … messages, by the factor of the model's family."""
    dialect = wire.get(recording.dialect)
    factor = calibration.family_factor(recording.model)
    texts = ["\n".join(block.text for block in dialect.read_message(raw).blocks) for raw in recording.messages]
    return [0.0, *(factor * counted for counted in accumulate(tokens.count_many(texts)))]


def head_size(recording: Recording) -> float:
    """Tokens of system prompt and tools."""
    text = b"\n".join(recording.fields.values()).decode("utf-8", "replace")
    return calibration.family_factor(recording.model) * tokens.count(text)
