"""pi session logs (JSONL) as recordings: entries in a line (version 1) or a tree of ids (later)."""

from collections.abc import Sequence

import msgspec

from pumice.errors import BadRecording, BadRequest
from pumice.recordings import logs
from pumice.recordings.jsonl import NotReadable, lines
from pumice.recordings.pi_records import FAILED, Entry, entry, is_anthropic, record
from pumice.recordings.recording import Recording, with_skipped
from pumice.recordings.records import Record
from pumice.recordings.sniff import Format
from pumice.recordings.voices import Anthropic, Chat
from pumice.wire import jsonbytes

MAX_TOKENS = b"20000"
"""Logs do not say it and Anthropic wants one: the output reserve of a 200k window."""


def parse(data: bytes, file: str) -> list[Recording]:
    """Recordings of a log: the session, then abandoned branches with calls of their own.

    The dialect is that of the first answered call. Turns that were aborted or failed are left out, as pi leaves them out.
    Raises BadRecording when no line holds a message.
    """
    log = _read(data)
    voice = Anthropic() if _speaks_anthropic(log.entries) else Chat()
    fields = {"max_tokens": MAX_TOKENS} if voice.dialect == "anthropic" else {}
    shape = Recording(file, Format.PI, voice.dialect, "", fields, (), (), outer=_header(data))
    found = logs.recordings([log.records], voice, shape)
    if not found or not found[0].messages:
        told = log.skipped[0] if log.skipped else f"line 1: {len(log.records)} entries"
        raise BadRecording(f"{file}: {told}, none of them a message; expected a pi session.")
    first = msgspec.structs.replace(found[0], problems=(*log.left_out, *found[0].problems))
    return with_skipped([first, *found[1:]], log.skipped)


class _Log(msgspec.Struct):
    entries: list[Entry] = []
    records: list[Record] = []
    skipped: list[str] = []
    left_out: list[str] = []


def _read(data: bytes) -> _Log:
    log = _Log()
    for line in lines(data):
        try:
            found = entry(line)
            log.records.append(record(line.number, found))
        except (NotReadable, BadRequest, KeyError) as error:
            log.skipped.append(f"line {line.number} skipped: {error}; expected a pi entry")
            continue
        log.entries.append(found)
        if found.message and found.message.role == "assistant" and found.message.stop_reason in FAILED:
            log.left_out.append(f"line {line.number}: an assistant turn that ended in {found.message.stop_reason!r}: left out")
    return log


def _speaks_anthropic(entries: Sequence[Entry]) -> bool:
    answered = (found.message for found in entries if found.message and found.message.role == "assistant")
    return next((is_anthropic(message) for message in answered if message.stop_reason not in FAILED), True)


def _header(data: bytes) -> dict[str, bytes]:
    """The members of the log's first session line."""
    for line in lines(data):
        try:
            members = jsonbytes.members(line.data)
        except BadRequest:
            continue
        if members.get("type") == b'"session"':
            return members
    return {}
