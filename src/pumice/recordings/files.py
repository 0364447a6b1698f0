"""Opening a recorded session: the one place here that reads files."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from pumice.errors import BadRecording
from pumice.recordings import bodies, claude_code, codex, constraints, gemini_cli, openai, pi
from pumice.recordings.recording import Recording
from pumice.recordings.sniff import Format, sniff

_BOM = b"\xef\xbb\xbf"
_ONE_DIALECT = {
    Format.CLAUDE_CODE: claude_code.parse,
    Format.OPENAI: openai.parse,
    Format.PI: pi.parse,
    Format.GEMINI_CLI: gemini_cli.parse,
    Format.CODEX: codex.parse,
}


def open_recording(path: Path, *, dialect: str | None = None, last: bool = False) -> list[Recording]:
    """All sessions of a file in order; `last` keeps only the last call of each.

    `dialect` decides what a plain body is written in; without it, it must show. Raises BadRecording, which names the
    file, the line and what was expected, and UnknownDialect with the candidates.
    """
    found = parse(_read(path), str(path), dialect=dialect)
    listed = _listed(path)
    return [
        msgspec.structs.replace(
            recording,
            file=f"{path}#{number}" if len(found) > 1 else str(path),
            constraints=listed,
            calls=recording.calls[-1:] if last else recording.calls,
        )
        for number, recording in enumerate(found, 1)
    ]


def parse(data: bytes, file: str, *, dialect: str | None = None) -> list[Recording]:
    """The sessions in a file's bytes; `file` is what errors call it."""
    data = data.removeprefix(_BOM)
    found = sniff(data, file)
    if found in (Format.BODY, Format.BODIES):
        return bodies.parse_bodies(data, file, dialect)
    if found is Format.MESSAGES:
        return bodies.parse_messages(data, file, dialect)
    read = _ONE_DIALECT[found](data, file)
    _check_dialect(read, dialect, found)
    return read


def _check_dialect(read: Sequence[Recording], dialect: str | None, found: Format) -> None:
    other = next((recording for recording in read if dialect not in (None, recording.dialect)), None)
    if other:
        raise BadRecording(
            f"{other.file}: is a {found} recording in the dialect {other.dialect}, {dialect!r} was asked for.",
            hint="Leave the dialect out.",
        )


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadRecording(
            f"{path}: cannot be read ({error.strerror or error}); expected the file of a recorded session.",
            hint="Check the path and its permissions.",
        ) from None


def _listed(path: Path) -> tuple[str, ...]:
    for place in constraints.places(path):
        if place.is_file():
            return constraints.parse(_read(place), str(place))
    return ()
