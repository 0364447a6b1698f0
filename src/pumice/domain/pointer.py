"""Pointers: addresses of what has left the window."""

import re

import msgspec

from pumice.errors import NotAddressable

_POINTER = re.compile(
    r"^workspace://(?P<area>[a-z][a-z0-9_-]*)/(?P<name>[A-Za-z0-9][A-Za-z0-9._-]{0,127})(?:#L(?P<a>\d+)(?:-L(?P<b>\d+))?)?$"
)
_ORDINAL = re.compile(r"^b\d+$")


class Pointer(msgspec.Struct, frozen=True):
    """`workspace://<area>/<name>`, optionally a slice of lines from 1."""

    area: str
    name: str
    first: int | None = None
    last: int | None = None

    def __str__(self) -> str:
        slice_ = "" if self.first is None else f"#L{self.first}" + ("" if self.last is None else f"-L{self.last}")
        return f"workspace://{self.area}/{self.name}{slice_}"


def artifact(block_id: str) -> str:
    """The pointer of a block's full text."""
    return f"workspace://artifacts/{block_id}"


def parse(text: str) -> Pointer:
    """Read a pointer or its short form `b173`; raises NotAddressable for anything else, paths included."""
    if _ORDINAL.match(text):
        return Pointer("artifacts", text)
    found = _POINTER.match(text)
    if not found or ".." in text:
        raise NotAddressable(
            f"{text!r} is no pointer; expected workspace://<area>/<name>[#L1-L9] or a label such as b173.",
            hint="Copy the address from the mark in the view.",
        )
    first, last = found["a"], found["b"]
    return Pointer(found["area"], found["name"], int(first) if first else None, int(last) if last else None)


def kept_as(pointer: Pointer) -> str:
    """The name of what a pointer points at among a session's artifacts: areas other than that are folders there."""
    return pointer.name if pointer.area == "artifacts" else f"{pointer.area}/{pointer.name}"


class Section(msgspec.Struct, frozen=True):
    """A part of a block that was read back, from `first` to `last`, in lines or characters by `unit`."""

    block: str
    first: int
    last: int
    unit: str = "lines"

    def of(self, text: str) -> str:
        """The section's own words in the text of its block."""
        if self.unit == "chars":
            return text[self.first - 1 : self.last]
        return "\n".join(text.split("\n")[self.first - 1 : self.last])

    def is_about(self, other: "Section") -> bool:
        """Whether another section covers at least half of this one."""
        shared = min(self.last, other.last) - max(self.first, other.first) + 1
        return (self.block, self.unit) == (other.block, other.unit) and 2 * shared >= self.last - self.first + 1


class Slice(msgspec.Struct, frozen=True):
    """A piece of something outside the window; `offset` counts from 1, in lines or characters by `unit`."""

    text: str
    offset: int
    total: int
    next_offset: int | None
    unit: str
    redactions: int = 0
    """How many secrets were replaced in the stored text."""
    media: tuple[bytes, ...] = ()
    """Images and documents of the block, each the JSON of its content block, to be shown to a model again."""
