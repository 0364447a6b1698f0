"""`pumice compact`: one smaller, still valid session, in its own format."""

import sys
from pathlib import Path

import msgspec

from pumice import recordings
from pumice.errors import BadRecording, InvalidInput
from pumice.faces import oneshot
from pumice.recordings.write import write


def compact(
    file: Path,
    *,
    target: int,
    out: Path | None = None,
    manifest: Path | None = None,
    policy: str = "balanced",
    window: int | None = None,
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
        A preset, or a YAML file.
    window
        Tokens of the model's window.
    dialect
        anthropic or openai-chat, when the file does not tell.
    json
        Print the sizes as JSON instead of the session.
    """
    found = recordings.open(file, dialect=dialect)
    if len(found) != 1:
        raise BadRecording(f"{file}: {len(found)} sessions in one file, expected one.", hint="Split the file first.")
    recording = found[0]
    body = recording.body(recording.calls[-1] if recording.calls else None, recording.messages)
    made = oneshot.compact(body, dialect=recording.dialect, target=target, window=window, policy=policy)
    messages = tuple(msgspec.json.encode(item) for item in msgspec.json.decode(made.body)["messages"])
    written = write(recording, messages)
    if manifest is not None:
        _save(manifest, msgspec.json.format(msgspec.json.encode(made.manifest)))
    if out is not None:
        _save(out, written)
    if json:
        sizes = {"file": str(file), "tokens": made.tokens.total, "target": target, "messages": len(messages)}
        sys.stdout.write(msgspec.json.encode(sizes).decode() + "\n")
    elif out is None:
        sys.stdout.buffer.write(written)
    else:
        sys.stdout.write(f"{out}: {made.tokens.total:,} tokens ({made.tokens.counted}), {len(messages)} messages\n")
    return 0


def _save(path: Path, data: bytes) -> None:
    """All or nothing: a file that could not be written whole is not left behind."""
    part = path.with_name(path.name + ".part")
    try:
        part.write_bytes(data)
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise InvalidInput(f"{path}: cannot be written ({error.strerror}).", hint="Choose another place.") from error
