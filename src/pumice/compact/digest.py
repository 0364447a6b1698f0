"""The digest: what stays of folded groups, their best lines under labels that are their pointers, in ledger order."""

from collections.abc import Collection, Iterator, Mapping, Sequence

import msgspec

from pumice.compact.labels import Unit
from pumice.compact.numbering import own_number
from pumice.compact.scan import Piece
from pumice.compact.section import Section
from pumice.domain import marks
from pumice.domain.block import Block, Kind
from pumice.domain.group import Group


class Selection(msgspec.Struct, frozen=True):
    """What of the folded blocks is shown."""

    labelled: Collection[int]
    """Positions of the units whose label stands."""
    lines: Mapping[str, Sequence[Piece]]
    """By block id."""
    whole: Collection[str]
    """Ids of blocks that come back entirely."""


def render(units: Sequence[Unit], chosen: Selection) -> str:
    """The text of the digest; what shows nothing between two labels shares a range pointer, so that every block has one."""
    out: list[str] = []
    silent: list[Unit] = []
    for at, unit in enumerate(units):
        body = list(_body(unit, chosen))
        if not body and at not in chosen.labelled:
            silent.append(unit)
            continue
        out.extend((*_range(silent), unit.label, *body))
        silent = []
    out.extend(_range(silent))
    return "\n".join(out)


def span(groups: Sequence[Group]) -> Section:
    """One range pointer for everything in some groups."""
    blocks = [block for group in groups for block in group.blocks if block.text or block.media]
    if not blocks:
        return Section("digest", "")
    text = marks.gap(f"{blocks[0].id}–{blocks[-1].id} {len(blocks)} blocks")
    return Section("digest", text, tuple(block.id for block in blocks))


def line_text(block: Block, piece: Piece) -> str:
    """A piece under the number the client printed, else under its own (`123→`)."""
    text = block.text[piece.start : piece.end].rstrip()
    if block.kind is Kind.RESULT and own_number(text) is not None:
        return text.lstrip()
    return f"{piece.line}→{text}"


def shows(block: Block, chosen: Selection) -> bool:
    """Whether anything of a block stands in the digest."""
    return block.id in chosen.lines or block.id in chosen.whole


def _range(run: Sequence[Unit]) -> tuple[str, ...]:
    if not run:
        return ()
    first, last = run[0].blocks[0].id, run[-1].blocks[-1].id
    return (marks.gap(first if first == last else f"{first}–{last}"),)


def _body(unit: Unit, chosen: Selection) -> Iterator[str]:
    """The lines of a unit; those of a call stand under its own name, since the label is the result's."""
    has_call = len(unit.blocks) > 1 and shows(unit.blocks[0], chosen)
    for block in unit.blocks:
        if not shows(block, chosen):
            continue
        if has_call:
            yield marks.gap(block.id)
        if block.id in chosen.whole:
            yield block.text.strip("\n")
        else:
            yield from (line_text(block, piece) for piece in in_order(chosen.lines[block.id]))


def in_order(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """In order, pieces of one long line that overlap made one."""
    held: Piece | None = None
    for piece in sorted(pieces):
        if held is not None and held.line == piece.line and piece.start <= held.end:
            held = Piece(held.line, held.start, max(held.end, piece.end))
            continue
        if held is not None:
            yield held
        held = piece
    if held is not None:
        yield held
