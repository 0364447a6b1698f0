"""The answers of a probe, from what is known of a session: words of it that can be looked for in any view."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice

import msgspec

from pumice.commit import tables
from pumice.commit.draft import ACTIVE, DONE, FAILED, OPEN, REJECTED, SAID, UNKNOWN
from pumice.commit.render import lines, pointer
from pumice.compact import words
from pumice.compact.mechanical import talk
from pumice.compact.probes.read import Probe
from pumice.compact.probes.sight import Sight
from pumice.domain import marks
from pumice.domain.block import Block, Kind, Origin
from pumice.domain.effect import ToolUse
from pumice.domain.group import Group
from pumice.domain.state import Entry, Item, Pin, TaskState
from pumice.measure import entities

OPENING_CHARS = 200
"""Of a goal and of a text only the first line is looked for, and so much of it: the rest may be cut in its middle (F-B12)."""
LINE_CHARS = 2000
"""Characters of a line a pattern of the user's is held against: what it costs may grow fast with them."""


_VALUE = r'[ \t*`]*[:：=][ \t]*(?P<value>"[^"\n]+"|[^\s,}\]][^,}\]\n]*)'


class Known(msgspec.Struct, frozen=True):
    """What is known of a session when it is asked."""

    state: TaskState
    groups: Sequence[Group]
    """The full history, oldest first."""
    uses: Mapping[str, ToolUse] = {}
    before: Sequence[Group] = ()
    """Groups the client has replaced by its own summary."""

    @property
    def blocks(self) -> list[Block]:
        return [block for group in (*self.before, *self.groups) for block in group.blocks]


class Answer(msgspec.Struct, frozen=True):
    words: tuple[str, ...]
    """All of them have to be in view."""
    sources: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    """Lines of ours, each of which says where the words are, and texts they were taken from in another form."""
    is_whole: bool = False
    """The words are names: a part of a longer one is not them."""

    def __str__(self) -> str:
        return " / ".join(" ".join(text.split()) for text in self.words)

    def is_read(self, sight: Sight, needs: str) -> bool:
        """Whether a view answers."""
        if all(sight.has(text, whole=self.is_whole) for text in self.words):
            return True
        return any(line in sight.text for line in self.others) or (
            needs == "pointer" and any(name in sight.named for name in self.sources)
        )


def of(probe: Probe, known: Known) -> tuple[Answer, ...]:
    """The newest answers of a probe, each once; none where the session gives no cause to ask."""
    found = _of_state(probe, known) if probe.kind in _STATE else _OTHERS[probe.kind](probe, known)
    newest = {str(answer): answer for answer in islice(found, probe.newest) if all(map(marks.is_plain, answer.words))}
    return tuple(reversed(newest.values()))


_STATE: Mapping[str, Sequence[tuple[Entry, tuple[str, ...]]]] = {
    "goal": ((Entry.GOAL, (OPEN,)),),
    "plan": ((Entry.PLAN, (ACTIVE, OPEN)),),
    "next_step": ((Entry.NEXT, (OPEN,)),),
    "open_items": ((Entry.OPEN, (OPEN, UNKNOWN)), (Entry.ERROR, (OPEN,))),
    "permissions": ((Entry.APPROVAL, (DONE,)), (Entry.FAILED, (REJECTED,))),
    "decisions": ((Entry.DECISION, ("",)), (Entry.CORRECTION, ("",))),
    "facts": ((Entry.FACT, ("", SAID)),),
    "side_effects": ((Entry.SIDE_EFFECT, (DONE,)),),
    "errors": ((Entry.ERROR, (OPEN,)),),
    "failed_attempts": ((Entry.FAILED, (FAILED, REJECTED)),),
    "files": ((Entry.FILE, ("edit",)),),
    "children": ((Entry.CHILD, (OPEN,)),),
    "notes": ((Entry.NOTE, (OPEN, DONE)),),
}
"""Kinds that are entries of the task state, with the statuses in which they count."""


def _of_state(probe: Probe, known: Known) -> Iterator[Answer]:
    """Newest first."""
    wanted, texts = _STATE[probe.kind], {block.id: block.text for block in known.blocks}
    for item in reversed(known.state.items):
        if any(item.entry is entry and item.status in statuses for entry, statuses in wanted):
            yield _answer(item, texts)


def _answer(item: Item, texts: Mapping[str, str]) -> Answer:
    shown = lines(item).split("\n")[-1]
    behind = [texts[name] for name in item.sources if name in texts]
    # A command over several lines is an item of one line: where it can be read as it was written, it can be read.
    written = () if any(item.text in text for text in behind) else tuple(filter(None, behind[:1]))
    others = (pointer(item), *([shown] if shown.startswith(marks.GAP) else []), *written)
    said = _opening(item.text) if item.entry is Entry.GOAL else item.key if item.status == UNKNOWN else item.text
    asked = (item.key,) if item.entry is Entry.APPROVAL else ()
    return Answer((*asked, said), item.sources, others)


def _opening(text: str) -> str:
    return text[:OPENING_CHARS].split("\n")[0].strip()


def _began(_: Probe, known: Known) -> Iterator[Answer]:
    for block in words.typed((*known.before, *known.groups))[:1]:
        yield Answer((_opening(words.shown(block)),), (block.id,))


def _constraints(_: Probe, known: Known) -> Iterator[Answer]:
    for pin in reversed(words.live(known.state.pins)):
        yield _of_pin(pin, (pin.rule,))


def _exceptions(_: Probe, known: Known) -> Iterator[Answer]:
    for pin in reversed(words.live(known.state.pins)):
        if fields := tables.fields(pin.rule):
            yield _of_pin(pin, fields)


def _of_pin(pin: Pin, said: tuple[str, ...]) -> Answer:
    return Answer(said, (pin.block,) if pin.block else (), () if pin.by_hand else (words.pointer(pin),))


def _editing(_: Probe, known: Known) -> Iterator[Answer]:
    """The file changed last, and what fails."""
    texts = {block.id: block.text for block in known.blocks}
    for entry, status in ((Entry.FILE, "edit"), (Entry.ERROR, OPEN)):
        items = (item for item in reversed(known.state.items) if (item.entry, item.status) == (entry, status))
        yield from (_answer(item, texts) for item in islice(items, 1))


def _named(_: Probe, known: Known) -> Iterator[Answer]:
    """Names, ids and numbers a person used, newest first."""
    for block in reversed(words.typed((*known.before, *known.groups))):
        yield from _names(block, words.shown(block))


def _entities(probe: Probe, known: Known) -> Iterator[Answer]:
    """Names in what a person said and a model said or did of late; what tools printed names more than anyone needs."""
    for group in reversed(known.groups[-probe.groups :]):
        for block in reversed(group.blocks):
            if block.origin in (Origin.PERSON, Origin.MODEL) and block.text:
                yield from _names(block, block.text)


def _names(block: Block, text: str) -> Iterator[Answer]:
    found = dict.fromkeys(entity.text for entity in entities.find(text))
    yield from (Answer((name,), (block.id,), is_whole=True) for name in reversed(found))


def _said(_: Probe, known: Known) -> Iterator[Answer]:
    """How what the model said last begins, where it said more than that it would look."""
    for block in reversed(known.blocks):
        if block.kind is Kind.TEXT and block.origin is Origin.MODEL and block.text.strip() and not talk.is_chatter(block):
            yield Answer((_opening(block.text.strip()),), (block.id,))
            return


def _contains(probe: Probe, known: Known) -> Iterator[Answer]:
    for text in probe.texts:
        yield Answer((text,), tuple(block.id for block in known.blocks if text in block.text))


def _entity(probe: Probe, known: Known) -> Iterator[Answer]:
    for text in probe.texts:
        yield Answer((text,), tuple(block.id for block in known.blocks if text in block.text), is_whole=True)


def _regex(probe: Probe, known: Known) -> Iterator[Answer]:
    """What a pattern finds, newest first."""
    pattern = re.compile(probe.pattern)
    for block in reversed(known.blocks):
        for line in reversed(block.text.split("\n")):
            yield from (Answer((match[0],), (block.id,)) for match in pattern.finditer(line[:LINE_CHARS]) if match[0])


def _field(probe: Probe, known: Known) -> Iterator[Answer]:
    """Values that members of JSON objects and lines `name: value` give to a field; of each field the newest."""
    for name in probe.texts:
        pattern = re.compile(rf'(?<!\w)"?{re.escape(name)}"?{_VALUE}', re.I)
        for block in reversed(known.blocks):
            if found := pattern.search(block.text):
                yield Answer((found["value"].strip(' "'),), (block.id,))
                break


def _nothing(_: Probe, __: Known) -> Iterator[Answer]:
    """A model's answers are not known beforehand."""
    return iter(())


_OTHERS: Mapping[str, Callable[[Probe, Known], Iterator[Answer]]] = {
    "began": _began,
    "constraints": _constraints,
    "exceptions": _exceptions,
    "editing": _editing,
    "named": _named,
    "entities": _entities,
    "said": _said,
    "contains": _contains,
    "entity": _entity,
    "regex": _regex,
    "field": _field,
    "answer": _nothing,
}
