"""Claude Code session logs (JSONL) as recordings: the full history, and beside it what the client really sent."""

from collections.abc import Sequence

from pumice.errors import BadRecording
from pumice.recordings import logs
from pumice.recordings.claude_records import around, read
from pumice.recordings.jsonl import NotReadable, lines
from pumice.recordings.recording import Recording, with_skipped
from pumice.recordings.records import Record
from pumice.recordings.sniff import Format
from pumice.recordings.voices import Anthropic

MAX_TOKENS = b"20000"
"""Logs do not say it and a request needs one: the output reserve of a 200k window."""


def parse(data: bytes, file: str) -> list[Recording]:
    """Recordings of a log: the session, abandoned branches with calls of their own, then its sub-agents.

    Raises BadRecording when no line holds a message.
    """
    records: list[Record] = []
    skipped: list[str] = []
    outer: dict[str, bytes] = {}
    for line in lines(data):
        try:
            records.append(read(line))
        except NotReadable as error:
            skipped.append(f"line {line.number} skipped: {error}; expected a Claude Code record")
            continue
        outer = outer or around(line)
    shape = Recording(file, Format.CLAUDE_CODE, Anthropic.dialect, "", {"max_tokens": MAX_TOKENS}, (), (), outer=outer)
    found = logs.recordings(_lanes(records), Anthropic(), shape)
    if not found or not found[0].messages:
        told = skipped[0] if skipped else f"line 1: {len(records)} records"
        raise BadRecording(f"{file}: {told}, none of them a message; expected a Claude Code session.")
    return with_skipped(found, skipped)


def _lanes(records: Sequence[Record]) -> list[list[Record]]:
    """The main agent's records, then each sub-agent's, told apart by agent id or by the root of their chain."""
    lanes: dict[str, list[Record]] = {"": []}
    of: dict[str, str] = {}
    for record in records:
        lane = (record.lane or of.get(record.parent) or record.uuid) if record.is_side else ""
        of[record.uuid] = lane
        lanes.setdefault(lane, []).append(record)
    return list(lanes.values())
