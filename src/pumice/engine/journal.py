"""The journal: what a session writes to the ledger store, and reads back.

An event's data is a JSON header, a newline, then (for messages and heads) raw JSON exactly as the store may hold it.
"""

import json
from typing import Any

import msgspec

from pumice.domain import pointer
from pumice.domain.decision import Decision
from pumice.domain.diet import Diet
from pumice.domain.event import Event, pack
from pumice.domain.hidden import Hidden
from pumice.domain.manifest import Usable
from pumice.domain.note import Note
from pumice.domain.redeem import Redeem
from pumice.domain.resident import Resident
from pumice.domain.state import Pin
from pumice.engine.bytes_diff import Change, apply, patch
from pumice.engine.passes import (
    AnswerEvent,
    AskFailed,
    CutDeclined,
    CutDropped,
    CutEvent,
    CutStart,
    PolicyEvent,
    ReviewEvent,
    RollbackEvent,
)

__all__ = [
    "AnswerEvent",
    "AskFailed",
    "Change",
    "CutDeclined",
    "CutDropped",
    "CutEvent",
    "CutStart",
    "PolicyEvent",
    "ReviewEvent",
    "RollbackEvent",
    "apply",
    "patch",
]
"""What of other modules belongs to the journal as well; all its own names do."""

CALLS = "calls"
"""Where calls are recorded, whatever their branch: their numbers are the session's, so two processes must not both take
one. Compare-and-swap on this tip sees to it."""
ADDRESSES = "addresses"
"""Where addresses are given, whatever the branch: the same holds for them."""


STEPS = ("call", "response")
"""Kinds of the events that say a conversation goes on."""


class MessageEvent(msgspec.Struct, frozen=True, tag="message"):
    index: int
    key: str
    """Identity of what the client sent, hex."""
    redactions: int = 0
    adopted: bool = False
    ids: tuple[str, ...] = ()
    """Names of blocks that came again on another branch, empty for new ones; none when all are new."""


class BranchEvent(msgspec.Struct, frozen=True, tag="branch"):
    name: str
    number: int
    parent: str = ""
    at: int = 0
    carries: bool = False
    """State and pins of the parent carry over although no node does (the client compacted)."""


class LaneEvent(msgspec.Struct, frozen=True, tag="lane"):
    lane: str
    agent: str
    dialect: str
    model: str
    branch: str
    cause: str
    parent: str = ""


class HeadEvent(msgspec.Struct, frozen=True, tag="head"):
    """A version of a lane's head: every top-level field but the messages, whole or as a change of the one before."""

    lane: str
    key: str
    change: Change | None = None


class DietEvent(msgspec.Struct, frozen=True, tag="diet"):
    """What a lane's tools leave as from its first call on."""

    lane: str
    diet: Diet


class ContentEvent(msgspec.Struct, frozen=True, tag="content"):
    """Resident content a caller has given the session; no text takes it away."""

    name: str
    texts: tuple[str, ...]


class ResidentEvent(msgspec.Struct, frozen=True, tag="resident"):
    """The block a lane's head has from now or, where it is under way, from its next epoch on."""

    lane: str
    resident: Resident | None
    now: bool


SHELVED = "read_back"
"""Kind of the events that name a folder of files."""


class ReadBackEvent(msgspec.Struct, frozen=True, tag=SHELVED):
    """How a lane's client fetches what has left the window, from its first call on."""

    lane: str
    redeem: Redeem


class RereadEvent(msgspec.Struct, frozen=True, tag="reread"):
    """A section was read back as often as the policy's `repin_after_reads`: from the next epoch on it stays in view."""

    section: pointer.Section


class HiddenEvent(msgspec.Struct, frozen=True, tag="hidden"):
    """An exchange the client does not see; its messages are the event's bytes."""

    hidden: Hidden


class NoteEvent(msgspec.Struct, frozen=True, tag="note"):
    """Words of ours in a lane's view until its epoch ends."""

    lane: str
    note: Note


class FormEvent(msgspec.Struct, frozen=True, tag="form"):
    decision: Decision


class AddressEvent(msgspec.Struct, frozen=True, tag="address"):
    """An address besides a block's own, once and for good."""

    address: str
    block: str


class ResumeEvent(msgspec.Struct, frozen=True, tag="resume"):
    """The agent's client is back where another lane of it had come to: two that go on from one beginning take turns."""

    lane: str


class BreakEvent(msgspec.Struct, frozen=True, tag="break"):
    """The prefix has moved without a cut: the client's own history had to be repaired in another way, or a call went
    upstream without the engine (cause `fault`)."""

    lane: str
    epoch: int
    cause: str = "client_edit"


class CallEvent(msgspec.Struct, frozen=True, tag="call"):
    call: int
    lane: str
    nodes: int
    epoch: int
    factor: float
    tokens: int
    counted: int
    """o200k tokens of the view before calibration, head included."""
    fixed: int
    """Tokens of the messages no factor applies to."""
    head: int
    """Which version of the lane's head, from 0."""
    usable: Usable
    policy: str
    predicted_read: int = 0
    """Tokens the provider's cache should hold of this view: what it shares with the lane's view before."""
    patches: tuple[tuple[int, Change], ...] = ()
    """Node and how its bytes on the wire differed from those first seen."""


class ResponseEvent(msgspec.Struct, frozen=True, tag="response"):
    call: int
    lane: str
    id: str
    reported: int | None = None
    cache_read: int | None = None
    output: int | None = None


class StepBackEvent(msgspec.Struct, frozen=True, tag="step_back"):
    """From now on an agent's requests go through as they come; no reason: they are compiled again."""

    agent: str
    reason: str


class PhaseEvent(msgspec.Struct, frozen=True, tag="phase"):
    """A phase of the task has ended: a good moment to cut."""

    lane: str
    name: str


class PinEvent(msgspec.Struct, frozen=True, tag="pin"):
    pin: Pin


class JotEvent(msgspec.Struct, frozen=True, tag="jot"):
    """Notes given by hand, by topic; an empty text takes one away."""

    notes: dict[str, str]
    after: int
    """Ordinal of the newest block then: what the conversation itself notes later wins."""


class UnpinEvent(msgspec.Struct, frozen=True, tag="unpin"):
    id: str


class LimitEvent(msgspec.Struct, frozen=True, tag="limit"):
    """The provider's error named a smaller window than was known."""

    model: str
    tokens: int


Header = (
    MessageEvent | BranchEvent | LaneEvent | HeadEvent | DietEvent | ContentEvent | ResidentEvent | NoteEvent | FormEvent
    | CutStart | CutEvent | CutDropped | CutDeclined | AddressEvent | AnswerEvent | AskFailed | ReviewEvent | BreakEvent
    | RereadEvent | CallEvent | ResponseEvent | PhaseEvent | PolicyEvent | PinEvent | JotEvent | UnpinEvent | RollbackEvent
    | LimitEvent | StepBackEvent | ReadBackEvent | HiddenEvent | ResumeEvent
)  # fmt: skip

_decoder: msgspec.json.Decoder[Header] = msgspec.json.Decoder(Header)


class Entry(msgspec.Struct, frozen=True):
    """A header with the branch it belongs to and its raw bytes."""

    branch: str
    header: Any
    raw: bytes = b""
    at: float = 0.0
    """When the step was recorded; set on reading."""


def write(entry: Entry, at: float) -> Event:
    """The event of an entry."""
    header = entry.header
    kind = str(header.__struct_config__.tag)
    data = pack(header) + (b"\n" + entry.raw if entry.raw else b"")
    return Event(kind, data, entry.branch, at)


def read(event: Event) -> Entry:
    """The entry of an event."""
    header, _, raw = event.data.partition(b"\n")
    return Entry(event.branch, _header(header), raw, event.at)


def _header(raw: bytes) -> Header:
    try:
        return _decoder.decode(raw)
    except msgspec.DecodeError:
        found: Header = msgspec.convert(json.loads(raw), Header)  # escapes of lone surrogates, see `pack`
        return found
