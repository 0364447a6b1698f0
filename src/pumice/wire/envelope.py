"""The request around the messages: opened without decoding them, closed by splicing."""

from collections.abc import Mapping, Sequence

import msgspec

from pumice.domain.message import Request
from pumice.errors import BadRequest
from pumice.wire import boundaries, jsonbytes
from pumice.wire.boundaries import Parts

_TEXT = "input"
"""The one key that may hold a string in place of messages."""


class Envelope(msgspec.Struct, frozen=True):
    fields: dict[str, bytes]
    messages: tuple[bytes, ...]
    body: bytes
    model: str
    ends: tuple[int, ...] = ()
    is_text: bool = False


def read(body: bytes, before: Request | None = None, *, field: str = "messages") -> Envelope:
    """Top-level keys and raw messages of a body, what it shares with the request before not read again. Raises BadRequest."""
    parts = boundaries.continued(before, body) if before is not None and before.field == field else None
    if parts is None:
        body, parts = _taken_apart(body, field)
    model = jsonbytes.decode(parts.fields["model"]) if "model" in parts.fields else ""
    if not isinstance(model, str):
        raise BadRequest(f"`model` is {model!r}.", hint="Expected the model's name as a string.")
    return Envelope(parts.fields, parts.messages, body, model, parts.ends, parts.is_text)


def bare(fields: Mapping[str, bytes], field: str) -> bytes:
    """A body of these top-level keys that holds no messages."""
    return jsonbytes.join_object({**fields, field: b"[]"})


def _taken_apart(body: bytes, field: str) -> tuple[bytes, Parts]:
    """The body as it will be spliced, and its parts."""
    fields = jsonbytes.exact_members(body)
    is_exact = fields is not None
    if fields is None:
        fields = jsonbytes.members(body)
        body = jsonbytes.join_object(fields)
    if field not in fields:
        raise BadRequest(
            f"a request without `{field}` (keys: {', '.join(fields) or 'none'}).", hint="Send the whole request body."
        )
    listed = fields[field]
    fields[field] = b""
    if field == _TEXT and jsonbytes.is_string(listed):
        return body, Parts(fields, (jsonbytes.join_object({"role": b'"user"', "content": listed}),), (), is_text=True)
    messages = tuple(jsonbytes.items(listed))
    return body, Parts(fields, messages, boundaries.find(body, fields, messages, field) if is_exact else ())


def number(fields: Mapping[str, bytes], *names: str) -> int | None:
    """The first of these keys that holds a whole number."""
    for name in names:
        value = jsonbytes.decode(fields[name]) if name in fields else None
        if isinstance(value, int) and not isinstance(value, bool):
            return value
    return None


def close(request: Request, messages: Sequence[bytes], fields: Mapping[str, bytes | None]) -> bytes:
    """The body with other messages or fields; the client's own bytes when there is no change."""
    if not fields and tuple(messages) == request.messages:
        return request.body
    kept = {**request.fields, request.field: b"", **fields}
    listed = _listed(request, messages)
    pieces: list[bytes] = []
    for key, value in ((key, value) for key, value in kept.items() if value is not None):
        pieces += [b"," if pieces else b"{", jsonbytes.encode(key), b":"]
        pieces += listed if key == request.field else [value]
    return b"".join([*pieces, b"}"])


def _listed(request: Request, messages: Sequence[bytes]) -> list[bytes]:
    """The messages as the value of their key: what came as a string leaves as one while it is the same."""
    if request.is_text and tuple(messages) == request.messages:
        return [jsonbytes.members(messages[0])["content"]]
    return [b"[", b",".join(messages), b"]"]
