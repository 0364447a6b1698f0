"""Tool calls with their results, as far as both stand in a view: what levels decide on one by one."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import msgspec

from pumice.compact.layout import Layout
from pumice.domain import pointer
from pumice.domain.block import Block, Kind
from pumice.domain.decision import Decision, Outcome
from pumice.domain.effect import Effect, ToolUse
from pumice.domain.group import Group, Node
from pumice.ledger.groups import is_sound


class Exchange(msgspec.Struct, frozen=True):
    """One tool call and what came back."""

    position: int
    """Of its group."""
    call: Block
    result: Block
    use: ToolUse
    may_go: bool
    """The pair can be taken out as a whole: its group pairs as providers ask."""

    @property
    def blocks(self) -> tuple[Block, Block]:
        return (self.call, self.result)

    @property
    def can_be_repeated(self) -> bool:
        """Running it again would do nothing but read (F-B4)."""
        return self.use.effect is Effect.READ


def standing(groups: Sequence[Group], uses: Mapping[str, ToolUse], layout: Layout) -> list[Exchange]:
    """The exchanges of a path that a layout neither folds nor leaves out, in order."""
    away = {name for name, form in layout.forms.items() if form.outcome in (Outcome.FOLD, Outcome.DROP)}
    return [
        Exchange(position, call, result, uses[result.id], sound)
        for position, group in enumerate(groups)
        for sound in (is_sound(group),)
        for call, result in paired(group)
        if result.id in uses and not away.intersection((call.id, result.id))
        if not layout.folds(position) or (call.id in layout.pairs and result.id in layout.pairs)
    ]


def paired(group: Group) -> Iterator[tuple[Block, Block]]:
    """Calls with their results; ids may come twice, so they are paired by occurrence."""
    waiting: dict[str, list[Block]] = {}
    for block in group.blocks:
        if block.kind is Kind.CALL:
            waiting.setdefault(block.call_id, []).append(block)
        elif block.kind is Kind.RESULT and waiting.get(block.call_id):
            yield waiting[block.call_id].pop(0), block


def folded(gone: Iterable[Exchange], *, level: str, reason: str) -> dict[str, Decision]:
    """Decisions that take exchanges out as a whole, each half with its pointer."""
    names = [block.id for exchange in gone for block in exchange.blocks]
    return {name: Decision(name, Outcome.FOLD, level, reason, pointer=pointer.artifact(name)) for name in names}


def swept(groups: Iterable[Group], forms: Mapping[str, Decision], *, level: str) -> dict[str, Decision]:
    """The forms, and decisions that drop the reasoning of messages they leave nothing else of."""
    away = {name for name, form in forms.items() if form.outcome in (Outcome.FOLD, Outcome.DROP)}
    rest = (block.id for group in groups for node in group.nodes for block in _rest(node, away))
    return {**forms, **{name: Decision(name, Outcome.DROP, level, "nothing else is left of its message") for name in rest}}


def _rest(node: Node, away: Collection[str]) -> Iterator[Block]:
    """Reasoning and blank text, where that is all that is left of a message that had something else."""
    left = [block for block in node.blocks if block.id not in away]
    if len(left) < len(node.blocks) and all(
        block.kind is Kind.REASONING or (block.kind is Kind.TEXT and not block.text.strip()) for block in left
    ):
        yield from left
