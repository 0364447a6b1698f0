"""What the extractive summariser may say: items from task state and from the steps that fold, each with its sources."""

from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from pumice.commit import done, effects
from pumice.commit import words as spoken
from pumice.commit.draft import ACTIVE, ADVISORY, DONE, FAILED, OPEN, REJECTED
from pumice.compact import words
from pumice.compact.keep import pair_of
from pumice.compact.summary.template import Feed
from pumice.domain import marks
from pumice.domain.block import Block, Kind, Origin
from pumice.domain.effect import ToolUse
from pumice.domain.group import Group
from pumice.domain.state import Entry, Item, TaskState
from pumice.domain.summary import SummaryItem

LINE_CHARS = 300
"""Characters of a model's words that are quoted: its first line."""
KEY_CHARS = 160
"""Characters of what an item is about."""
NEWEST_SAID, NEWEST_COMMANDS = 6, 12
"""How many of the model's words and of its commands are offered."""


class Ground(msgspec.Struct, frozen=True):
    """What a summary is made of."""

    state: TaskState
    folded: Sequence[Group]
    """Everything that folds."""
    newer: Sequence[Group]
    """Of that, what the summary before does not cover."""
    uses: Mapping[str, ToolUse]


class _FromState(msgspec.Struct, frozen=True):
    entry: Entry
    statuses: tuple[str, ...]
    status: str = ""
    """Of the summary's item."""
    newest: int = 40
    names_key: bool = False
    """The key of the state's item says what it is about."""


_STATE: Mapping[Feed, _FromState] = {
    "goal": _FromState(Entry.GOAL, (OPEN,), newest=2),
    "rules": _FromState(Entry.CONSTRAINT, (OPEN,)),
    "corrections": _FromState(Entry.CORRECTION, ("",)),
    "next": _FromState(Entry.NEXT, (OPEN,), "next", 1),
    "plan_open": _FromState(Entry.PLAN, (ACTIVE, OPEN), "next"),
    "questions": _FromState(Entry.OPEN, (OPEN,), "to_confirm", 5),
    "errors": _FromState(Entry.ERROR, (OPEN,), "failed", 10, names_key=True),
    "decisions": _FromState(Entry.DECISION, ("",)),
    "approvals": _FromState(Entry.APPROVAL, (DONE,), newest=10, names_key=True),
    "attempts": _FromState(Entry.FAILED, (FAILED, REJECTED), "failed", 20, names_key=True),
    "children": _FromState(Entry.CHILD, (OPEN,), "to_confirm", 10),
    "plan_done": _FromState(Entry.PLAN, (DONE,), "done"),
    "fixed": _FromState(Entry.ERROR, (DONE,), "done", 10, names_key=True),
    "advice": _FromState(Entry.DECISION, (ADVISORY,), "to_confirm", 10),
}


def items(feed: Feed, section: str, ground: Ground) -> list[SummaryItem]:
    """The items of a feed for a section, oldest first. The feed `lines` has its own module."""
    if feed in _STATE:
        return [_of_state(item, section, _STATE[feed]) for item in _chosen(ground.state, _STATE[feed])]
    make = _OTHERS.get(feed)
    return list(make(section, ground)) if make else []


def unpasted(item: SummaryItem) -> list[SummaryItem]:
    """A person's words as items without what they quote or paste: under a heading of rules that would read as one."""
    return [msgspec.structs.replace(item, text=text) for text in spoken.stretches(item.text)]


def closed(state: TaskState) -> frozenset[str]:
    """Texts and keys of the state's items that are over, unless something open has the same."""
    over = {name for item in state.items if item.status not in _LIVE for name in (item.text, item.key) if name}
    live = {name for item in state.items if item.status in _LIVE for name in (item.text, item.key) if name}
    return frozenset(over - live)


_LIVE = ("", OPEN, ACTIVE, ADVISORY)


def _chosen(state: TaskState, want: _FromState) -> list[Item]:
    return [item for item in state.items if item.entry is want.entry and item.status in want.statuses][-want.newest :]


def _of_state(item: Item, section: str, want: _FromState) -> SummaryItem:
    key = _one_line(item.key) if want.names_key else ""
    by = (item.by,) if item.by and item.status == DONE else ()
    return SummaryItem(section, item.text, key, want.status, (*by, *item.sources[::-1]), verbatim=True)


def _effects(section: str, ground: Ground) -> Iterator[SummaryItem]:
    for item in ground.state.items:
        if item.entry is Entry.SIDE_EFFECT and item.status == DONE:
            label = _one_line(f"{item.key.partition(' ')[0]} {item.text}")
            yield SummaryItem(section, "", label, "done", item.sources[::-1], verbatim=True)


def _words(section: str, ground: Ground) -> Iterator[SummaryItem]:
    for block in words.typed(ground.folded):
        yield SummaryItem(section, words.shown(block), sources=(block.id,), verbatim=True)


def _files(section: str, ground: Ground) -> Iterator[SummaryItem]:
    newest: dict[str, SummaryItem] = {}
    for call, result in _calls(ground):
        use = ground.uses[result.id]
        if use.is_file_read or (use.is_edit and not effects.failed(result)):
            item = _label(section, use, call, result, "done" if use.is_edit else "")
            newest.pop(item.key, None)
            newest[item.key] = item
    yield from newest.values()


def _commands(section: str, ground: Ground) -> Iterator[SummaryItem]:
    newest: dict[str, SummaryItem] = {}
    for call, result in _calls(ground):
        use = ground.uses[result.id]
        if effects.does(call) is effects.Does.SHELL:
            item = _label(section, use, call, result, "failed" if done.undone(result, use) else "done")
            newest.pop(item.key, None)
            newest[item.key] = item
    yield from list(newest.values())[-NEWEST_COMMANDS:]


def _said(section: str, ground: Ground) -> Iterator[SummaryItem]:
    found: list[SummaryItem] = []
    for group in reversed(ground.newer):
        spoken = next((block for block in group.blocks if _is_said(block)), None)
        if spoken is not None:
            line = next(line for line in spoken.text.split("\n") if line.strip())
            found.append(SummaryItem(section, line.strip()[:LINE_CHARS], sources=(spoken.id,), verbatim=True))
        if len(found) == NEWEST_SAID:
            break
    yield from reversed(found)


_OTHERS: Mapping[Feed, Callable[[str, Ground], Iterator[SummaryItem]]] = {
    "effects": _effects,
    "words": _words,
    "files": _files,
    "commands": _commands,
    "said": _said,
}


def _is_said(block: Block) -> bool:
    return block.kind is Kind.TEXT and block.origin is Origin.MODEL and bool(block.text.strip())


def _calls(ground: Ground) -> Iterator[tuple[Block, Block]]:
    """Calls with their results in the steps that are new, in order."""
    for group in ground.newer:
        for block in group.blocks:
            if block.kind is Kind.RESULT and block.id in ground.uses:
                pair = pair_of(group, block)
                if len(pair) > 1:
                    yield pair[0], pair[-1]


def _label(section: str, use: ToolUse, call: Block, result: Block, status: str) -> SummaryItem:
    return SummaryItem(section, "", _one_line(f"{use.tool} {use.target}"), status, (result.id, call.id), verbatim=True)


def _one_line(text: str) -> str:
    """Words fit for a label: one line without a sign of ours."""
    line = " ".join(text.split())[:KEY_CHARS]
    return "" if marks.GAP in line or not marks.is_clean(line) else line
