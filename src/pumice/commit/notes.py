"""Notes an agent keeps and phases it has ended, from the calls of the tools it is given for that."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from pumice.commit import arguments
from pumice.commit.draft import DONE, OPEN, Draft
from pumice.commit.render import Rendered, pointer
from pumice.domain import marks
from pumice.domain.block import Block
from pumice.domain.state import Entry, Item, TaskState

NOTE = "note "
"""Begins the key of a note; what follows is its topic."""
PHASE = "phase "
_WHOLE = "notes"
"""Topic of notes that come as one text."""


def fold(draft: Draft, call: Block) -> None:
    """Take notes in: by topic, an empty text removes one, others stay; a plain text or a list is the whole of them."""
    given = arguments.read(call)
    told = next((given[name] for name in ("notes", "content", "text", "note") if given.get(name) is not None), None)
    if isinstance(told, dict):
        for topic, text in told.items():
            _put(draft, call, str(topic), text)
    elif told is not None:
        lines = [line for line in map(_line, told) if line] if isinstance(told, list) else [str(told)]
        _put(draft, call, str(given.get("topic", _WHOLE)), "\n".join(lines))


def end_phase(draft: Draft, call: Block) -> None:
    """Take the end of a phase in: its summary, and where its outputs lie."""
    given = arguments.read(call)
    outputs = given.get("outputs")
    lines = [str(given.get("summary", ""))]
    if isinstance(outputs, list):
        lines += [f"{one.get('location', '')}: {one.get('what', '')}" for one in outputs if isinstance(one, dict)]
    draft.put(Entry.NOTE, "\n".join(lines).strip(), (call.id,), key=f"{PHASE}{given.get('name', '')}", status=DONE)


def render(state: TaskState, tokens: int, count: Callable[[str], int], hidden: Callable[[str], bool]) -> Rendered:
    """Notes and ended phases whose calls have left the view, oldest first; over the budget older ones become pointers."""
    kept = [item for item in state.items if is_note(item) and all(map(hidden, item.sources))]
    parts, left, pointed = [], tokens, 0
    for item in reversed(kept):
        text = _lines(item)
        cost = count(text) + 1
        if cost > left:
            text, pointed = pointer(item), pointed + 1
        left -= cost
        parts.append(text)
    return Rendered(
        "\n".join(reversed(parts)), tuple(dict.fromkeys(source for item in kept for source in item.sources)), pointed
    )


def over(state: TaskState, given: Mapping[str, tuple[str, int]]) -> TaskState:
    """A state with notes given by hand: by topic the text and the block after which what the conversation notes wins again."""
    items = list(state.items)
    for topic, (text, after) in given.items():
        key = f"{NOTE}{topic}"
        known = [item for item in items if item.entry is Entry.NOTE and item.key == key]
        if any(ordinal(source) > after for item in known for source in item.sources):
            continue
        items = [item for item in items if item not in known]
        items += [Item(Entry.NOTE, text, (), key, OPEN)] if text.strip() else []
    return msgspec.structs.replace(state, items=tuple(items)) if given else state


def by_topic(state: TaskState) -> dict[str, str]:
    """Notes in force, oldest first; an ended phase by its own name."""
    return {item.key.removeprefix(NOTE): item.text for item in state.items if is_note(item)}


def ordinal(block: str) -> int:
    """The number in a block's name."""
    return int(block[1:])


def is_note(item: Item) -> bool:
    """Whether an item is one of the agent's own notes, or the end of a phase."""
    return item.entry is Entry.NOTE and item.key.startswith((NOTE, PHASE))


def _lines(item: Item) -> str:
    if not marks.is_plain(item.text) or not marks.is_plain(item.key):
        return marks.gap(item.sources[0] if item.sources else "a note that reads like one of these lines")
    ended = ", ended" if item.key.startswith(PHASE) else ""
    return f"{marks.gap(f'{item.key}{ended}')}\n{item.text}"


def _put(draft: Draft, call: Block, topic: str, text: Any) -> None:
    key, words = f"{NOTE}{topic}", str(text).strip()
    draft.drop(Entry.NOTE, lambda item: item.key == key)
    if words:
        draft.put(Entry.NOTE, words, (call.id,), key=key, status=OPEN)


def _line(item: Any) -> str:
    if isinstance(item, dict):
        return " ".join(str(value) for value in item.values() if isinstance(value, (str, int, float)))
    return str(item)
