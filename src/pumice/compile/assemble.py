"""Assemble a view: each node as its own bytes, rewritten by its decisions, or left out."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from itertools import compress, count
from operator import is_not

import msgspec

from pumice.domain.block import Block, Kind
from pumice.domain.book import Size
from pumice.domain.decision import Decision, Outcome
from pumice.domain.group import Node
from pumice.domain.message import Message
from pumice.wire.dialect import Dialect


class Piece(msgspec.Struct, frozen=True):
    """One message of a view, ready to send."""

    key: bytes
    """Canonical identity: equal keys at equal places are the same cached prefix."""
    raw: bytes
    size: Size
    node: int
    """Index of the node it shows; −1 for a message of ours."""


def form(block: Block, decision: Decision | None) -> str | None:
    """The text that stands for a block, None when it is left out; call only for blocks not shown as they are."""
    if decision is None or decision.outcome in (Outcome.KEEP, Outcome.PLACED):
        return block.text
    return decision.text if decision.outcome is Outcome.EXCERPT else None


def is_whole(decision: Decision | None) -> bool:
    """Whether a block stands in its own bytes."""
    return decision is None or decision.outcome in (Outcome.KEEP, Outcome.PLACED)


def rewrites(node: Node, decisions: Mapping[str, Decision]) -> dict[int, str | None]:
    """What is not shown as it came, by block position; all None when only reasoning would be left."""
    changed = {
        at: form(block, decisions.get(block.id))
        for at, block in enumerate(node.blocks)
        if not is_whole(decisions.get(block.id))
    }
    left = [block for at, block in enumerate(node.blocks) if changed.get(at, "") is not None]
    if changed and all(block.kind is Kind.REASONING for block in left):
        return dict.fromkeys(range(len(node.blocks)))
    return changed


def total(sizes: Iterable[Size]) -> Size:
    """The size of several blocks together."""
    text = fixed = 0
    for size in sizes:
        text += size.text
        fixed += size.fixed
    return Size(text, fixed)


def shown_size(node: Node, changed: Mapping[int, str | None], sizes: Mapping[str, Size], texts: Mapping[str, Size]) -> Size:
    """Size of a node as shown; `texts` holds the size of each excerpt by its block's id."""
    return total(
        texts[block.id] if at in changed else sizes[block.id]
        for at, block in enumerate(node.blocks)
        if changed.get(at, "") is not None
    )


def show(
    node: Node,
    wire: bytes,
    decisions: Mapping[str, Decision],
    dialect: Dialect,
    sizes: Mapping[str, Size],
    texts: Mapping[str, Size],
) -> Piece | None:
    """The piece of a node under its decisions, its untouched blocks spliced from `wire`; None when nothing is left."""
    changed = rewrites(node, decisions)
    if not changed:
        return Piece(node.key, wire, shown_size(node, {}, sizes, texts), node.index)
    if all(changed.get(at, "") is None for at in range(len(node.blocks))):
        return None
    message = Message(node.role, node.blocks, wire, node.key, node.is_text)  # type: ignore[arg-type]
    raw = dialect.rewrite(message, changed)
    if raw is None:
        return None
    return Piece(rewritten_key(node, changed), raw, shown_size(node, changed, sizes, texts), node.index)


def rewritten_key(node: Node, changed: Mapping[int, str | None]) -> bytes:
    """Identity of a rewritten node: its own key and every change, so that equal decisions give equal keys."""
    digest = hashlib.sha256(node.key)
    for at in sorted(changed):
        text = changed[at]
        digest.update(f"\x00{at}\x00".encode() + (b"-" if text is None else b"+" + text.encode("utf-8", "surrogatepass")))
    return digest.digest()


def ours(text: str, raw: bytes, size: Size) -> Piece:
    """A message of ours."""
    return Piece(hashlib.sha256(b"pumice\x00" + text.encode("utf-8", "surrogatepass")).digest(), raw, size, -1)


def common(before: Sequence[Piece], after: Sequence[Piece]) -> int:
    """How many leading pieces two views share."""
    others = compress(count(), map(is_not, before, after))
    return next((at for at in others if before[at].key != after[at].key), min(len(before), len(after)))
