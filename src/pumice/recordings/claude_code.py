"""Claude Code session logs (JSONL) as recordings: the full history, and beside it what the client really sent."""

from collections.abc import Sequence

import msgspec

from pumice.recordings.claude_chain import Tree, Turn
from pumice.recordings.claude_history import History
from pumice.recordings.claude_records import Record, read
from pumice.recordings.jsonl import NotReadable, lines
from pumice.recordings.recording import Recording
from pumice.recordings.sniff import Format

MAX_TOKENS = b"20000"
"""Logs do not say it; a request needs one. The output reserve of a 200k window."""


def parse(data: bytes, file: str) -> list[Recording]:
    """Recordings of a log: the session, abandoned branches with calls of their own, then its sub-agents."""
    records, problems = _records(data)
    found: list[Recording] = []
    for lane in _lanes(records):
        tree = Tree(lane)
        for number, path in enumerate(tree.paths()):
            done = frozenset(call.response_id or "" for recording in found for call in recording.calls)
            notes = () if number else tree.problems
            recording = _recording(path, done, notes, file=file, trailing=not number)
            if recording.calls or not found:
                found.append(recording)
    first = found[0]
    return [msgspec.structs.replace(first, skipped_lines=len(problems), problems=(*problems, *first.problems)), *found[1:]]


def _recording(path: Sequence[Turn], done: frozenset[str], notes: Sequence[str], *, file: str, trailing: bool) -> Recording:
    history = History(done)
    history.walk(path, trailing=trailing)
    return Recording(
        file=file,
        format=Format.CLAUDE_CODE,
        dialect="anthropic",
        model=history.calls[0].model if history.calls else "",
        fields={"max_tokens": MAX_TOKENS},
        messages=tuple(history.full),
        calls=tuple(history.calls),
        problems=(*notes, *history.problems),
        injected=frozenset(history.injected),
    )


def _records(data: bytes) -> tuple[list[Record], list[str]]:
    records, problems = [], []
    for line in lines(data):
        try:
            records.append(read(line))
        except NotReadable as error:
            problems.append(f"line {line.number} skipped: {error}; expected a Claude Code record")
    return records, problems


def _lanes(records: Sequence[Record]) -> list[list[Record]]:
    """The main agent's records, then each sub-agent's, told apart by agent id or by the root of their chain."""
    lanes: dict[str, list[Record]] = {"": []}
    of: dict[str, str] = {}
    for record in records:
        lane = (record.lane or of.get(record.parent) or record.uuid) if record.is_side else ""
        of[record.uuid] = lane
        lanes.setdefault(lane, []).append(record)
    return list(lanes.values())
