"""Request bodies given as files."""

from pathlib import Path

from pumice import wire
from pumice.errors import InvalidInput


def read(file: Path) -> bytes:
    """The bytes of a file. Raises InvalidInput that names it."""
    try:
        return file.read_bytes()
    except OSError as error:
        raise InvalidInput(
            f"{file}: cannot be read ({error.strerror}).", hint="Give a file that holds one JSON body."
        ) from error


def dialect_of(body: bytes, named: str | None) -> str:
    """The dialect that was named, or the one the body shows. Raises UnknownDialect."""
    return wire.get(named).name if named else wire.detect(body)
