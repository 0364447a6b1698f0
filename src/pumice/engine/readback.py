"""Read back what left the window: a slice of lines or characters."""

import re
from collections.abc import Iterator, Mapping

import msgspec

from pumice.compact import numbering
from pumice.domain import marks
from pumice.domain.block import Block, Kind
from pumice.domain.pointer import Pointer, Section, Slice, artifact
from pumice.errors import InvalidInput, NotAddressable, TooManyReads
from pumice.measure import tokens
from pumice.wire import jsonbytes

MAX_LINES = 400
MAX_CHARS = 20_000
MAX_TOKENS = 15_000
"""o200k tokens of an answer: by the dearest family's factor below the 25,000 that clients take of a tool (K §10)."""
_CHAR_TOKENS = 4
"""o200k tokens a character has at most."""
PER_RESPONSE = 2
"""Read-backs an agent gets per model response (F-E3)."""
UNITS = ("lines", "chars")
MEDIA = ("image", "document", "input_image", "input_file")
"""Types of a result's parts that are no text."""
RANGE = re.compile(r"(b\d+)[–-](b\d+)")
"""A label that stands for a run of blocks."""


class Allowance:
    """Counts the read-backs since the last response."""

    def __init__(self, limit: int = PER_RESPONSE) -> None:
        self.limit = limit
        self.used = 0

    def take(self) -> None:
        """Raises TooManyReads when the response's reads are used up."""
        if self.used >= self.limit:
            raise TooManyReads(
                f"{self.used} read-backs since the last model response; {self.limit} are allowed.",
                hint="Answer with what you have, or read again after the next response.",
            )
        self.used += 1

    def reset(self) -> None:
        self.used = 0


def read(text: str, pointer: Pointer, *, offset: int, limit: int, unit: str, redactions: int = 0) -> Slice:
    """A piece of a text from `offset` (from 1): at most 400 lines, 20,000 characters and 15,000 tokens.

    Lines of a file that was read from its middle are counted as they are numbered, so that a line is found by the number a
    view shows before it; numbers before the first count from there.
    """
    if unit not in UNITS or offset < 1 or limit < 1:
        raise InvalidInput(
            f"offset={offset}, limit={limit}, unit={unit!r}: expected whole numbers from 1 and one of {', '.join(UNITS)}."
        )
    if pointer.first is not None and unit == "lines":
        last = pointer.last if pointer.last is not None else pointer.first
        offset, limit = pointer.first + offset - 1, max(1, min(limit, last - pointer.first - offset + 2))
    if unit == "chars":
        return _characters(text, offset, limit, redactions)
    more = numbering.ahead(text)
    return _numbered(_lines(text, offset - more if offset > more else offset, limit, redactions), more)


def _numbered(piece: Slice, more: int) -> Slice:
    """The slice counted as its lines are numbered."""
    if not more or piece.unit == "chars":
        return piece
    following = None if piece.next_offset is None else piece.next_offset + more
    return msgspec.structs.replace(piece, offset=piece.offset + more, total=piece.total + more, next_offset=following)


def section(block: str, piece: Slice, text: str) -> Section:
    """The section of a block's text that a slice shows, counted by place."""
    size = len(piece.text) if piece.unit == "chars" else piece.text.count("\n") + 1
    first = piece.offset if piece.unit == "chars" else piece.offset - numbering.ahead(text)
    return Section(block, first, first + size - 1, piece.unit)


def ends(text: str, *, limit: int, redactions: int = 0) -> Slice:
    """The last lines of a text, as many of those asked for as an answer holds; of an endless line its last characters."""
    total, more = text.count("\n") + 1, numbering.ahead(text)
    first = max(1, total + 1 - min(max(1, limit), MAX_LINES))
    while True:
        piece = _lines(text, first, MAX_LINES, redactions)
        if piece.unit == "chars":
            return _characters(text, max(1, len(text) + 1 - MAX_TOKENS // _CHAR_TOKENS), MAX_CHARS, redactions)
        if piece.next_offset is None:
            return _numbered(piece, more)
        first = piece.next_offset


def _characters(text: str, offset: int, limit: int, redactions: int) -> Slice:
    shown = text[offset - 1 : offset - 1 + min(limit, MAX_CHARS)]
    if len(shown) * _CHAR_TOKENS > MAX_TOKENS:
        shown = tokens.truncate(shown, MAX_TOKENS)
    end = offset - 1 + len(shown)
    following = end + 1 if end < len(text) else None
    return Slice(shown, offset, len(text), following, "chars", redactions)


def _lines(text: str, offset: int, limit: int, redactions: int) -> Slice:
    lines = text.split("\n")
    taken: list[str] = []
    size = 0
    for line in lines[offset - 1 : offset - 1 + min(limit, MAX_LINES)]:
        if size + len(line) > MAX_CHARS:
            break
        taken.append(line)
        size += len(line) + 1
    taken = _affordable(taken)
    if not taken and offset <= len(lines):
        return _characters(text, sum(len(before) + 1 for before in lines[: offset - 1]) + 1, MAX_CHARS, redactions)
    end = offset - 1 + len(taken)
    return Slice("\n".join(taken), offset, len(lines), end + 1 if end < len(lines) else None, "lines", redactions)


def _affordable(lines: list[str]) -> list[str]:
    """The first lines that an answer may hold by their tokens; those that are all of it where that is no question."""
    text = "\n".join(lines)
    if len(text) * _CHAR_TOKENS <= MAX_TOKENS or (kept := tokens.truncate(text, MAX_TOKENS)) == text:
        return lines
    return lines[: kept.count("\n")]


def run(blocks: Mapping[str, Block], first: str, last: str) -> str:
    """The texts of a run of blocks that one label stands for, each under its name; raises NotAddressable."""
    names = list(blocks)
    if first not in blocks or last not in blocks or names.index(first) > names.index(last):
        raise NotAddressable(f"{first}–{last} names no run of blocks of this session.", hint="Copy the label from the view.")
    chosen = (blocks[name] for name in names[names.index(first) : names.index(last) + 1])
    return "\n".join(f"{marks.gap(block.id)}\n{block.text}" for block in chosen if block.text)


def address(pointer: Pointer) -> str:
    """A pointer without its slice."""
    return str(msgspec.structs.replace(pointer, first=None, last=None))


def find(blocks: Mapping[str, Block], pointer: Pointer, addresses: Mapping[str, str]) -> Block:
    """The block a pointer names, by its id or by one of the session's `addresses`; raises NotAddressable."""
    name = pointer.name if pointer.area == "artifacts" else ""
    block = blocks.get(addresses.get(address(pointer), name))
    if block is None:
        raise NotAddressable(
            f"{pointer} names nothing in this session.", hint=f"Labels look like b173, addresses like {artifact('b173')}."
        )
    return block


def media(block: Block | None) -> tuple[bytes, ...]:
    """The images and documents a block is or holds, each as the JSON of its content block (F-B13)."""
    if block is None or not block.media:
        return ()
    return (block.raw,) if block.kind is Kind.MEDIA else tuple(_parts(block))


def _parts(result: Block) -> Iterator[bytes]:
    members = jsonbytes.members(result.raw)
    content = members.get("content", members.get("output", b""))
    parts = jsonbytes.items(content) if jsonbytes.is_array(content) else []
    return (raw for raw in parts if raw[:1] == b"{" and jsonbytes.decode(jsonbytes.members(raw).get("type", b"null")) in MEDIA)
