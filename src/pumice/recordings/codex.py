"""Codex rollouts as recordings: the full history, and beside it what the client really sent."""

from collections.abc import Sequence

import msgspec

from pumice.domain.block import Role
from pumice.errors import BadRecording
from pumice.recordings import responses
from pumice.recordings.codex_records import DIALECT, SUMMARY, Bill, Item, Log, Replaced, Rewound, Turn, Typed, read
from pumice.recordings.head import unseen_tokens
from pumice.recordings.recording import RecordedCall, Recording, with_skipped
from pumice.recordings.sniff import Format
from pumice.wire import get, jsonbytes
from pumice.wire.values import mapping


def parse(data: bytes, file: str) -> list[Recording]:
    """The recording of a rollout; raises BadRecording when no line holds an item.

    The client's own summaries, and what it puts in after a compaction before the model speaks again, stand only in what it
    sent; turns that were taken back are left out.
    """
    log = read(data)
    walk = _Walk({event.text for event in log.events if isinstance(event, Typed)})
    for event in log.events:
        walk.take(event)
    walk.answered()
    if not walk.full:
        told = log.skipped[0] if log.skipped else f"{len(log.events)} records"
        raise BadRecording(f"{file}: {told}, none of them an item; expected a Codex session.")
    calls, messages = walk.all_calls(), tuple(one.raw for one in walk.full)
    found = Recording(
        file,
        Format.CODEX,
        DIALECT,
        calls[0].model if calls else "",
        _fields(log),
        messages,
        calls,
        problems=tuple(walk.problems),
        unseen_head_tokens=unseen_tokens(DIALECT, calls, messages),
        injected=frozenset(at for at, one in enumerate(walk.full) if one.role is Role.USER and not walk.is_typed(one)),
        outer=log.outer,
    )
    return with_skipped([found], log.skipped)


def _fields(log: Log) -> dict[str, bytes]:
    """The instructions of the session, where its first line has them."""
    told = mapping(jsonbytes.decode(log.outer.get("session_meta", b"{}")))
    said = mapping(told.get("base_instructions")).get("text") or told.get("instructions")
    return {"instructions": jsonbytes.encode(said)} if isinstance(said, str) and said else {}


class _Answer(msgspec.Struct):
    """A response while its items come."""

    upto: int
    sent: tuple[bytes, ...] | None
    model: str
    at: float | None
    items: list[bytes]
    bill: Bill | None = None


class _Walk:
    """The history, and beside it what the client sends."""

    def __init__(self, typed: set[str]) -> None:
        self.full: list[Item] = []
        self.calls: list[RecordedCall] = []
        self.problems: list[str] = []
        self._typed = typed
        self._sent: list[bytes] = []
        self._is_own = False
        """What is sent is no longer the history."""
        self._waits = False
        """A compaction after which the model has not spoken yet."""
        self._answer: _Answer | None = None
        self._model = ""
        self._total = -1
        self._at: float | None = None

    def is_typed(self, one: Item) -> bool:
        """Whether a person wrote it: where the log shows what was typed, only that."""
        if not one.is_typed or not self._typed:
            return one.is_typed
        said = "\n".join(block.text for block in get(DIALECT).read_message(one.raw).blocks)
        return any(text in said or said in text for text in self._typed)

    def take(self, event: object) -> None:
        if isinstance(event, Item):
            self._hear(event)
        elif isinstance(event, Bill):
            self._billed(event)
        elif isinstance(event, Turn):
            self._model = event.model
        elif isinstance(event, Replaced):
            self._replaced(event)
        elif isinstance(event, Rewound):
            self._rewound(event.turns)

    def _hear(self, one: Item) -> None:
        if one.role is Role.ASSISTANT:
            self._say(one)
        else:
            self.answered()
            self._at = one.at or self._at
        is_late = self._waits and one.role is Role.TOOL
        if not self._waits or is_late or self.is_typed(one):
            self.full.append(one)
        if not is_late:
            self._sent.append(one.raw)

    def _say(self, one: Item) -> None:
        if self._answer is not None and self._answer.bill is not None:
            self.answered()
        if self._answer is None and self.full:
            self._waits = False
            sent = tuple(self._sent) if self._is_own else None
            self._answer = _Answer(len(self.full), sent, self._model, self._at or one.at, [])
        if self._answer is not None:
            self._answer.items.append(one.raw)

    def _billed(self, bill: Bill) -> None:
        """The same figures come again with every change of a rate limit; a compaction's own are no response's."""
        is_new = bill.total != self._total or not bill.total
        self._total = bill.total
        if is_new and self._answer is not None and self._answer.bill is None:
            self._answer.bill = bill

    def answered(self) -> None:
        """The response that was coming is whole."""
        made, self._answer = self._answer, None
        if made is None:
            return
        usage = jsonbytes.encode(made.bill.usage) if made.bill else b""
        self.calls.append(
            RecordedCall(
                number=len(self.calls) + 1,
                upto=made.upto,
                response=responses.items(made.items, model=made.model, usage=usage),
                model=made.model,
                at=made.at,
                recorded=made.sent,
            )
        )

    def _replaced(self, event: Replaced) -> None:
        self.answered()
        kept = event.items if event.items is not None else self._rebuilt(event.summary)
        self._sent = [one.raw for one in kept]
        if not self.full:
            self.full = list(kept)
        else:
            self._is_own = self._waits = True

    def _rebuilt(self, summary: str) -> Sequence[Item]:
        """What a log of old says nothing of: context, a person's words, the summary."""
        said = summary if summary.startswith(SUMMARY[:40]) else f"{SUMMARY}\n{summary}"
        kept = [one for one in self.full if one.role in (Role.USER, Role.SYSTEM)]
        return [*kept, Item(get(DIALECT).user(said), Role.USER)]

    def _rewound(self, turns: int) -> None:
        """So many of the newest turns, each from a person's words on, never were."""
        self.answered()
        begins = [at for at, one in enumerate(self.full) if self.is_typed(one)]
        at = begins[-turns] if 0 < turns <= len(begins) else len(self.full)
        self.problems.append(f"{len(self.full) - at} items of turns that were taken back: left out")
        gone = {one.raw for one in self.full[at:]}
        place = next((place for place, raw in enumerate(self._sent) if raw in gone), len(self._sent))
        self.full, self._sent = self.full[:at], self._sent[:place]
        self.calls = [call for call in self.calls if call.upto < at]

    def all_calls(self) -> tuple[RecordedCall, ...]:
        """The calls, and the trailing turn where nothing answered it."""
        last = self.full[-1]
        if last.role is Role.ASSISTANT or not (last.role is Role.TOOL or self.is_typed(last)):
            return tuple(self.calls)
        sent = tuple(self._sent) if self._is_own else None
        number, model = len(self.calls) + 1, self._model or (self.calls[-1].model if self.calls else "")
        return (*self.calls, RecordedCall(number=number, upto=len(self.full), model=model, at=self._at, recorded=sent))
