"""Opening a recorded session: the one place here that reads a file."""

from pathlib import Path

from pumice.errors import BadRecording
from pumice.recordings import claude_code
from pumice.recordings.recording import Recording


def open_recording(path: Path, *, dialect: str | None = None) -> list[Recording]:
    """All sessions of a file; raises BadRecording naming the file, the line and what was expected."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadRecording(f"{path}: cannot be read ({error.strerror or error}).", hint="Give a file that exists.") from None
    if dialect not in (None, "anthropic"):
        raise BadRecording(f"{path}: dialect {dialect!r} was asked for, a Claude Code log is anthropic.", hint="Leave it out.")
    return claude_code.parse(data, str(path))
