"""Proofs of form: what holds for a cut whatever its policy keeps."""

import re
from collections import Counter
from collections.abc import Iterator

from pumice.compact.proofs.case import Case, blocks_of
from pumice.domain import marks
from pumice.domain.block import Kind
from pumice.domain.decision import Outcome

_ADDRESS = re.compile(r"workspace://artifacts/(b\d+)")
_EMPTY = re.compile(rf"{marks.OPEN}([a-z_]+)[^>]*>\s*{marks.CLOSE}\1>")


def budget(case: Case) -> Iterator[str]:
    """The complete request fits."""
    if case.tokens > case.usable:
        yield f"{case.tokens} tokens, {case.usable} usable"


def pairs(case: Case) -> Iterator[str]:
    """Every block has one decision; a call and its result share their fate."""
    decided = Counter(decision.block for decision in case.cut.decisions)
    yield from (f"{decided[block.id]} decisions for {block.id}" for block in blocks_of(case) if decided[block.id] != 1)
    away = {decision.block for decision in case.cut.decisions if decision.outcome in (Outcome.FOLD, Outcome.DROP)}
    fates: dict[tuple[int, str], set[bool]] = {}
    for group in case.book.groups:
        names = Counter(block.call_id for block in group.blocks if block.kind is Kind.CALL)
        for block in group.blocks:
            if block.call_id and names[block.call_id] == 1:
                fates.setdefault((group.index, block.call_id), set()).add(block.id in away)
    yield from (f"call {name!r} is parted from its result" for (_, name), two in fates.items() if len(two) > 1)


def pointers(case: Case) -> Iterator[str]:
    """Every pointer of ours names a block of this path."""
    named = {name for _, _, sources in case.cut.placed for name in sources}
    for decision in case.cut.decisions:
        named.update(_ADDRESS.findall(decision.pointer))
    yield from (f"{name} names no block" for name in sorted(named - case.blocks.keys()))


def sections(case: Case) -> Iterator[str]:
    """No part of the preface is empty, and what was planned is what stands in the view."""
    yield from (f"{name} is empty" for name in _EMPTY.findall(case.cut.preface))
    if case.cut.preface not in case.text:
        yield "the preface does not stand in the view as planned"
