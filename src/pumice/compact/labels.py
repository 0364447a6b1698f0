"""Labels: the one line that says what a folded block was and is its pointer (`⋯ b173 Read src/app.py 412 lines`)."""

from collections.abc import Collection, Iterator, Mapping

import msgspec

from pumice.compact.keep import is_file_read, pair_of
from pumice.domain import marks
from pumice.domain.block import Block, Kind, Role
from pumice.domain.effect import ToolUse
from pumice.domain.group import Group

TARGET_CHARS = 120
CALL_CHARS = 80
"""A call whose arguments hold this much more than the label repeats is named in it, to be read back too; so is one of which
the label has only the beginning."""


class Unit(msgspec.Struct, frozen=True):
    """What folds together under one label: a call with its result, or any other block alone."""

    group: int
    blocks: tuple[Block, ...]
    label: str
    subject: str
    """What a newer file read of the same supersedes; empty when nothing does."""


def units(group: Group, uses: Mapping[str, ToolUse], staying: Collection[str]) -> Iterator[Unit]:
    """The units of a group in order, without blocks that stay at their place and those that show nothing."""
    taken = set(staying)
    for block in group.blocks:
        if block.id in taken or block.kind is Kind.REASONING:
            continue
        pair = tuple(other for other in pair_of(group, block) if other.id not in staying)
        taken.update(other.id for other in pair)
        if any(other.text or other.media for other in pair):
            yield Unit(group.index, pair, label(pair, uses), _subject(pair[-1], uses))


def label(pair: tuple[Block, ...], uses: Mapping[str, ToolUse]) -> str:
    """`⋯ b173 Read src/app.py 412 lines, call b172`: the result comes first, since it is the one asked for."""
    shown = pair[-1]
    use = uses.get(shown.id)
    what = " ".join(_what(shown, use))
    words = " ".join(word for word in (shown.id, what if marks.is_plain(what) else "", _size(shown)) if word)
    said = len(use.target) if use else 0
    says_more = len(pair) > 1 and (said > TARGET_CHARS or len(pair[0].text) > said + CALL_CHARS)
    return marks.gap(f"{words}, call {pair[0].id}" if says_more else words)


def _what(block: Block, use: ToolUse | None) -> tuple[str, ...]:
    if use is None or block.kind not in (Kind.CALL, Kind.RESULT):
        return (block.tool or _speaker(block),)
    target = " ".join(use.target.split())
    if len(target) > TARGET_CHARS:
        target = target[:TARGET_CHARS] + "…"
    return (use.tool, target)


def _speaker(block: Block) -> str:
    if block.kind is not Kind.TEXT:
        return block.kind.value
    return "model" if block.role is Role.ASSISTANT else block.role.value


def _size(block: Block) -> str:
    if block.media:
        return f"{len(block.media)} × {block.media[0].mime}"
    lines = block.text.count("\n") + 1
    return "" if lines == 1 else f"{lines} lines"


def _subject(block: Block, uses: Mapping[str, ToolUse]) -> str:
    return uses[block.id].target if is_file_read(block, uses) else ""
