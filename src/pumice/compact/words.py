"""A person's words and pins in the preface: verbatim, newest first while there is room, in the order they were said."""

from collections.abc import Iterable, Sequence

import msgspec

from pumice.commit import words as spoken
from pumice.compact.ruler import Ruler
from pumice.compact.section import Section
from pumice.domain import marks
from pumice.domain.block import Block
from pumice.domain.group import Group
from pumice.domain.policy import Pins, UserWords
from pumice.domain.state import Pin

GOAL_SHARE = 0.1
"""Share of the target the newest request may take on windows too small for all words."""
LEAST_SHARE = 0.1
"""A message of which less than this fits is only pointed at."""
SHORT_SHARE, SHORT, SHORT_CHARS = 0.05, 60, 400
"""Share of the target that short messages may take there together, and tokens and characters up to which one is short."""
GOAL_CHARS = 600
"""Characters of the newest request that are shown however little room there is."""
POINTER_WORDS = 15
"""First words of a pin that became a pointer (F-B5)."""


class Pinned(msgspec.Struct, frozen=True):
    """Pins as a preface holds them."""

    section: Section
    lost: int
    """How many did not fit and are only pointed at."""


def typed(groups: Iterable[Group]) -> list[Block]:
    """Blocks that hold what a person typed, oldest first."""
    return [block for group in groups for block in group.blocks if spoken.is_persons(block)]


def shown(block: Block) -> str:
    """What a person typed in a block, without what the client put around it."""
    return spoken.typed(block.text)


def words(blocks: Sequence[Block], ruler: Ruler, *, policy: UserWords, window: int, target: int) -> Section:
    """What was typed, within the policy's tokens; the first message that overflows is cut in its middle (F-B12).

    On small windows only the newest message, which holds the goal, is shown, and of what was said before what is short.
    """
    clean = [(block, text) for block in blocks if marks.is_clean(text := shown(block))]
    if window > policy.above_window:
        chosen = _newest(clean, ruler, min(policy.tokens, round(policy.share * target)))
    else:
        goal = _newest(clean[-1:], ruler, round(GOAL_SHARE * target))
        chosen = [*_short(clean[:-1], ruler, round(SHORT_SHARE * target)), *goal]
    lines = [f"{marks.gap(block.id)}\n{text}" for block, text in chosen]
    return Section("words", "\n".join(lines), tuple(block.id for block, _ in chosen))


def _newest(typed: Sequence[tuple[Block, str]], ruler: Ruler, room: int) -> list[tuple[Block, str]]:
    """The newest messages a room holds, the first that overflows cut; of the very newest its beginning at least."""
    chosen: list[tuple[Block, str]] = []
    for block, text in reversed(typed):
        if room <= 0:
            break
        [cost] = ruler.inline([text])
        share = max(room / cost, 0.0 if chosen else GOAL_CHARS / len(text))
        if share >= LEAST_SHARE or not chosen:
            chosen.append((block, middle_cut(text, share)))
        room -= cost
    return chosen[::-1]


def _short(typed: Sequence[tuple[Block, str]], ruler: Ruler, room: int) -> list[tuple[Block, str]]:
    """Short messages, the newest first as far as a room goes: what is said in passing is said there, and it costs little."""
    typed = [(block, text) for block, text in typed if len(text) <= SHORT_CHARS]
    chosen: list[tuple[Block, str]] = []
    for (block, text), cost in reversed([*zip(typed, ruler.inline([text for _, text in typed]), strict=True)]):
        if cost <= SHORT and cost <= room:
            chosen.append((block, text))
            room -= cost
    return chosen[::-1]


def pins(in_force: Sequence[Pin], standing: str, ruler: Ruler, *, policy: Pins, usable: int) -> Pinned:
    """Pins that do not stand elsewhere in the view; beyond the budget older ones shrink to their rule, then to a pointer."""
    room = max(policy.budget, usable // 20)
    lines: list[tuple[Pin, str]] = []
    lost = 0
    for pin in reversed(in_force):
        if pin.whole in standing:
            continue
        text, cost = _form(pin, ruler, room, policy.whole_up_to)
        standing = f"{standing}\n{text}"
        lost += not text
        room -= cost
        lines.append((pin, text or pointer(pin)))
    lines.reverse()
    body = "\n".join(f"{marks.gap(pin.block)}\n{text}" if pin.block else text for pin, text in lines)
    return Pinned(Section("pins", body, tuple(pin.block for pin, _ in lines if pin.block)), lost)


def middle_cut(text: str, share: float) -> str:
    """About a share of a text, its middle left out, no word cut in two; all of it from 1 on."""
    if share >= 1:
        return text
    half = int(len(text) * share * 0.45)
    head, tail = text[:half], text[len(text) - half :]
    head = head[: max(head.rfind("\n"), head.rfind(" "), 0)] or head
    start = min((at for at in (tail.find("\n"), tail.find(" ")) if at >= 0), default=0)
    tail = tail[start:].lstrip("\n")
    gone = len(text) - len(head) - len(tail)
    return f"{head}\n{marks.gap(f'{gone} characters')}\n{tail}"


def _form(pin: Pin, ruler: Ruler, room: int, whole_up_to: int) -> tuple[str, int]:
    """The fullest form of a pin that fits and its cost; made by hand it always stands whole."""
    for text, limit in ((pin.whole, whole_up_to), (pin.rule, room)):
        [cost] = ruler.inline([text])
        is_long = text != pin.rule and ruler.count_many([text])[0] > limit
        if marks.is_clean(text) and (pin.by_hand or (cost <= room and not is_long)):
            return text, cost
    return "", 0


def pointer(pin: Pin) -> str:
    """What stands in place of a pin that found no room."""
    first = " ".join(pin.rule.split()[:POINTER_WORDS])
    return marks.gap(f"{first} …" if marks.is_clean(first) else "not shown")


def is_pointed_at(pin: Pin, preface: str) -> bool:
    """Whether a preface says in place of a pin where its words are."""
    return pointer(pin) in preface


def live(pins: Sequence[Pin]) -> list[Pin]:
    """Pins still in force, oldest first."""
    return [pin for pin in pins if not pin.superseded_by]
