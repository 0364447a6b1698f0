"""Messages while they are being repaired, of dialects in which one message holds many blocks: runs, and results put first."""

from collections.abc import Callable, Iterable, Sequence

from pumice.domain.block import Block, Kind, Role
from pumice.domain.message import Message
from pumice.wire import jsonbytes


class Draft:
    """A message while it is being repaired; one of ours has no message it came from."""

    def __init__(self, index: int, role: Role, blocks: Sequence[Block], message: Message | None = None) -> None:
        self.index = index
        self.role = role
        self.blocks = list(blocks)
        self.message = message

    def places(self, kind: Kind) -> list[int]:
        """Where blocks of a kind stand in it."""
        return [place for place, block in enumerate(self.blocks) if block.kind is kind]

    def written(self, field: str) -> bytes | None:
        """The message with its blocks under `field`, its own bytes where they are the same; None where it has none left."""
        if not self.blocks:
            return None
        if self.message and self.blocks == list(self.message.blocks):
            return self.message.raw
        around = jsonbytes.members(self.message.raw) if self.message else {"role": b'"user"'}
        return jsonbytes.join_object({**around, field: jsonbytes.join_array(block.raw for block in self.blocks)})


def drafted(raws: Iterable[bytes], read: Callable[[bytes], Message]) -> list[Draft]:
    """A draft of each message."""
    return [Draft(index, found.role, found.blocks, found) for index, found in enumerate(map(read, raws))]


def segments(drafts: Iterable[Draft]) -> list[tuple[list[Draft], list[Draft]]]:
    """Runs of the model's messages, each with what follows up to the next; the first run may be empty."""
    found: list[tuple[list[Draft], list[Draft]]] = [([], [])]
    for draft in drafts:
        if draft.role is not Role.ASSISTANT:
            found[-1][1].append(draft)
        elif found[-1][1]:
            found.append(([draft], []))
        else:
            found[-1][0].append(draft)
    return found


def gathered(present: Sequence[Draft]) -> list[Draft]:
    """The drafts with every result at the front of the first that holds one, and that one first."""
    holder = next(draft for draft in present if draft.places(Kind.RESULT))
    results = [block for draft in present for block in draft.blocks if block.kind is Kind.RESULT]
    for draft in present:
        draft.blocks = [block for block in draft.blocks if block.kind is not Kind.RESULT]
    holder.blocks = results + holder.blocks
    return [holder, *(draft for draft in present if draft is not holder)]


def extended(present: Sequence[Draft], results: Sequence[Block]) -> list[Draft]:
    """The drafts with more results behind their last one, or in front of all where they hold none."""
    holders = [draft for draft in present if draft.places(Kind.RESULT)]
    if not results:
        return list(present)
    if not holders:
        return [Draft(-1, Role.USER, results), *present]
    at = holders[-1].places(Kind.RESULT)[-1] + 1
    holders[-1].blocks[at:at] = results
    return list(present)
