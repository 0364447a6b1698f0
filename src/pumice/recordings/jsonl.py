"""JSON lines of doubtful quality: each line is a value of the expected shape or a problem with its number."""

import json
import types
import typing
from collections.abc import Iterator
from datetime import datetime
from typing import Any, TypeVar, get_args, get_origin

import msgspec

from pumice.wire import jsonbytes

T = TypeVar("T")


class Line(msgspec.Struct, frozen=True):
    """One line of a file."""

    number: int
    """From 1."""
    data: bytes


class NotReadable(ValueError):
    """A line or value is no JSON of the expected shape; the message says why."""


def lines(data: bytes) -> Iterator[Line]:
    """The lines of a file that hold anything but white space."""
    for number, line in enumerate(data.split(b"\n"), 1):
        stripped = line.strip()
        if stripped:
            yield Line(number, stripped)


def decode(data: bytes, kind: type[T]) -> T:
    """Read JSON into a struct whose `Raw` fields keep the source's bytes.

    What msgspec refuses but `json` reads (lone surrogates, NaN) goes the slow way and is written with escapes again.
    Raises NotReadable.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotReadable(f"not UTF-8 at byte {error.start}") from None
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.ValidationError as error:
        raise NotReadable(str(error)) from None
    except msgspec.DecodeError:
        return _decode_slowly(text, kind)
    except RecursionError:
        raise NotReadable("nested too deeply") from None


def seconds(timestamp: str | None) -> float | None:
    """Seconds since 1970 of an ISO time; None for none or a broken one."""
    try:
        return datetime.fromisoformat(timestamp).timestamp() if timestamp else None
    except ValueError:
        return None


def _decode_slowly(text: str, kind: type[T]) -> T:
    try:
        value = json.loads(text)
        return msgspec.convert(_keep_raw(value, kind), kind)
    except json.JSONDecodeError as error:
        raise NotReadable(f"not JSON: {error.msg} at character {error.pos + 1}") from None
    except (ValueError, RecursionError) as error:
        raise NotReadable(str(error)) from None


def _keep_raw(value: Any, kind: Any) -> Any:
    """The value with every part that `kind` wants raw written as JSON again."""
    if kind is msgspec.Raw:
        return msgspec.Raw(jsonbytes.encode(value))
    if get_origin(kind) in (types.UnionType, typing.Union):
        return value if value is None else _keep_raw(value, next(arg for arg in get_args(kind) if arg is not type(None)))
    if get_origin(kind) is list and isinstance(value, list):
        return [_keep_raw(item, get_args(kind)[0]) for item in value]
    if get_origin(kind) is dict and isinstance(value, dict):
        return {key: _keep_raw(item, get_args(kind)[1]) for key, item in value.items()}
    if isinstance(value, dict) and isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        wanted = {field.encode_name: field.type for field in msgspec.structs.fields(kind)}
        return {key: _keep_raw(item, wanted.get(key, Any)) for key, item in value.items()}
    return value
