"""A cut for media alone: the view stands as it did, but for the oldest images and documents (F-B13)."""

from collections.abc import Iterator

from pumice.compact import decide, media, planner
from pumice.compact.economics import figures
from pumice.compact.ruler import CountMany
from pumice.compile import placeholder
from pumice.domain.block import Block, Kind
from pumice.domain.book import Book, Room
from pumice.domain.decision import Cause, Cut, Decision, Outcome
from pumice.domain.policy import Policy
from pumice.domain.redeem import Redeem

LEFT = 0.5
"""Share of the provider's limits that is filled afterwards: each cut costs the cached prefix, so it makes room for more."""


def plan(book: Book, room: Room, policy: Policy, *, cause: Cause, count: CountMany) -> Cut:
    """Everything as it is shown now, placeholders for the oldest media; the policy's newest images stay if they fit at all."""
    brief = planner.briefed(book, room, policy, count=count)
    before = book.epoch.cut
    decisions = tuple(_decisions(book, room, policy))
    preface = before.preface if before else ""
    tokens = decide.size(brief, decisions, preface).tokens(room.factor)
    return Cut(
        cause=cause,
        necessary=True,
        decisions=decisions,
        preface=preface,
        until=book.groups[-1].nodes[-1].index + 1,
        tokens=tokens,
        economics=figures(tokens, room),
        warnings=before.warnings if before else (),
        placed=before.placed if before else (),
        strips_reasoning=room.binds_reasoning,
    )


def _decisions(book: Book, room: Room, policy: Policy) -> Iterator[Decision]:
    known = {item.block: item for item in book.epoch.cut.decisions} if book.epoch.cut else {}
    standing = {block.id: known.get(block.id) or book.forms.get(block.id) for group in book.groups for block in group.blocks}
    whole = [block for group in book.groups for block in group.blocks if _is_whole(standing[block.id])]
    away = media.too_many(whole, room.media, share=LEFT, spare=policy.media.images) if room.media else {}
    newest = {block.id for block in book.groups[-1].blocks}
    for group in book.groups:
        for block in group.blocks:
            strips = room.binds_reasoning and block.id not in newest
            yield _decision(block, standing[block.id], away.get(block.id), book.redeem, strips=strips)


def _is_whole(decision: Decision | None) -> bool:
    return decision is None or decision.outcome is Outcome.KEEP


def _decision(block: Block, standing: Decision | None, why: str | None, redeem: Redeem, *, strips: bool) -> Decision:
    if why is not None:
        return placeholder.of(block, why, media.LEVEL, redeem)
    if strips and block.kind is Kind.REASONING and _is_whole(standing):
        return Decision(block.id, Outcome.DROP, media.LEVEL, "reasoning bound to a prefix that has changed")
    return standing or Decision(block.id, Outcome.KEEP, media.LEVEL, "stands as it did")
