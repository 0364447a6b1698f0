"""The parts of a task state as a preface shows them: which items, under which words, and what of them may never be cut."""

from collections.abc import Callable, Collection, Iterator

import msgspec

from pumice.commit.draft import ACTIVE, ADVISORY, DONE, FAILED, OPEN, REJECTED, SAID, SUPERSEDED, UNKNOWN
from pumice.domain.state import Entry, Item, TaskState


class Section(msgspec.Struct, frozen=True):
    entry: Entry
    status: tuple[str, ...]
    title: str
    newest: int
    """How many items are told at most, the newest."""
    kinds: tuple[str, ...] = ()
    """What `never_compress` may call it."""


SECTIONS = (
    Section(Entry.GOAL, (OPEN,), "asked for", 5, ("goal",)),
    Section(Entry.CORRECTION, ("",), "corrected by the user", 30, ("decisions",)),
    Section(Entry.CONSTRAINT, (SUPERSEDED,), "rules no longer in force", 10, ("constraints",)),
    Section(Entry.PLAN, (ACTIVE,), "plan, at work", 80, ("plan", "next_step")),
    Section(Entry.PLAN, (OPEN,), "plan, to do", 80, ("plan", "next_step")),
    Section(Entry.NEXT, (OPEN,), "next", 1, ("plan", "next_step")),
    Section(Entry.ERROR, (OPEN,), "failed, not resolved", 6, ("errors", "open_items")),
    Section(Entry.DECISION, ("",), "decided by the user", 20, ("decisions",)),
    Section(Entry.APPROVAL, (DONE,), "approved then, by the user's next words", 10, ("permissions", "approvals")),
    Section(Entry.OPEN, (OPEN,), "asked, not answered", 5, ("approvals", "open_items")),
    Section(Entry.OPEN, (UNKNOWN,), "needed, said nowhere so far", 40, ("open_items", "facts")),
    Section(Entry.FACT, ("",), "found", 40, ("facts",)),
    Section(Entry.FACT, (ADVISORY,), "found in what the assistant said, advisory", 40, ("facts",)),
    Section(Entry.FACT, (SAID,), "said by the user", 40, ("facts",)),
    Section(Entry.CHILD, (OPEN,), "sub-agents without a result", 40, ("children",)),
    Section(Entry.FAILED, (REJECTED,), "call refused by the user", 10, ("permissions", "failed_attempts")),
    Section(Entry.SIDE_EFFECT, (DONE,), "done and not to be repeated", 40, ("side_effects",)),
    Section(Entry.PLAN, (DONE,), "plan, done", 30),
    Section(Entry.DECISION, (ADVISORY,), "stated by the assistant, advisory", 10),
    Section(Entry.GOAL, (SUPERSEDED,), "asked before, superseded by later words", 3),
)
"""What moves, the most needed first."""
DETAILS = (
    Section(Entry.FILE, ("edit",), "files changed", 40, ("files",)),
    Section(Entry.FAILED, (FAILED,), "tried and failed", 10, ("failed_attempts",)),
)
"""What is shown where the state has to stand for everything that was told."""


def chosen(never: Collection[str], *, is_full: bool = False) -> Iterator[tuple[Section, bool]]:
    """The sections that are shown, and whether the items of each stand whatever room there is."""
    for section in (*SECTIONS, *DETAILS):
        is_floor = any(kind in never for kind in section.kinds)
        if is_full or is_floor or section not in DETAILS:
            yield section, is_floor


def items(state: TaskState, section: Section, hidden: Callable[[str], bool]) -> list[Item]:
    """All items of a section whose words have left the view with their sources, oldest first."""
    wanted = [item for item in state.items if item.entry is section.entry and item.status in section.status]
    if section.entry is Entry.NEXT:
        planned = {item.text for item in state.items if item.entry is Entry.PLAN}
        wanted = [item for item in wanted if item.text not in planned]
    return [item for item in wanted if all(map(hidden, holders(item)))]


def holders(item: Item) -> tuple[str, ...]:
    """Those of an item's sources that hold its words: while one of them can be read, so can the item.

    Of an approval it is what was approved, since bare words of consent could be taken for consent to anything; of a step the
    call that planned it, not one that has only moved it on; of an error the result.
    """
    if item.entry is Entry.APPROVAL:
        return item.sources[1:]
    if item.entry in (Entry.PLAN, Entry.NEXT):
        return item.sources[:1]
    return item.sources[-1:] if item.entry is Entry.ERROR else item.sources
