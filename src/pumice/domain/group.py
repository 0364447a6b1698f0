"""Groups: one model response with all its calls and results, or one user message. Cuts lie between them."""

import msgspec

from pumice.domain.block import Block


class Node(msgspec.Struct, frozen=True):
    """A message of the ledger tree."""

    index: int
    """Position on its branch, from 0."""
    role: str
    blocks: tuple[Block, ...]
    key: bytes
    """Canonical key, as in `Message.key`."""
    raw: bytes
    """Bytes as first sent by the client."""
    is_text: bool = False
    is_part: bool = False
    """As in `Message`."""


class Group(msgspec.Struct, frozen=True):
    """A run of nodes that leaves or stays as one step of the conversation."""

    index: int
    nodes: tuple[Node, ...]
    is_user: bool
    blocks: tuple[Block, ...] = ()
    """All blocks of the nodes in order; set by itself."""

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "blocks", tuple(block for node in self.nodes for block in node.blocks))
