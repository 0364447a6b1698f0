"""JSON as bytes: taken apart and put together again without touching what is not looked at."""

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

import msgspec

from pumice.errors import BadRequest

_OBJECT = msgspec.json.Decoder(dict[str, msgspec.Raw])
_ARRAY = msgspec.json.Decoder(list[msgspec.Raw])
_ANY = msgspec.json.Decoder()


def decode(raw: bytes) -> Any:
    """The value; what msgspec refuses but `json` reads (lone surrogates, NaN) is read by `json`. Raises BadRequest."""
    try:
        return _ANY.decode(raw)
    except (msgspec.DecodeError, RecursionError):
        return _decode_slowly(raw)


def decode_any(raw: bytes) -> Any:
    """The value; None where there is none."""
    try:
        return decode(raw)
    except BadRequest:
        return None


def _decode_slowly(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise BadRequest(f"not JSON: {error}.", hint="Send one JSON value in UTF-8.") from error


def exact_members(raw: bytes) -> dict[str, bytes] | None:
    """Raw values of an object by key, in the order they were written; None when msgspec refuses the bytes."""
    try:
        return {key: bytes(value) for key, value in _OBJECT.decode(raw).items()}
    except (msgspec.DecodeError, RecursionError):
        return None


def members(raw: bytes) -> dict[str, bytes]:
    """Like `exact_members`, with values re-encoded where msgspec refuses. Raises BadRequest for anything but an object."""
    found = exact_members(raw)
    if found is not None:
        return found
    value = _decode_slowly(raw)
    if not isinstance(value, dict):
        raise BadRequest(f"{_shown(raw)} is not a JSON object.", hint="Expected {…} here.")
    return {key: encode(item) for key, item in value.items()}


def items(raw: bytes) -> list[bytes]:
    """Raw values of an array. Raises BadRequest for anything else."""
    try:
        return [bytes(value) for value in _ARRAY.decode(raw)]
    except (msgspec.DecodeError, RecursionError):
        value = _decode_slowly(raw)
    if not isinstance(value, list):
        raise BadRequest(f"{_shown(raw)} is not a JSON array.", hint="Expected […] here.")
    return [encode(item) for item in value]


def encode(value: Any) -> bytes:
    """Compact JSON in UTF-8; text UTF-8 cannot hold is written with escapes. Raises BadRequest when nested too deeply."""
    try:
        return msgspec.json.encode(value) if is_plain(value) else _encode_slowly(value)
    except UnicodeEncodeError:
        return _encode_slowly(value)
    except RecursionError as error:
        raise _too_deep() from error


def encode_plain(value: Any) -> bytes | None:
    """Like `encode` for a value that `is_plain`; None when it has to be written the slow way."""
    try:
        return msgspec.json.encode(value)
    except (UnicodeEncodeError, RecursionError):
        return None


def is_plain(value: Any) -> bool:
    """msgspec writes NaN and infinity as null; they must come back as they were."""
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, dict):
            pending.extend(item.values())
        elif isinstance(item, list):
            pending.extend(item)
        elif isinstance(item, float) and item - item != 0:
            return False
    return True


def _encode_slowly(value: Any, *, sort: bool = False) -> bytes:
    try:
        return json.dumps(value, ensure_ascii=True, separators=(",", ":"), sort_keys=sort).encode()
    except RecursionError as error:
        raise _too_deep() from error


def _too_deep() -> BadRequest:
    return BadRequest("a value nested too deeply to be written.", hint="Send fewer levels.")


def canonical(value: Any) -> bytes:
    """Bytes that do not depend on key order or spelling."""
    try:
        return msgspec.json.encode(value, order="deterministic")
    except UnicodeEncodeError:
        return _encode_slowly(value, sort=True)
    except RecursionError as error:
        raise _too_deep() from error


def digest(value: Any) -> str:
    """sha256 hex of the canonical bytes."""
    return sha256(canonical(value)).hexdigest()


def join_object(parts: Mapping[str, bytes]) -> bytes:
    """An object around raw values."""
    return b"{" + b",".join(encode(key) + b":" + value for key, value in parts.items()) + b"}"


def join_array(parts: Iterable[bytes]) -> bytes:
    """An array around raw values."""
    return b"[" + b",".join(parts) + b"]"


def is_string(raw: bytes) -> bool:
    return raw[:1] == b'"'


def is_array(raw: bytes) -> bool:
    return raw[:1] == b"["


def _shown(raw: bytes) -> str:
    text = raw[:40].decode("utf-8", "replace")
    return text if len(raw) <= 40 else f"{text}…"
