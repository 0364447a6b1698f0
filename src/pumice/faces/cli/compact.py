"""`pumice compact`: one smaller, still valid session, in its own format."""

import errno
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import msgspec
from cyclopts import Parameter

from pumice import recordings, wire
from pumice.errors import BadRecording, InvalidInput
from pumice.faces import oneshot
from pumice.recordings.recording import Recording
from pumice.recordings.write import write
from pumice.wire import jsonbytes

LOGS = ("claude-code", "pi")
TOLD = 5
"""Repairs and warnings that are printed one by one."""


def compact(
    file: Path,
    /,
    *,
    target: int,
    out: Annotated[Path | None, Parameter(name=["--out", "-o"])] = None,
    manifest: Path | None = None,
    policy: str | None = None,
    window: int | None = None,
    model: str | None = None,
    dialect: str | None = None,
    json: bool = False,
) -> int:
    """Make one smaller, still valid session out of a recorded one, in its own format.

    Example: pumice compact session.jsonl --target 30000 -o smaller.jsonl --manifest why.json

    Parameters
    ----------
    file
        A recorded session, a request body or a list of messages.
    target
        Tokens the complete request goes down to.
    out
        Where the smaller session is written; standard output without it.
    manifest
        Where the manifest is written as JSON.
    policy
        A preset or a YAML file; without it what `pumice policy show` prints.
    window
        Tokens of the model's window; the policy's or the model's own without it.
    model
        The model its address names, where the file does not (Gemini bodies).
    dialect
        anthropic, openai-chat, openai-responses or gemini, when the file does not tell.
    json
        Print the sizes as JSON instead of the session.
    """
    recording = _one(recordings.open(file, dialect=dialect), file)
    body = recording.body(recording.calls[-1] if recording.calls else None, recording.messages)
    made = oneshot.compact(body, dialect=recording.dialect, target=target, window=window, model=model, policy=policy)
    messages = tuple(jsonbytes.items(jsonbytes.members(made.body)[wire.get(recording.dialect).field]))
    written = write(recording, messages)
    why = msgspec.json.format(msgspec.json.encode(made.manifest))
    _save({path: data for path, data in ((manifest, why), (out, written)) if path is not None})
    _tell(file, (*made.manifest.repairs, *made.manifest.warnings))
    if json:
        sizes = {"file": str(file), "tokens": made.tokens.total, "target": target, "messages": len(messages)}
        sys.stdout.write(msgspec.json.encode(sizes).decode() + "\n")
    elif out is None:
        sys.stdout.buffer.write(written)
    else:
        sys.stdout.write(f"{out}: {made.tokens.total:,} tokens ({made.tokens.counted}), {_of(messages, recording)}\n")
    return 0


def _of(messages: Sequence[bytes], recording: Recording) -> str:
    return f"{len(messages)} messages in place of {len(recording.messages)}"


def _one(found: Sequence[Recording], file: Path) -> Recording:
    """The session of a file; of an agent's log its main conversation, sub-agents and abandoned branches left alone."""
    if len(found) > 1 and found[0].format not in LOGS:
        raise BadRecording(f"{file}: {len(found)} sessions in one file, expected one.", hint="Split the file first.")
    if len(found) > 1:
        sys.stderr.write(f"{file}: the main conversation of {len(found)} is compacted; sub-agents and branches are left out\n")
    return found[0]


def _tell(file: Path, sentences: Sequence[str]) -> None:
    """What had to be repaired, and what is still wrong with the client's own request."""
    for sentence in sentences[:TOLD]:
        sys.stderr.write(f"{file}: {' '.join(sentence.split())}\n")
    if len(sentences) > TOLD:
        sys.stderr.write(f"{file}: {len(sentences) - TOLD} more; --manifest lists them all\n")


def _save(files: Mapping[Path, bytes]) -> None:
    """All or nothing: when one cannot be written whole, none of them is there. Raises InvalidInput."""
    parts = {path: Path(f"{path}.part") for path in files}
    path = Path()
    try:
        for path, data in files.items():
            if path.is_dir():
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            parts[path].write_bytes(data)
        for path, part in parts.items():
            part.replace(path)
    except OSError as error:
        for part in parts.values():
            with suppress(OSError):
                part.unlink()
        raise InvalidInput(f"{path}: cannot be written ({error.strerror}).", hint="Choose another place.") from error
