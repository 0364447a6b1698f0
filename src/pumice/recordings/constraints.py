"""Constraints listed by hand beside a recording."""

from pathlib import Path
from typing import Any

from pumice.errors import BadRecording, BadRequest
from pumice.wire import jsonbytes

SUFFIX = ".constraints.json"


def places(path: Path) -> tuple[Path, ...]:
    """Where the list of a recording may lie: beside it, named like it with or without its suffix."""
    return path.with_name(path.name + SUFFIX), path.with_name(path.stem + SUFFIX)


def parse(data: bytes, file: str) -> tuple[str, ...]:
    """The texts of a JSON list of strings or of objects with `text`; raises BadRecording."""
    try:
        listed = jsonbytes.decode(data)
    except BadRequest as error:
        raise BadRecording(f"{file}: {error} Expected a list of constraints.") from None
    if not isinstance(listed, list):
        raise BadRecording(f"{file}: is a {type(listed).__name__}; expected a list of strings or of objects with `text`.")
    return tuple(_text(item, place, file) for place, item in enumerate(listed))


def _text(item: Any, place: int, file: str) -> str:
    text = item.get("text") if isinstance(item, dict) else item
    if not isinstance(text, str) or not text.strip():
        raise BadRecording(f"{file}: entry {place} is {item!r}; expected a string or an object with `text`.")
    return text
