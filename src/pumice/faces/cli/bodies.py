"""Request bodies given as files."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pumice import wire
from pumice.errors import InvalidInput


@contextmanager
def of(file: Path) -> Iterator[None]:
    """What is wrong with a file is said with its name."""
    try:
        yield
    except InvalidInput as error:
        raise InvalidInput(f"{file}: {error}") from error


def read(file: Path, dialect: str | None) -> tuple[bytes, str]:
    """The request a file holds, and its dialect: the one named, else the one it shows. Raises InvalidInput with its name."""
    with of(file):
        try:
            body = file.read_bytes()
        except OSError as error:
            reason = f"cannot be read ({error.strerror})."
            raise InvalidInput(reason, hint="Give a file that holds one JSON body.") from error
        name = wire.get(dialect).name if dialect else wire.detect(body)
        wire.get(name).open(body)
    return body, name
