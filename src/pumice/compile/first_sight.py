"""First sight (W1): the form of a block the upstream has never seen, chosen once and kept in every lane."""

from collections.abc import Callable, Mapping

from pumice import excerpt
from pumice.domain import marks, pointer
from pumice.domain.block import Block, Kind
from pumice.domain.book import Size
from pumice.domain.decision import Decision, shown_as
from pumice.domain.effect import ToolUse
from pumice.domain.group import Node
from pumice.domain.policy import FirstSight
from pumice.domain.redeem import POINTERS, Redeem
from pumice.errors import BadPolicy

LEVEL = "first_sight"


def threshold(policy: FirstSight, window: int) -> int:
    """Tokens above which a result is excerpted: a number or `window/N`, within the policy's bounds."""
    head, _, share = policy.over.partition("/")
    if head != "window" or not share.isdigit() or int(share) == 0:
        raise BadPolicy(f"$.first_sight.over: {policy.over!r} given, expected window/N with a whole N above 0.")
    return max(policy.min, min(policy.max, window // int(share)))


def is_spared(block: Block, use: ToolUse | None, policy: FirstSight) -> bool:
    """Whether a block stays whole whatever its size: file reads and what was read back, media, text that may not be inlined
    or is cut already."""
    if block.kind is not Kind.RESULT or block.media or not marks.is_plain(block.text):
        return True
    if use is not None and use.reads_back:
        return True
    if use is not None and use.is_file_read and "file_read" in policy.spare:
        return True
    return excerpt.is_already_cut(block.text)


def decide(
    block: Block,
    use: ToolUse | None,
    size: Size,
    *,
    policy: FirstSight,
    window: int,
    factor: float,
    count: Callable[[str], int],
    redeem: Redeem = POINTERS,
) -> Decision | None:
    """An excerpt with a pointer for a big result, None when the block stays as it came (frontier §5.1)."""
    limit = threshold(policy, window)
    if size.tokens(factor) <= limit or is_spared(block, use, policy):
        return None
    room = int(limit * policy.show / factor)
    label = use.tool if use else block.tool
    shown = excerpt.make(block.text, limit=room, count=count, tool=label)
    if shown is None:
        return None
    text = marks.wrap(
        "excerpt",
        shown.text,
        of=block.id,
        lines=f"{shown.shown_lines}/{shown.total_lines}",
        **redeem.mark(block.id, pointer.artifact(block.id)),
    )
    if count(text) > policy.only_if_below * size.text:
        return None
    reason = f"{size.tokens(factor)} tokens, over {limit} on arrival"
    return shown_as(block.id, text, level=LEVEL, reason=reason, pointer=pointer.artifact(block.id))


def forms(
    nodes: list[Node],
    uses: Mapping[str, ToolUse],
    sizes: Mapping[str, Size],
    *,
    policy: FirstSight | None,
    window: int,
    factor: float,
    count: Callable[[str], int],
    redeem: Redeem = POINTERS,
) -> list[Decision]:
    """First-sight decisions of new nodes, in order; none without a policy part."""
    if policy is None:
        return []
    found = (
        decide(
            block,
            uses.get(block.id),
            sizes[block.id],
            policy=policy,
            window=window,
            factor=factor,
            count=count,
            redeem=redeem,
        )
        for node in nodes
        for block in node.blocks
    )
    return [decision for decision in found if decision is not None]
