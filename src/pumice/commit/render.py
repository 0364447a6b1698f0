"""The part of the task state that moves, as lines of a preface: only what is no longer in view."""

from collections.abc import Callable, Collection, Iterator, Sequence

import msgspec

from pumice.commit import sections
from pumice.commit.draft import SAID, SUPERSEDED, UNKNOWN
from pumice.domain import marks
from pumice.domain.policy.limits import FLOOR
from pumice.domain.state import Entry, Item, TaskState

_LABEL_CHARS = 120
_EFFECT_CHARS = 64
"""Of what was done: enough to know it by, since much is done in a long session and none of it is to be done again."""
_NAMED = 40
"""Items of a section that are named at most, where there is no room to tell of them."""
_POINTER_WORDS = 15
"""First words of an item there is no room for."""


class Rendered(msgspec.Struct, frozen=True):
    text: str
    """Empty when nothing of the state has left the view."""
    sources: tuple[str, ...]
    """Ids of the blocks it was taken from, in order."""
    pointed: int = 0
    """Items that may not be cut but did not fit: they are named and pointed at."""


class StateRoom(msgspec.Struct, frozen=True):
    """What the state may take, in tokens of the counter."""

    tokens: int
    never: Collection[str] = FLOOR
    """Kinds of items that stand whole whatever `tokens` says (F-D5)."""
    reserve: int = 0
    """Tokens beyond that for these alone; what is over this too is pointed at."""
    is_full: bool = False
    """The state stands for everything that was told: details are shown too."""


def render(
    state: TaskState,
    room: StateRoom,
    count: Callable[[str], int],
    hidden: Callable[[str], bool],
    stands: Callable[[str], bool] = lambda _: False,
) -> Rendered:
    """State whose sources have all left the view, the most needed first; `stands` says which goals and facts can be read.

    Words of a source stand verbatim on their own lines; every other line begins with `⋯`.
    """
    purse = _Purse(room, count)
    parts: list[str] = []
    sources: dict[str, None] = {}
    for section, is_floor in sections.chosen(room.never, is_full=room.is_full):
        wanted = [item for item in sections.items(state, section, hidden) if not (_may_stand(item) and stands(item.text))]
        older, wanted = wanted[: -section.newest], wanted[-section.newest :]
        shown: list[str] = []
        while wanted and (text := purse.pay(wanted[-1], "" if shown else section.title, is_floor=is_floor)):
            shown.append(text)
            sources.update(dict.fromkeys(wanted.pop().sources))
        left = [*older, *wanted] if section.kinds else []
        sources.update(dict.fromkeys(source for item in left for source in item.sources[:1]))
        parts += [*_headed(section.title, left), *reversed(shown)] if shown or left else []
    return Rendered("\n".join(parts), tuple(sources), purse.pointed)


def _may_stand(item: Item) -> bool:
    return item.entry is Entry.GOAL or item.status == SAID


def _headed(title: str, left: Sequence[Item]) -> Iterator[str]:
    """A section's title, and the names of items there was no room for: what is left out stays in reach."""
    yield marks.gap(title)
    found = dict.fromkeys(name for item in left if (name := _source(item) or item.key) and marks.is_plain(name))
    if found:
        more = f" and {len(found) - _NAMED} before" if len(found) > _NAMED else ""
        yield marks.gap(f"also {' '.join(list(found)[-_NAMED:])}{more}")


class _Purse:
    """What is left of the room while items are paid for."""

    def __init__(self, room: StateRoom, count: Callable[[str], int]) -> None:
        self.left, self.reserve, self.count = room.tokens, room.reserve, count
        self.pointed = 0

    def pay(self, item: Item, title: str, *, is_floor: bool) -> str:
        """The item's lines as it can be shown, its title paid for with it; empty when it has to be left out."""
        text = lines(item)
        cost = self._cost(text, title)
        if cost > self.left and not is_floor:
            return ""
        if cost > max(0, self.left) + self.reserve:
            text = pointer(item)
            cost = self._cost(text, title)
            self.pointed += 1
        self.reserve -= min(max(0, self.reserve), max(0, cost - max(0, self.left)))
        self.left -= min(cost, max(0, self.left))
        return text

    def _cost(self, text: str, title: str) -> int:
        return self.count(text) + 1 + (self.count(marks.gap(title)) + 1 if title else 0)


def lines(item: Item) -> str:
    """An item's lines: its words, with what they answer or where they come from on a line of ours."""
    source = _source(item)
    if item.status == UNKNOWN:
        return marks.gap(item.key)
    if not marks.is_plain(item.text) or not marks.is_plain(item.key):
        return marks.gap(source)
    if item.entry is Entry.SIDE_EFFECT:
        return marks.gap(f"{source} {item.key.partition(' ')[0]} {item.text[:_EFFECT_CHARS]}")
    if item.entry is Entry.CHILD or item.entry is Entry.FILE:
        return marks.gap(f"{source} {item.text}")
    labelled = marks.gap(source if item.status == SAID else f"{source} {item.key[:_LABEL_CHARS]}")
    before = {Entry.APPROVAL: item.key, Entry.ERROR: labelled, Entry.FACT: labelled}
    after = marks.gap(f"superseded by {item.by}") if item.status == SUPERSEDED else ""
    return "\n".join(line for line in (before.get(item.entry), item.text, after) if line)


def _source(item: Item) -> str:
    """The block an item goes by; of an error the result that holds its words, not the call."""
    found = sections.holders(item) if item.entry is Entry.ERROR else item.sources
    return found[0] if found else ""


def pointer(item: Item) -> str:
    """One line of ours in place of an item: where its words are, and the first of them."""
    words = " ".join(item.text.split()[:_POINTER_WORDS])[:_LABEL_CHARS]
    return marks.gap(f"{_source(item) or item.key} {words if marks.is_plain(words) else ''} …")
