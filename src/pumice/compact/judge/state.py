"""The conversation as a judging model is shown it, without results, in stages that shrink until it fits.

The stages are those of fast-jev (coding-agents §4.10): arguments of 1,000, 200 and 60 characters, both ends of long texts,
older texts folded, calls on one line, older texts left out, neighbouring calls merged; then the oldest lines go.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import groupby

import msgspec

from pumice.domain.block import Block, Kind, Role
from pumice.domain.effect import ToolUse

ARGUMENTS = (1000, 200, 60)
"""Characters of a call's arguments, stage by stage."""
HEAD, TAIL = 400, 200
"""Characters of both ends of a long text."""
NEW = 20
"""Newest entries whose texts are neither folded nor left out."""
FOLDED = 100
"""Characters of a folded text."""
TARGET = 80
"""Characters of a call on one line."""
GONE = "… {} older entries"


class Told(msgspec.Struct, frozen=True):
    """One thing that was said, or called."""

    who: str
    """`user`, `model`, or the name of a tool."""
    text: str
    """What was said, or the arguments."""
    call: str = ""
    """Id of a call's block; empty for what was said."""
    target: str = ""
    came: str = ""
    """What came back of a call in a few words: never the result itself."""


class State(msgspec.Struct, frozen=True):
    text: str
    stage: str
    """The last that was needed."""
    tokens: int


def told(blocks: Iterable[Block], uses: Mapping[str, ToolUse], came: Mapping[str, str]) -> list[Told]:
    """What was said and called, in order; `came` says by id of the call what came back of it."""
    found: list[Told] = []
    for block in blocks:
        if block.kind is Kind.CALL:
            target = uses[block.id].target if block.id in uses else ""
            found.append(Told(block.tool, _flat(block.text), block.id, target, came.get(block.id, "")))
        elif block.kind is Kind.TEXT and block.text.strip():
            found.append(Told("model" if block.role is Role.ASSISTANT else "user", _flat(block.text)))
    return found


def state(entries: Sequence[Told], limit: int, count: Callable[[str], int]) -> State:
    """The fullest of the stages within `limit` tokens; empty where not even one line is."""
    shown = list(entries)
    for name, stage in STAGES:
        shown = stage(shown)
        text = render(shown)
        tokens = count(text)
        if tokens <= limit:
            return State(text, name, tokens)
    return _newest(shown, limit, count)


def render(entries: Iterable[Told]) -> str:
    """One line for each."""
    return "\n".join(map(_line, entries))


def _line(one: Told) -> str:
    if not one.call:
        return f"{one.who}: {one.text}"
    return " ".join(part for part in (f"call {one.call}", one.who, one.text, f"→ {one.came}" if one.came else "") if part)


def _flat(text: str) -> str:
    return " ".join(text.split())


def _cut(text: str, chars: int) -> str:
    return text if len(text) <= chars else f"{text[:chars]}…"


def _arguments(entries: list[Told], *, chars: int) -> list[Told]:
    return [msgspec.structs.replace(one, text=_cut(one.text, chars)) if one.call else one for one in entries]


def _ends(entries: list[Told]) -> list[Told]:
    def cut(one: Told) -> Told:
        if one.call or len(one.text) <= HEAD + TAIL:
            return one
        return msgspec.structs.replace(one, text=f"{one.text[:HEAD]} … {one.text[-TAIL:]}")

    return list(map(cut, entries))


def _fold(entries: list[Told]) -> list[Told]:
    old, new = entries[:-NEW], entries[-NEW:]
    return [*(one if one.call else msgspec.structs.replace(one, text=_cut(one.text, FOLDED)) for one in old), *new]


def _one_line(entries: list[Told]) -> list[Told]:
    def cut(one: Told) -> Told:
        return msgspec.structs.replace(one, text=_cut(one.target, TARGET), came="") if one.call else one

    return list(map(cut, entries))


def _omit(entries: list[Told]) -> list[Told]:
    return [one for at, one in enumerate(entries) if one.who != "model" or at >= len(entries) - NEW]


def _merge(entries: list[Told]) -> list[Told]:
    merged: list[Told] = []
    for (is_call, who), run in groupby(entries, key=lambda one: (bool(one.call), one.who)):
        held = list(run)
        if is_call and len(held) > 1:
            held = [Told(who, f"×{len(held)}", " ".join(one.call for one in held))]
        merged += held
    return merged


def _newest(entries: Sequence[Told], limit: int, count: Callable[[str], int]) -> State:
    """As many of the newest lines as fit under a line that counts the others."""
    room, kept = limit - count(GONE.format(len(entries))) - 1, len(entries)
    while kept > 0:
        room -= count(_line(entries[kept - 1])) + 1
        if room < 0:
            break
        kept -= 1
    lines = [GONE.format(kept), *map(_line, entries[kept:])]
    text = "\n".join(lines)
    tokens = count(text)
    return State(text, "oldest out", tokens) if tokens <= limit else State("", "oldest out", 0)


STAGES: tuple[tuple[str, Callable[[list[Told]], list[Told]]], ...] = (
    *((f"arguments of {chars}", partial(_arguments, chars=chars)) for chars in ARGUMENTS),
    ("both ends", _ends),
    ("folded", _fold),
    ("one line", _one_line),
    ("omitted", _omit),
    ("merged", _merge),
)
