"""Views: a compiled request read back as blocks and text, remembering from call to call what stayed the same."""

import re
from collections.abc import Iterator, Sequence

import msgspec

from pumice.domain import marks
from pumice.domain.block import Block, Kind
from pumice.domain.book import Size
from pumice.domain.message import Message, Request
from pumice.engine.heads import head_size
from pumice.engine.sizes import measure
from pumice.evaluate.sizing import running
from pumice.wire.dialect import Dialect

_LABEL = re.compile(rf"^{marks.GAP} (b\d+)(?!\d|–)(.*?)(?:, call (b\d+))?$", re.M)
"""`⋯ b173 Read src/app.py 412 lines, call b172` points at two blocks; `⋯ b12–b40` at a range, which does not count."""
_OPENING = re.compile(rf"{marks.OPEN}[\w-]+[^\n]*\bof=\"(b\d+)\"[^\n]*>$", re.M)


class Shown(msgspec.Struct, frozen=True):
    """One message of a view."""

    raw: bytes
    message: Message
    sizes: tuple[Size, ...]
    text: str
    """Texts of its blocks, a line break between them."""
    keys: tuple[str, ...]
    """Canonical identity of each block."""
    labels: dict[str, str]
    """Names of the blocks that labels of ours point at → what the label says of them."""
    excerpts: frozenset[str]
    """Names of the blocks an excerpt of ours stands for, in their own place."""


class View(msgspec.Struct, frozen=True):
    """A whole request as the model sees it."""

    request: Request
    messages: tuple[Shown, ...]
    text: str
    """Text of all messages: where entities and lines are looked for."""
    keys: tuple[str, ...]
    """All canonical units in the order of a provider's cache."""
    sums: tuple[Size, ...]
    """Sizes of the first 0, 1, 2, … units."""
    shared: int
    """Leading units in common with the view before."""
    shared_messages: int
    """Leading messages in common with the view before."""
    extends: bool
    """The view before is a prefix of this one."""

    @property
    def size(self) -> Size:
        return self.sums[-1]

    @property
    def results(self) -> Iterator[Block]:
        return (block for shown in self.messages for block in shown.message.blocks if block.kind is Kind.RESULT)


class Reader:
    """Reads the views of one policy in order; costs one comparison per unchanged message."""

    def __init__(self, dialect: Dialect, model: str) -> None:
        self._dialect = dialect
        self._model = model
        self._known: dict[bytes, Shown] = {}
        self._head: tuple[bytes, tuple[str, ...], tuple[Size, ...]] = (b"", (), ())
        self._before: View | None = None

    def read(self, body: bytes) -> View:
        """The view a body is."""
        request = self._dialect.open(body)
        head, head_sizes = self._read_head(request)
        messages = self._read_messages(request.messages)
        keys = head + tuple(key for shown in messages for key in shown.keys)
        sums = running([*head_sizes, *(size for shown in messages for size in shown.sizes)])
        before = self._before
        shared = _common(before.keys, keys) if before else 0
        self._before = View(
            request=request,
            messages=messages,
            text="\n".join(shown.text for shown in messages if shown.text),
            keys=keys,
            sums=tuple(sums),
            shared=shared,
            shared_messages=_same(before.messages, messages) if before else 0,
            extends=before is None or shared == len(before.keys),
        )
        return self._before

    def _read_head(self, request: Request) -> tuple[tuple[str, ...], tuple[Size, ...]]:
        """Tools, then system blocks, as a cache reads them; sizes as the product counts them."""
        known, keys, sizes = self._head
        if known != request.head.key:
            units = [unit for unit in self._dialect.units(self._dialect.close(request, ())) if unit.message < 0]
            counts = [Size(part.tokens) for part in head_size(request.head, request.dialect).parts if part.stands]
            systems = len(request.head.system)
            keys, sizes = tuple(unit.key.hex() for unit in units), (*counts[systems:], *counts[:systems])
            self._head = (request.head.key, keys, sizes)
        return keys, sizes

    def _read_messages(self, raws: Sequence[bytes]) -> tuple[Shown, ...]:
        now: dict[bytes, Shown] = {}
        for raw in raws:
            if raw not in now:
                now[raw] = self._known.get(raw) or self._show(raw)
        self._known = now
        return tuple(now[raw] for raw in raws)

    def _show(self, raw: bytes) -> Shown:
        message = self._dialect.read_message(raw)
        text = "\n".join(block.text for block in message.blocks if block.text)
        return Shown(
            raw=raw,
            message=message,
            sizes=tuple(measure(message.blocks, self._model)),
            text=text,
            keys=tuple(map(unit_key, message.blocks)),
            labels=_labels(text) if marks.OPEN in text else {},
            excerpts=frozenset(mark[1] for mark in _OPENING.finditer(text)) if marks.OPEN in text else frozenset(),
        )


def unit_key(block: Block) -> str:
    """Canonical identity of a content block in a prefix: its role and what it means, markers left out."""
    return f"{block.role}:{block.hash}"


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    for at, (mine, theirs) in enumerate(zip(one, other, strict=False)):
        if mine != theirs:
            return at
    return min(len(one), len(other))


def _same(one: Sequence[Shown], other: Sequence[Shown]) -> int:
    for at, (mine, theirs) in enumerate(zip(one, other, strict=False)):
        if mine is not theirs:
            return at
    return min(len(one), len(other))


def _labels(text: str) -> dict[str, str]:
    return {name: label[2].strip() for label in _LABEL.finditer(text) for name in (label[1], label[3]) if name and label[2]}
