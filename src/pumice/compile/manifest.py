"""Write the manifest of a call: one row per candidate, computed from what was recorded, on first access."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from pumice.compile import figures, other_rows, placed, reread, shares
from pumice.compile.admit import Drop
from pumice.compile.assemble import is_whole
from pumice.compile.figures import Asked
from pumice.domain import pointer
from pumice.domain.block import Block, Kind, Origin, Role, Trust
from pumice.domain.book import BLOCK_OVERHEAD, Size
from pumice.domain.decision import Cut, Decision, Outcome
from pumice.domain.effect import ToolUse
from pumice.domain.group import Node
from pumice.domain.manifest import Manifest, Row, Usable
from pumice.domain.note import Note
from pumice.domain.policy import Shares
from pumice.domain.probe import Probed

AUTHORITY = {Origin.PERSON: "task", Origin.CLIENT: "none", Origin.MODEL: "none", Origin.TOOL: "none", Origin.PUMICE: "none"}
TRANSFORM = {
    Outcome.EXCERPT: "excerpt",
    Outcome.FOLD: "pointer",
    Outcome.DROP: "none",
    Outcome.KEEP: "none",
    Outcome.PLACED: "none",
}
PARTS = {
    "pins": ("goal", "task"),
    "words": ("goal", "task"),
    "state": ("state", "task"),
    "resident": ("system", "agent"),
    "read_again": ("tools", "none"),
}
"""Partition and authority of a part of the preface; any other part is history without authority."""


class HeadPart(msgspec.Struct, frozen=True):
    """A part of the head: a system block or a tool definition."""

    name: str
    tokens: int
    """o200k; 0 for a definition that is not in the context."""
    digest: str
    """sha256 hex."""
    outcome: Outcome = Outcome.KEEP
    source: str = "client"
    reason: str = "the client's head is never cut"
    fixed: int = BLOCK_OVERHEAD
    """Tokens it costs besides: of several parts of one block, the first's."""
    zone: str = ""
    """Empty: where the client's own stands."""
    trust: Trust = Trust.AGENT
    authority: str = "agent"
    basis: str = ""
    pointer: str = ""

    @property
    def stands(self) -> bool:
        """Whether the model is shown it."""
        return self.outcome is not Outcome.FOLD


class Record(msgspec.Struct, frozen=True):
    """What a call's manifest is computed from: all of it recorded, none of it text."""

    call: int
    lane: str
    epoch: int
    cause: str
    policy: str
    usable: Usable
    factor: float
    scope: str
    nodes: Sequence[Node]
    cut: Cut | None
    forms: Mapping[str, Decision]
    sizes: Mapping[str, Size]
    texts: Mapping[str, Size]
    head: Sequence[HeadPart]
    newest_user: str = ""
    """Id of the newest block a person typed: the goal."""
    repairs: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    redactions: int = 0
    asked: Asked = Asked()
    uses: Mapping[str, ToolUse] = {}
    """What each call and result did, by block."""
    probes: tuple[Probed, ...] = ()
    shares: Shares = Shares()
    notes: tuple[Note, ...] = ()
    dropped: tuple[Drop, ...] = ()
    """Candidates other than blocks that were not admitted."""


def decision_of(
    block: Block, at: int, cut: Cut | None, planned: Mapping[str, Decision], forms: Mapping[str, Decision]
) -> Decision | None:
    """The decision that holds for a block of node `at`: the epoch's for what its cut covers, else first sight."""
    if cut is not None and at < cut.until:
        return planned.get(block.id)
    return forms.get(block.id)


def partition(block: Block, newest_user: str) -> str:
    """Whose budget a block of the conversation is (DESIGN §3)."""
    if block.role is Role.SYSTEM:
        return "system"
    if block.id == newest_user:
        return "goal"
    if block.kind in (Kind.RESULT, Kind.MEDIA):
        return "tools"
    return "history"


def _tokens(block: Block, decision: Decision | None, record: Record) -> int:
    if decision is None or decision.outcome is Outcome.KEEP:
        return record.sizes[block.id].tokens(record.factor)
    return record.texts[block.id].tokens(record.factor) if decision.outcome is Outcome.EXCERPT else 0


def _counted(record: Record) -> str:
    return "exact" if record.factor == 1.0 else f"estimate, o200k × {record.factor:.3f}"


def _block_row(block: Block, decision: Decision | None, record: Record) -> Row:
    outcome = decision.outcome if decision else Outcome.KEEP
    hidden = outcome not in (Outcome.KEEP, Outcome.PLACED)
    return Row(
        id=block.id,
        partition=partition(block, record.newest_user),
        zone="dynamic",
        source=f"{block.role}:{block.tool or block.kind}",
        scope=record.scope,
        version="",
        trust=block.trust,
        authority=AUTHORITY[block.origin],
        permission_basis="the session's own history",
        outcome=outcome,
        level=decision.level if decision else "",
        reason=decision.reason if decision else "not compacted since it came",
        tokens=_tokens(block, decision, record),
        counted=_counted(record),
        transform=TRANSFORM[Outcome(outcome)],
        content_hash=block.hash,
        sources=(block.id,) if hidden else (),
        pointer=(decision.pointer if decision else "") or (pointer.artifact(block.id) if hidden else ""),
    )


def _head_rows(record: Record) -> Iterator[Row]:
    for part in record.head:
        yield Row(
            id=f"head:{part.name}",
            partition="system",
            zone=part.zone or ("semi-stable" if part.name.startswith("tool") else "stable"),
            source=part.source,
            scope=record.scope,
            version="",
            trust=part.trust,
            authority=part.authority,
            permission_basis=part.basis or ("sent by the client" if part.source == "client" else "the policy"),
            outcome=part.outcome,
            level="",
            reason=part.reason,
            tokens=Size(part.tokens, part.fixed).tokens(record.factor) if part.stands or part.pointer else 0,
            counted=_counted(record),
            transform="none" if part.stands else "pointer" if part.pointer else "deferred",
            content_hash=part.digest,
            pointer=part.pointer,
        )


def _preface_rows(record: Record) -> Iterator[Row]:
    if record.cut is None:
        return
    blocks = {block.id: block for node in record.nodes for block in node.blocks}
    seen: Counter[str] = Counter()
    for name, tokens, sources in record.cut.placed:
        part, authority = PARTS.get(name, ("history", "none"))
        seen[name] += 1
        yield Row(
            id=f"preface:{name}" if seen[name] == 1 else f"preface:{name}-{seen[name]}",
            partition=part,
            zone="preface",
            source="pumice",
            scope=record.scope,
            version="",
            trust=placed.trust(name, record.cut, sources, blocks),
            authority=authority,
            permission_basis="derived from the session's own history",
            outcome=Outcome.PLACED,
            level=placed.level(name, record.cut),
            reason=f"placed at epoch {record.epoch}",
            tokens=tokens,
            counted=_counted(record),
            transform=placed.transform(name, record.cut),
            content_hash="",
            sources=sources,
        )


def rows(record: Record) -> tuple[Row, ...]:
    """Head, preface, then every block of the branch in order."""
    planned = {decision.block: decision for decision in record.cut.decisions} if record.cut else {}
    found = [*_head_rows(record), *_preface_rows(record)]
    found += other_rows.notes(record.notes, record.scope, record.factor, _counted(record))
    found += other_rows.dropped(record.dropped, record.scope, _counted(record))
    for at, node in enumerate(record.nodes):
        found += [_block_row(block, decision_of(block, at, record.cut, planned, record.forms), record) for block in node.blocks]
    return tuple(found)


def write(record: Record) -> Manifest:
    """The manifest of a call."""
    cut, found = record.cut, rows(record)
    return Manifest(
        call=record.call,
        lane=record.lane,
        epoch=record.epoch,
        cause=record.cause,
        policy=record.policy,
        usable=record.usable,
        factor=record.factor,
        repairs=record.repairs,
        warnings=(*record.usable.warnings, *record.warnings, *_returned(record), *(cut.warnings if cut else ())),
        redactions=record.redactions,
        economics=figures.of(cut, record.asked),
        shares=shares.of(_totals(found), record.shares, record.usable.tokens),
        rows=found,
        probes=record.probes,
    )


def _returned(record: Record) -> Iterator[str]:
    """What the newest results bring back that had left the view (B-B11)."""
    at = len(record.nodes)
    while at > 0 and record.nodes[at - 1].role is not Role.ASSISTANT:
        at -= 1
    newest = [block for node in record.nodes[at:] for block in node.blocks]
    planned = {decision.block: decision for decision in record.cut.decisions} if record.cut else {}

    def is_shown(node: Node, block: Block) -> bool:
        return is_whole(decision_of(block, node.index, record.cut, planned, record.forms))

    return reread.returned(newest, record.nodes[:at], record.uses.get, is_shown)


def by_partition(manifest: Manifest) -> dict[str, int]:
    """Tokens in view per partition, all six named."""
    return _totals(manifest.rows)


def _totals(found: Sequence[Row]) -> dict[str, int]:
    totals = dict.fromkeys(Shares.__struct_fields__, 0)
    for row in found:
        totals[row.partition] = totals.get(row.partition, 0) + row.tokens
    return totals
