"""Proofs that nothing is lost that must stand: words of a person, what is asked for, what is open, what may be done."""

from collections.abc import Iterator

from pumice.commit import sections, tables
from pumice.commit.render import lines, pointer
from pumice.compact.proofs.case import Case
from pumice.compact.words import is_pointed_at, live, shown, typed
from pumice.domain import marks
from pumice.domain.decision import Outcome
from pumice.domain.policy.limits import FLOOR
from pumice.domain.state import Entry, Item, Pin

_GOAL_CHARS = 200
_CARRIED = (Entry.OPEN, Entry.NEXT, Entry.PLAN, Entry.APPROVAL, Entry.DECISION, Entry.CORRECTION, Entry.ERROR, Entry.FACT)
_LIVE = ("", "open", "active")
_LONG = 20_000
"""Characters from which a message is a paste, in which no rules are looked for."""


def pins(case: Case) -> Iterator[str]:
    """Every pin in force stands verbatim, or is pointed at where its budget was used up."""
    for pin in live(case.book.state.pins):
        if not (case.stands(pin.whole) or case.stands(pin.rule) or _is_over_budget(case, pin)):
            yield f"the words of pin {pin.id} are not in the view"


def goal(case: Case) -> Iterator[str]:
    """What the user said last, and what is asked for, can be read."""
    asked = typed(case.book.groups)
    if asked and marks.is_clean(shown(asked[-1])) and not case.stands(_opening(shown(asked[-1]))):
        yield f"the newest words of the user, {asked[-1].id}, are not in the view"
    yield from _missing(case, "goal")


def plan(case: Case) -> Iterator[str]:
    """Every step that is at work or to do can be read."""
    yield from _missing(case, "plan")


def next_step(case: Case) -> Iterator[str]:
    """What comes next can be read."""
    yield from _missing(case, "next_step")


def permissions(case: Case) -> Iterator[str]:
    """What the user has allowed and refused can be read."""
    yield from _missing(case, "permissions")


def approvals(case: Case) -> Iterator[str]:
    """What the user was asked and has not answered can be read."""
    yield from _missing(case, "approvals")


def children(case: Case) -> Iterator[str]:
    """Sub-agents without a result are named."""
    yield from _missing(case, "children")


def open_items(case: Case) -> Iterator[str]:
    """What is unanswered, unknown or failing can be read, or read back by what is in view; so can what a policy adds."""
    for kind in case.never:
        if kind not in FLOOR:
            yield from _missing(case, kind)
    for item in case.book.state.items:
        is_open = item.entry in (Entry.OPEN, Entry.ERROR) and item.status in ("open", "unknown")
        if is_open and _is_of_path(case, item) and not (_stands(case, item) or _leads_back(case, item)):
            yield f"{item.entry.value} {item.text[:60]!r} is not in the view"


def evidence(case: Case) -> Iterator[str]:
    """What is decided, planned, open or found stands, or leads to where it came from."""
    for item in case.book.state.items:
        fates = [case.decisions[name].outcome for name in item.sources if name in case.decisions]
        is_live = item.entry in _CARRIED and item.status in _LIVE and not item.by
        if is_live and fates and set(fates) == {Outcome.DROP} and not _stands(case, item):
            yield f"{item.entry.value} {item.text[:60]!r} leads nowhere"


def decision_fields(case: Case) -> Iterator[str]:
    """Of every rule in force: which cases it is for, which are excluded, what its limit is."""
    for pin in live(case.book.state.pins):
        if not _is_over_budget(case, pin):
            lost = [field for field in tables.fields(pin.rule) if not case.stands(field)]
            yield from (f"pin {pin.id} has lost {field[:60]!r}" for field in lost)
    for block in typed(case.book.groups):
        if case.is_hidden(block.id) and block.id not in case.named and len(block.text) <= _LONG:
            rows = (row for row in tables.find(block.text) if marks.is_clean(row.text))
            lost = [field for row in rows for field in tables.fields(row.text) if not case.stands(field)]
            yield from (f"a rule of {block.id} has lost {field[:60]!r}" for field in lost[:1])


def _missing(case: Case, kind: str) -> Iterator[str]:
    """State of a kind that may never be cut and cannot be read."""
    for section, _ in sections.chosen((kind,)):
        if kind in section.kinds:
            for item in sections.items(case.book.state, section, case.is_hidden):
                if not _stands(case, item):
                    yield f"{section.title}: {item.text[:60]!r} is not in the view"


def _stands(case: Case, item: Item) -> bool:
    """Whether an item's words can be read, or where they are is said in their place."""
    words = _opening(item.text) if item.entry is Entry.GOAL else item.text
    said = lines(item).split("\n")[-1]
    return case.stands(words) or said in case.cut.preface or pointer(item) in case.cut.preface


def _leads_back(case: Case, item: Item) -> bool:
    return any(name in case.named or not case.is_hidden(name) for name in item.sources)


def _is_of_path(case: Case, item: Item) -> bool:
    """Whether an item was taken from this path; what another branch has left open is not this one's."""
    return not item.sources or any(name in case.blocks for name in item.sources)


def _is_over_budget(case: Case, pin: Pin) -> bool:
    return not pin.by_hand and is_pointed_at(pin, case.cut.preface)


def _opening(text: str) -> str:
    return text[:_GOAL_CHARS].split("\n")[0].strip()
