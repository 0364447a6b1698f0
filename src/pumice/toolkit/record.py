"""Tools over a stored session: its notes and pins, and the reasons of what a model was shown."""

from typing import Annotated

import msgspec
from msgspec import Meta

from pumice.domain.manifest import Manifest, Row
from pumice.domain.state import Pin
from pumice.toolkit import notes
from pumice.toolkit.tool import Archive, Tool

ROWS = 100
"""Rows of a manifest in one answer."""
_REASON_CHARS = 200
_PIN_CHARS = 2000


class Nothing(msgspec.Struct, forbid_unknown_fields=True):
    pass


class NewPin(msgspec.Struct, forbid_unknown_fields=True):
    text: Annotated[str, Meta(description="Words for every view from the next compaction on.", max_length=_PIN_CHARS)]


class OfCall(msgspec.Struct, forbid_unknown_fields=True):
    call: Annotated[int | None, Meta(description="Number of the call, from 1; the newest without it.")] = None
    offset: Annotated[int, Meta(ge=1, description="First row, from 1.")] = 1
    limit: Annotated[int, Meta(ge=1, le=ROWS)] = ROWS


class OfBlock(msgspec.Struct, forbid_unknown_fields=True):
    block: Annotated[str, Meta(description="The block's name, such as b173.")]
    call: Annotated[int | None, Meta(description="Number of the call, from 1; the newest without it.")] = None


def tools(desk: Archive) -> tuple[Tool, ...]:
    """Notes, pins, manifest and explanation."""

    async def said(asked: notes.Notes) -> str:
        await desk.note(asked.notes)
        return notes.answer(asked)

    async def noted(_: Nothing) -> str:
        return "\n".join(f"{topic}: {text}" for topic, text in (await desk.notes()).items()) or "No notes."

    async def pinned(_: Nothing) -> str:
        return "\n".join(map(_pin, await desk.pins())) or "No pins."

    async def pin(asked: NewPin) -> str:
        return f"Pinned as {(await desk.pin(asked.text)).id}; it stands in every view from the next compaction on."

    async def manifest(asked: OfCall) -> str:
        return _page(await desk.manifest(asked.call), asked)

    async def explain(asked: OfBlock) -> str:
        return _row(await desk.explain(asked.block, asked.call))

    return (
        Tool("notes", "Read the notes kept in this conversation.", Nothing, noted),
        Tool(notes.NAME, notes.WORDS, notes.Notes, said, adds=True),
        Tool("pins", "List the words that stand verbatim in every view.", Nothing, pinned),
        Tool("pin", "Keep words verbatim in every view: a rule, a decision, a limit.", NewPin, pin, adds=True),
        Tool("manifest", "What a model call was shown and what was left out, block by block, with reasons.", OfCall, manifest),
        Tool("explain", "Why one block was or was not shown to the model.", OfBlock, explain),
    )


def _pin(pin: Pin) -> str:
    return f"{pin.id} {'by hand' if pin.by_hand else f'from {pin.block}'}: {pin.whole}"


def _page(found: Manifest, asked: OfCall) -> str:
    shown = found.rows[asked.offset - 1 : asked.offset - 1 + asked.limit]
    last = asked.offset - 1 + len(shown)
    rest = f"; go on at offset {last + 1}" if last < len(found.rows) else ""
    tokens = sum(row.tokens for row in found.rows)
    head = (
        f"call {found.call}, lane {found.lane}, epoch {found.epoch} ({found.cause}), policy {found.policy}: "
        f"{tokens} of {found.usable.tokens} tokens, tools and system prompt not among them"
    )
    warned = [f"warning: {words}" for words in found.warnings]
    return "\n".join((head, *warned, *map(_row, shown), f"[rows {asked.offset} to {last} of {len(found.rows)}{rest}]"))


def _row(row: Row) -> str:
    level = f" by {row.level}" if row.level else ""
    at = f" → {row.pointer}" if row.pointer else ""
    what = f"{row.id} {row.outcome}{level}, {row.tokens} tokens, {row.partition}, {row.source}"
    return f"{what}: {row.reason[:_REASON_CHARS]}{at}"
