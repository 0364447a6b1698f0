"""Protocols of what lies outside the pure core; the faces hand implementations in."""

from collections.abc import Awaitable, Mapping, Sequence
from typing import Literal, Protocol, runtime_checkable

import msgspec

from pumice.domain.account import Account
from pumice.domain.event import Event, SessionInfo, SessionKey
from pumice.domain.message import Usage
from pumice.domain.summary import Ask


class Clock(Protocol):
    def __call__(self) -> float:
        """Seconds since 1970."""
        ...


class Redacted(msgspec.Struct, frozen=True):
    text: str
    kinds: tuple[str, ...] = ()
    """Kind of each secret replaced, in order."""


class Redactor(Protocol):
    def __call__(self, text: str) -> Redacted:
        """Replace secrets by `[secret:kind]`; never raises."""
        ...


class Answer(msgspec.Struct, frozen=True):
    """What a model said, where its caller knows more than the text."""

    text: str
    usage: Usage | None = None
    model: str = ""
    flaw: str = ""
    """Why it may not stand, whatever it says: empty, a call, a refusal, cut off; a sentence its model can act on."""


class Model(Protocol):
    def __call__(self, ask: Ask) -> str | Answer | Awaitable[str | Answer]:
        """The answer; raises ModelFailed, QuotaExceeded, or whatever else goes wrong there."""
        ...


@runtime_checkable
class PrefixModel(Protocol):
    """A model that may be asked at the end of the live view, so that its cached prefix is read and not written (K-E8)."""

    def continuing(self, ask: Ask, dialect: str, view: bytes) -> Awaitable[Answer]:
        """The answer to a question about `view`, a complete request of `dialect`; raises as `Model`."""
        ...


@runtime_checkable
class Addressed(Protocol):
    """A model that is whichever one a question names, so that one that names none has nobody to ask."""

    by_address: Literal[True]

    def serves(self, dialect: str) -> bool:
        """Whether a model of a dialect's own vendor may be asked: somebody has given a credential for it."""
        ...


class Sealer(Protocol):
    """Encrypts and authenticates under a key that stays with the store."""

    def seal(self, data: bytes) -> str: ...

    def open(self, token: str) -> bytes | None:
        """The bytes of a token; None when it was altered or belongs to another key."""
        ...


class Ledger(Protocol):
    """Append-only events per session. A commit is compare-and-swap on the branch tip."""

    async def load(self, key: SessionKey, after: int = 0) -> list[Event]:
        """Events of a session with `seq` above `after`, in order; empty when unknown."""
        ...

    async def append(self, key: SessionKey, events: Sequence[Event], *, tips: dict[str, int]) -> int:
        """Append all or nothing and return the last seq.

        `tips` names, per branch the caller builds on, the seq of the newest event of that branch it has seen (0 for a
        branch that must not exist yet). Raises Conflict when one has moved, StoreError when the store fails.
        """
        ...

    async def sessions(self, tenant: str) -> list[SessionInfo]: ...

    async def forget(self, key: SessionKey) -> int:
        """Remove a session's events; returns how many."""
        ...

    async def close(self) -> None: ...


class Artifacts(Protocol):
    """Content-addressed, write-once bytes under names that are written once."""

    async def put(self, key: SessionKey, name: str, data: bytes) -> str:
        """Keep bytes durably under a name and return their sha256 hex. The same bytes again are a no-op; other bytes
        under a used name raise StoreError."""
        ...

    async def get(self, key: SessionKey, name: str) -> bytes:
        """Raises NotAddressable when the name is not kept."""
        ...

    async def names(self, key: SessionKey) -> list[str]: ...

    async def forget(self, key: SessionKey) -> int: ...


class Accounts(Protocol):
    """One row per model call; rows are only ever added, or forgotten with their session."""

    async def add(self, row: Account) -> None: ...

    async def of_session(self, key: SessionKey) -> list[Account]:
        """All of a session, oldest first; empty when unknown."""
        ...

    async def since(self, tenant: str, at: float = 0.0) -> list[Account]:
        """A tenant's rows from a time on, in seconds since 1970, oldest first."""
        ...

    async def forget(self, key: SessionKey) -> int:
        """Remove a session's rows; returns how many."""
        ...


class Shelf(Protocol):
    """Plain files of what has left a window, for clients that open them with a tool of their own."""

    def folder(self, key: SessionKey, root: str = "") -> str:
        """Absolute path of a session's folder, below `root` where that is named; empty where there is none."""
        ...

    async def write(self, folder: str, texts: Mapping[str, str]) -> None:
        """Write texts under their blocks' names, each once; only the owner may read them. Raises StoreError."""
        ...

    def stamp(self, folder: str) -> int:
        """A number that is another once files of a folder have come or gone; one look, 0 where there is no folder."""
        ...

    async def forget(self, folder: str) -> int:
        """Remove a folder; returns how many files it had."""
        ...


class Passage(msgspec.Struct, frozen=True):
    """A block's text, secrets replaced, to be found by its lines."""

    block: str
    hash: str
    """Of the block's content: the same hash is the same text."""
    text: str


class Found(msgspec.Struct, frozen=True):
    """Lines that answer a query."""

    places: tuple[tuple[str, int], ...]
    """Block and line, from 1; best first."""
    total: int
    """How many lines there are in all."""


class Search(Protocol):
    """A full-text index of a session's blocks. It can be made again from the ledger and holds nothing of its own."""

    async def index(self, key: SessionKey, passages: Sequence[Passage]) -> None:
        """Make texts findable. One known by the same hash costs nothing; of a known block only the newest text is found."""
        ...

    async def query(self, key: SessionKey, phrases: Sequence[str], limit: int, *, every: bool = True) -> Found:
        """Lines that hold every phrase, or any; a phrase is pieces with a space between them (`measure.phrases`).

        Ranked by BM25 against the session's own lines, of equal ones the newest block first. No other session counts.
        """
        ...

    async def forget(self, key: SessionKey) -> int:
        """Remove a session's index, its bytes too; returns how many blocks it had."""
        ...


class Fault(Protocol):
    """A point where a test may stop the process or fail; the null object does nothing."""

    def __call__(self, name: str) -> None: ...


def no_fault(name: str) -> None:
    """The default: no fault is injected."""
