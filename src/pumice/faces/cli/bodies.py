"""Request bodies given as files."""

from pathlib import Path

from pumice import wire
from pumice.errors import InvalidInput
from pumice.wire import jsonbytes


def read(file: Path) -> bytes:
    """The bytes of a file that holds a JSON object. Raises InvalidInput that names it."""
    try:
        found = file.read_bytes()
    except OSError as error:
        raise InvalidInput(
            f"{file}: cannot be read ({error.strerror}).", hint="Give a file that holds one JSON body."
        ) from error
    try:
        jsonbytes.members(found)
    except InvalidInput as error:
        raise InvalidInput(f"{file}: {error}") from error
    return found


def dialect_of(body: bytes, named: str | None) -> str:
    """The dialect that was named, or the one the body shows. Raises UnknownDialect."""
    return wire.get(named).name if named else wire.detect(body)
