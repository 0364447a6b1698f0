"""Tools to read back what left the window: a range by its pointer, or lines by a search."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from pumice.domain import pointer
from pumice.domain.pointer import Slice
from pumice.toolkit.tool import Archive, Desk, Tool


class ReadRange(msgspec.Struct, forbid_unknown_fields=True):
    pointer: Annotated[str, Meta(description="The block's name (b173) or its address (workspace://artifacts/b173).")]
    offset: Annotated[int, Meta(ge=1, description="First line, from 1.")] = 1
    limit: Annotated[int, Meta(ge=1, le=400, description="Lines.")] = 200
    unit: Annotated[Literal["lines", "chars"], Meta(description="chars where lines are endless.")] = "lines"


class End(msgspec.Struct, forbid_unknown_fields=True):
    pointer: Annotated[str, Meta(description="The block's name (b173) or its address (workspace://artifacts/b173).")]
    lines: Annotated[int, Meta(ge=1, le=400)] = 40


class Search(msgspec.Struct, forbid_unknown_fields=True):
    query: str
    pointer: Annotated[str, Meta(description="Search in this block alone.")] = ""
    regex: bool = False
    limit: Annotated[int, Meta(ge=1, le=100)] = 10


def tools(desk: Desk, *, read_range: str = "read_range") -> tuple[Tool, ...]:
    """The two tools; a policy may name the first one otherwise (`offload.read_back.tool`)."""

    async def read(asked: ReadRange) -> str:
        found = await desk.read_range(_address(asked.pointer), asked.offset, asked.limit, asked.unit)
        return f"{found.text}\n{_place(found)}"

    async def search(asked: Search) -> str:
        where = _address(asked.pointer) if asked.pointer else None
        hits = await desk.search(asked.query, pointer=where, regex=asked.regex, limit=asked.limit)
        return "\n".join([*(f"{hit.pointer}:{hit.line} {hit.text}" for hit in hits), _more(hits)])

    return (
        Tool(read_range, "Read back part of something that was folded out of view, by its name.", ReadRange, read),
        Tool("search", "Find lines anywhere in this conversation, also in what was folded out of view.", Search, search),
    )


def ends(desk: Archive) -> tuple[Tool, ...]:
    """Both ends of what left the window, for callers that do not know its lines yet."""

    async def head(asked: End) -> str:
        found = await desk.read_range(_address(asked.pointer), 1, asked.lines)
        return f"{found.text}\n{_place(found)}"

    async def tail(asked: End) -> str:
        found = await desk.tail(_address(asked.pointer), asked.lines)
        return f"{found.text}\n{_place(found)}"

    return (
        Tool("head", "Read the first lines of something that was folded out of view, by its name.", End, head),
        Tool("tail", "Read the last lines of something that was folded out of view, by its name.", End, tail),
    )


def _more(hits: Any) -> str:
    """How many there are besides those shown (F-B10)."""
    total = getattr(hits, "total", len(hits))
    if not hits:
        return "Nothing found."
    rest = "; ask for more with a higher limit" if total > len(hits) else ""
    return f"{len(hits)} of {total} lines shown, {getattr(hits, 'order', '')}{rest}."


def _place(found: Slice) -> str:
    last = found.total if found.next_offset is None else found.next_offset - 1
    rest = "" if found.next_offset is None else f"; go on at offset {found.next_offset}"
    return f"[{found.unit} {found.offset} to {last} of {found.total}{rest}]"


def _address(name: str) -> str:
    """A block's bare name is its address too; runs of blocks and addresses are understood as they are."""
    return pointer.artifact(name) if name[:1] == "b" and name[1:].isdigit() else name
