"""Where the messages of a body end, so that a body that begins alike is taken apart only from there on.

Clients send the whole conversation at every call: one comparison of bytes finds what is new.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from pumice.domain.message import Request
from pumice.wire import jsonbytes

_OPENING = re.compile(rb"[ \t\r\n]*:[ \t\r\n]*\[")
_BETWEEN = re.compile(rb"[ \t\r\n,]*")


class Parts(msgspec.Struct, frozen=True):
    """A body taken apart."""

    fields: dict[str, bytes]
    """Top-level keys in order; the value of the messages is left out."""
    messages: tuple[bytes, ...]
    ends: tuple[int, ...]
    is_text: bool = False
    """A bare string stood for them."""


def find(body: bytes, fields: Mapping[str, bytes], messages: Sequence[bytes], field: str = "messages") -> tuple[int, ...]:
    """Where each message ends; empty where the place of the list is not beyond doubt (a key of that name deeper inside).

    So it is where a key in front of it stands again behind it: the value that counts is not the one a next body begins with.
    """
    name = jsonbytes.encode(field)
    at = body.find(name)
    opening = _OPENING.match(body, at + len(name))
    head = jsonbytes.exact_members(body[:at] + name + b":0}")
    if opening is None or head is None or list(head) != list(fields)[: len(head)]:
        return ()
    if any(fields[key] != value for key, value in head.items() if key != field):
        return ()
    return _ends(body, opening.end(), messages)


def _ends(body: bytes, at: int, messages: Iterable[bytes]) -> tuple[int, ...]:
    """Empty where the messages are not those that stand there: a second list of that name won."""
    found: list[int] = []
    for raw in messages:
        between = _BETWEEN.match(body, at)
        at = between.end() if between else at
        if not body.startswith(raw, at):
            return ()
        at += len(raw)
        found.append(at)
    return tuple(found)


def shared(before: Request, body: bytes) -> int:
    """How many messages the body shares with the request before, everything in front of them included."""
    known = memoryview(before.body)
    low, high, at = 0, len(before.ends), 0
    while low < high:
        middle = (low + high + 1) // 2
        end = before.ends[middle - 1]
        if body.startswith(known[at:end], at):
            low, at = middle, end
        else:
            high = middle - 1
    return low


def continued(before: Request, body: bytes) -> Parts | None:
    """The parts of a body that begins like the request before; None where it does not, or has to be read as a whole."""
    count = shared(before, body)
    if not count:
        return None
    start = before.ends[count - 1]
    rest = body[start:]
    # The shared messages as one null: msgspec refuses here whatever it refuses in the whole.
    found = jsonbytes.exact_members(b"{" + jsonbytes.encode(before.field) + b":[null" + rest)
    listed = found.pop(before.field) if found is not None else b""
    head = _up_to_messages(before)
    # A key that stands twice is for the whole reading to judge.
    if found is None or not rest.startswith(listed.removeprefix(b"[null")) or head.keys() & found.keys():
        return None
    fresh = jsonbytes.items(listed)[1:]
    return Parts(
        head | {key: _same(before.fields.get(key), raw) for key, raw in found.items()},
        (*before.messages[:count], *fresh),
        before.ends[:count] + _ends(body, start, fresh),
    )


def _up_to_messages(request: Request) -> dict[str, bytes]:
    keys = list(request.fields)
    return {key: request.fields[key] for key in keys[: keys.index(request.field) + 1]}


def _same(known: bytes | None, raw: bytes) -> bytes:
    """The bytes object already known where the value is the same: what is cached by it is found without hashing again."""
    return known if known == raw else raw
