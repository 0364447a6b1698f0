"""The system text of a request, whatever its dialect: taken out piece by piece, and put back."""

from collections.abc import Sequence
from itertools import takewhile

import msgspec

from pumice.domain.block import Role
from pumice.domain.message import Request
from pumice.wire import envelope, get, jsonbytes
from pumice.wire.gemini.keys import spelled


def pieces(request: Request) -> tuple[bytes, ...]:
    """Raw system blocks, or the system messages in front where there is no field for them."""
    return request.head.system or tuple(takewhile(lambda raw: _is_system(raw, request.dialect), request.messages))


def text(raw: bytes, dialect: str) -> str:
    """What a piece says."""
    value = jsonbytes.decode(raw)
    if isinstance(value, dict) and "role" in value:
        return "\n".join(block.text for block in get(dialect).read_message(raw).blocks)
    return value if isinstance(value, str) else str(value.get("text", ""))


def saying(raw: bytes, known: bytes) -> bytes:
    """A piece that says what another does; a block keeps its own cache marker, and all else that it has."""
    if jsonbytes.is_string(raw):
        return known if jsonbytes.is_string(known) else jsonbytes.members(known)["text"]
    held = jsonbytes.members(raw)
    if "role" in held:
        return known
    said = known if jsonbytes.is_string(known) else jsonbytes.members(known)["text"]
    return jsonbytes.join_object({**held, "text": said})


def replaced(request: Request, held: Sequence[bytes]) -> Request:
    """The request with other pieces in place of its own."""
    dialect = get(request.dialect)
    if not request.head.system:
        messages = (*held, *request.messages[len(held) :])
        return msgspec.structs.replace(request, messages=messages, body=dialect.close(request, messages), ends=())
    key = field(request)
    system = _field(request.fields[key], held)
    tools = request.fields.get("tools", b"null")
    head = dialect.open(envelope.bare({key: system, "tools": tools}, dialect.field)).head
    fields = {**request.fields, key: system}
    body = dialect.close(request, request.messages, fields={key: system})
    return msgspec.structs.replace(request, head=head, fields=fields, body=body, ends=())


def field(request: Request) -> str:
    """The top-level key of the system text, as the request spells it."""
    return spelled(request.fields, get(request.dialect).system_field)


def _field(came: bytes, held: Sequence[bytes]) -> bytes:
    """The field of these pieces, in the shape it came in: a string, a list, or an object with a list of parts."""
    if jsonbytes.is_string(came):
        return held[0]
    listed = jsonbytes.join_array(held)
    return listed if jsonbytes.is_array(came) else jsonbytes.join_object({**jsonbytes.members(came), "parts": listed})


def _is_system(raw: bytes, dialect: str) -> bool:
    return get(dialect).read_message(raw).role == Role.SYSTEM
