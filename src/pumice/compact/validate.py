"""Prove a planned cut on the text it leads to, before it is committed (F-D3); provider rules are the engine's to check."""

import re
from collections import Counter
from collections.abc import Callable, Iterator

import msgspec

from pumice.compact.words import is_pointed_at, shown, typed
from pumice.domain import marks
from pumice.domain.block import Kind
from pumice.domain.book import Book
from pumice.domain.decision import Cut, Outcome
from pumice.domain.state import Entry

_ADDRESS = re.compile(r"workspace://artifacts/(b\d+)")
_EMPTY = re.compile(rf"{marks.OPEN}([a-z_]+)[^>]*>\s*{marks.CLOSE}\1>")
_CARRIED = (Entry.OPEN, Entry.NEXT, Entry.PLAN, Entry.APPROVAL)
_LIVE = ("", "open", "active")
_GOAL_CHARS = 200


class Finding(msgspec.Struct, frozen=True):
    """Why a cut may not be sent."""

    check: str
    message: str


class Case(msgspec.Struct, frozen=True):
    """A cut and what came of it."""

    book: Book
    cut: Cut
    text: str
    """The text of the compiled view."""
    tokens: int
    """The complete request."""
    usable: int


def check(case: Case, *, keeps_words: bool = True) -> tuple[Finding, ...]:
    """Everything wrong with a cut, in a fixed order; empty when it may stand.

    A policy that does not pin (a plain sliding window, for comparison) promises no words: only form is checked then.
    """
    return tuple(finding for proof in (CHECKS if keeps_words else FORM) for finding in proof(case))


def budget(case: Case) -> Iterator[Finding]:
    """The complete request fits."""
    if case.tokens > case.usable:
        yield Finding("budget", f"{case.tokens} tokens, {case.usable} usable")


def coverage(case: Case) -> Iterator[Finding]:
    """Every block has one decision; a call and its result share their fate."""
    blocks = [block for group in case.book.groups for block in group.blocks]
    decided = Counter(decision.block for decision in case.cut.decisions)
    for block in blocks:
        if decided[block.id] != 1:
            yield Finding("coverage", f"{decided[block.id]} decisions for {block.id}")
    away = {decision.block for decision in case.cut.decisions if decision.outcome in (Outcome.FOLD, Outcome.DROP)}
    fates: dict[tuple[int, str], set[bool]] = {}
    for group in case.book.groups:
        names = Counter(block.call_id for block in group.blocks if block.kind is Kind.CALL)
        for block in group.blocks:
            if block.call_id and names[block.call_id] == 1:
                fates.setdefault((group.index, block.call_id), set()).add(block.id in away)
    yield from (
        Finding("coverage", f"call {name!r} is parted from its result") for (_, name), two in fates.items() if len(two) > 1
    )


def pins(case: Case) -> Iterator[Finding]:
    """Every pin in force stands verbatim, or is pointed at where its budget was used up."""
    for pin in case.book.state.pins:
        stands = pin.whole in case.text or pin.rule in case.text or (not pin.by_hand and is_pointed_at(pin, case.cut.preface))
        if not pin.superseded_by and not stands:
            yield Finding("pins", f"the words of pin {pin.id} are not in the view")


def goal(case: Case) -> Iterator[Finding]:
    """What the user asked for last can be read."""
    asked = typed(case.book.groups)
    if asked and marks.is_clean(shown(asked[-1])):
        opening = shown(asked[-1])[:_GOAL_CHARS].split("\n")[0].strip()
        if opening not in case.text:
            yield Finding("goal", f"the newest words of the user, {asked[-1].id}, are not in the view")


def carried(case: Case) -> Iterator[Finding]:
    """Open items, next step, plan and approvals in force stand, by their words or by a pointer to where they came from."""
    here = {decision.block: decision.outcome for decision in case.cut.decisions}
    for item in case.book.state.items:
        fates = [here[name] for name in item.sources if name in here]
        is_live = item.entry in _CARRIED and item.status in _LIVE and not item.by
        if is_live and fates and item.text not in case.text and set(fates) == {Outcome.DROP}:
            yield Finding("carried", f"{item.entry.value} {item.text[:60]!r} is not in the view")


def statuses(case: Case) -> Iterator[Finding]:
    """Nothing is both done and open; a list that names a thing twice says so itself and is no contradiction."""
    done = {
        (item.entry, item.key or item.text): item.sources
        for item in case.book.state.items
        if item.status == "done" and not item.by
    }
    for item in case.book.state.items:
        name = item.key or item.text
        if item.status == "open" and not item.by and done.get((item.entry, name), item.sources) != item.sources:
            yield Finding("statuses", f"{name!r} is both done and open")


def pointers(case: Case) -> Iterator[Finding]:
    """Every pointer of ours names a block of this path."""
    known = {block.id for group in (*case.book.before, *case.book.groups) for block in group.blocks}
    named = {name for _, _, sources in case.cut.placed for name in sources}
    for decision in case.cut.decisions:
        named.update(_ADDRESS.findall(decision.pointer))
    yield from (Finding("pointers", f"{name} names no block") for name in sorted(named - known))


def sections(case: Case) -> Iterator[Finding]:
    """No part of the preface is empty, and what was planned is what stands in the view."""
    yield from (Finding("sections", f"{name} is empty") for name in _EMPTY.findall(case.cut.preface))
    if case.cut.preface not in case.text:
        yield Finding("sections", "the preface does not stand in the view as planned")


CHECKS: tuple[Callable[[Case], Iterator[Finding]], ...] = (
    budget,
    coverage,
    pins,
    goal,
    carried,
    statuses,
    pointers,
    sections,
)
FORM = (budget, coverage, pointers, sections)
"""What holds for a cut whatever its policy keeps."""
