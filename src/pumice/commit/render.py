"""The part of the task state that moves, as lines of a preface: only what is no longer in view."""

from collections.abc import Callable

import msgspec

from pumice.commit.draft import ACTIVE, ADVISORY, DONE, OPEN, REJECTED, SUPERSEDED
from pumice.domain import marks
from pumice.domain.state import Entry, Item, TaskState


class Rendered(msgspec.Struct, frozen=True):
    text: str
    """Empty when nothing of the state has left the view."""
    sources: tuple[str, ...]
    """Ids of the blocks it was taken from, in order."""


class _Section(msgspec.Struct, frozen=True):
    entry: Entry
    status: tuple[str, ...]
    title: str
    newest: int
    """How many items at most, the newest."""


_LABEL_CHARS = 120
_SECTIONS = (
    _Section(Entry.CORRECTION, ("",), "corrected by the user", 30),
    _Section(Entry.CONSTRAINT, (SUPERSEDED,), "rules no longer in force", 10),
    _Section(Entry.PLAN, (ACTIVE,), "plan, at work", 10),
    _Section(Entry.PLAN, (OPEN,), "plan, to do", 30),
    _Section(Entry.ERROR, (OPEN,), "failed, not resolved", 6),
    _Section(Entry.DECISION, ("",), "decided by the user", 20),
    _Section(Entry.APPROVAL, (DONE,), "approved then, by the user's next words", 10),
    _Section(Entry.OPEN, (OPEN,), "asked, not answered", 5),
    _Section(Entry.CHILD, (OPEN,), "sub-agents without a result", 10),
    _Section(Entry.FAILED, (REJECTED,), "call refused by the user", 10),
    _Section(Entry.SIDE_EFFECT, (DONE,), "done and not to be repeated", 40),
    _Section(Entry.PLAN, (DONE,), "plan, done", 30),
    _Section(Entry.DECISION, (ADVISORY,), "stated by the assistant, advisory", 10),
    _Section(Entry.GOAL, (SUPERSEDED,), "asked before, superseded by later words", 3),
)
"""What moves, the most needed first."""


def render(state: TaskState, budget_tokens: int, count: Callable[[str], int], hidden: Callable[[str], bool]) -> Rendered:
    """State whose sources have all left the view, the most needed first, within a budget in tokens by `count`.

    Words of a source stand verbatim on their own lines; every other line begins with `⋯`.
    """
    parts: list[str] = []
    sources: dict[str, None] = {}
    left = budget_tokens
    for section in _SECTIONS:
        shown: list[str] = []
        for item in reversed(_items(state, section, hidden)):
            text = _text(item)
            cost = count(text) + 1 + (0 if shown else count(marks.gap(section.title)) + 1)
            if cost > left:
                break
            left -= cost
            shown.append(text)
            sources.update(dict.fromkeys(item.sources))
        parts += [marks.gap(section.title), *reversed(shown)] if shown else []
    return Rendered("\n".join(parts), tuple(sources))


def _items(state: TaskState, section: _Section, hidden: Callable[[str], bool]) -> list[Item]:
    wanted = [item for item in state.items if item.entry is section.entry and item.status in section.status]
    # Bare words of consent could be taken for consent to anything: once what they answered has left it is shown with them.
    first = 1 if section.entry is Entry.APPROVAL else 0
    return [item for item in wanted if all(map(hidden, item.sources[first:]))][-section.newest :]


def _text(item: Item) -> str:
    """An item's lines: its words, with what they answer or where they come from on a line of ours."""
    if not marks.is_plain(item.text) or not marks.is_plain(item.key):
        return marks.gap(item.sources[0])
    if item.entry is Entry.SIDE_EFFECT:
        return marks.gap(f"{item.sources[0]} {item.key.partition(' ')[0]} {item.text[:_LABEL_CHARS]}")
    if item.entry is Entry.CHILD:
        return marks.gap(f"{item.sources[0]} {item.text}")
    before = {Entry.APPROVAL: item.key, Entry.ERROR: marks.gap(f"{item.sources[0]} {item.key[:_LABEL_CHARS]}")}
    after = marks.gap(f"superseded by {item.by}") if item.status == SUPERSEDED else ""
    return "\n".join(line for line in (before.get(item.entry), item.text, after) if line)
