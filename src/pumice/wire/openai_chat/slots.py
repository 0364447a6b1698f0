"""Where the blocks of a Chat message stand: in its content, beside it, or as the message itself."""

import msgspec

from pumice.wire import jsonbytes

CALLS = "tool_calls"
_RESULT_ROLES = frozenset({"tool", "function"})


class Slot(msgspec.Struct, frozen=True):
    """One block's place; `index` is None where the field holds the block itself."""

    field: str
    index: int | None
    raw: bytes


def of(raw: bytes, role: str, members: dict[str, bytes]) -> list[Slot]:
    """All blocks of a message in reading order."""
    if role in _RESULT_ROLES:
        return [Slot("content", None, raw)]
    found: list[Slot] = []
    for field in ("reasoning_content", "content", "refusal", CALLS, "function_call", "audio"):
        value = members.get(field, b"null")
        if field in ("content", CALLS) and jsonbytes.is_array(value):
            found += [Slot(field, index, item) for index, item in enumerate(jsonbytes.items(value))]
        elif value != b"null":
            found.append(Slot(field, None, value))
    return found
