"""Steps of a session as text for a model that did not live them: who said what, each content line set off by a bar.

No line of content can pass for one of ours, whatever stands in it: ours have no bar.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from pumice.commit import words as spoken
from pumice.compact.words import middle_cut
from pumice.domain.block import Block, Kind, Origin, Role
from pumice.domain.effect import ToolUse
from pumice.domain.group import Group

BAR = "| "
CALL_CHARS = 400
"""Characters of a call's arguments."""
SHARE_OF_ONE = 8
"""One block takes at most this part of what is shown at once; longer ones lose their middle."""
LEAST_CHARS = 80
OUTLINE_CHARS = 100

CountMany = Callable[[Sequence[str]], Sequence[int]]


class Chunk(msgspec.Struct, frozen=True):
    """As much as a model is shown at once."""

    text: str
    groups: tuple[Group, ...]

    @property
    def blocks(self) -> tuple[Block, ...]:
        return tuple(block for group in self.groups for block in group.blocks)

    @property
    def sources(self) -> tuple[str, ...]:
        return tuple(block.id for block in self.blocks if block.kind is not Kind.REASONING)


def chunks(groups: Sequence[Group], uses: Mapping[str, ToolUse], count: CountMany, limit: int) -> list[Chunk]:
    """The groups as text in parts of at most `limit` o200k tokens, divided between groups only."""
    texts = [told(group, uses, 3 * limit // SHARE_OF_ONE) for group in groups]
    sizes = list(count(texts))
    for at, size in enumerate(sizes):
        if size > limit:
            texts[at] = told(groups[at], uses, 2 * limit // len(groups[at].blocks))
            sizes[at] = min(limit, count([texts[at]])[0])
    parts: list[list[int]] = []
    spent = 0
    for at, size in enumerate(sizes):
        if not parts or spent + size > limit:
            parts.append([])
            spent = 0
        parts[-1].append(at)
        spent += size
    joined = (("\n".join(filter(None, (texts[at] for at in part))), tuple(groups[at] for at in part)) for part in parts)
    return [Chunk(text, held) for text, held in joined if text]


def told(group: Group, uses: Mapping[str, ToolUse], most: int) -> str:
    """One group as text, no block of it longer than `most` characters."""
    return "\n".join(line for block in group.blocks for line in _block(block, uses, max(LEAST_CHARS, most)))


def outline(groups: Sequence[Group], uses: Mapping[str, ToolUse]) -> str:
    """One line per block, for a model that has the conversation itself before it and needs the names."""
    lines = (
        f"{block.id} {_speaker(block, uses)}{_opening(block)}" for group in groups for block in group.blocks if _tells(block)
    )
    return "\n".join(lines)


def _block(block: Block, uses: Mapping[str, ToolUse], most: int) -> Iterator[str]:
    if not _tells(block):
        return
    if block.kind is Kind.CALL:
        yield f"{block.id} {_speaker(block, uses)}: {_one_line(block.text, CALL_CHARS)}"
        return
    seen = ", ".join(f"{media.mime} {media.width}×{media.height}" for media in block.media)
    yield f"{block.id} {_speaker(block, uses)}" + (f" ({seen}, not shown)" if seen else "")
    text = spoken.typed(block.text) if spoken.is_persons(block) else block.text
    if text:
        yield BAR + f"\n{BAR}".join(middle_cut(text, most / len(text)).splitlines())


def _tells(block: Block) -> bool:
    return block.kind not in (Kind.REASONING, Kind.OPAQUE) and bool(block.text or block.media or block.kind is Kind.CALL)


def _speaker(block: Block, uses: Mapping[str, ToolUse]) -> str:
    if block.kind is Kind.CALL:
        return f"agent calls {_one_line(block.tool, 80)}"
    if block.kind is Kind.RESULT:
        use = uses.get(block.id)
        return f"result of {_one_line(f'{use.tool} {use.target}' if use else block.tool, 160)}"
    if block.origin is Origin.PERSON:
        return "user"
    return "agent" if block.role is Role.ASSISTANT else "client"


def _opening(block: Block) -> str:
    """The first words, where the speaker alone does not say which block it is."""
    if block.kind is Kind.RESULT:
        return ""
    return f": {_one_line(block.text, OUTLINE_CHARS)}" if block.text else ""


def _one_line(text: str, most: int) -> str:
    line = " ".join(text[: 4 * most].split())
    return line if len(line) <= most else f"{line[:most]}…"
