"""What reasoning is signed over: the head and every block before it, in order (provider-contracts §0.1, K-A35)."""

from collections.abc import Sequence
from typing import Any

import msgspec

from pumice.domain.block import Kind
from pumice.domain.message import Message, Request
from pumice.wire import jsonbytes
from pumice.wire.anthropic import head


class Spot(msgspec.Struct, frozen=True):
    """One piece of the signed prefix."""

    key: str
    """The same for equal role and content, cache markers aside."""
    path: str
    is_reasoning: bool = False


def spots(request: Request, messages: Sequence[Message]) -> list[Spot]:
    """Head and blocks in the order they are signed; deferred tools stand outside."""
    found = [Spot(unit.key.hex(), unit.path) for unit in head.units(request.head)]
    for index, message in enumerate(messages):
        for place, block in enumerate(message.blocks):
            path = f"messages[{index}].content[{place}]"
            found.append(Spot(f"{message.role}:{block.hash}", path, block.kind is Kind.REASONING))
    return found


def drops_blocks(request: Request) -> bool:
    """The request lets the provider drop reasoning that no longer matches (A37)."""
    thinking: Any = jsonbytes.decode(request.fields.get("thinking", b"null"))
    binding = thinking.get("block_binding") if isinstance(thinking, dict) else None
    return isinstance(binding, dict) and binding.get("prefix_mismatch_behavior") == "drop_block"
