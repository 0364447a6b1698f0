"""Hidden exchanges: calls of the read-back tool that are answered here stand in every later request as the upstream saw them.

The client's request is taken for what it would be had the client made them: the ledger, cuts and the prefix know no difference.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from pumice.commit import arguments
from pumice.domain.block import UNNAMED, Block, Kind, Origin
from pumice.domain.hidden import Hidden
from pumice.domain.message import Request, Response
from pumice.engine import journal
from pumice.engine.journal import Entry
from pumice.engine.reading import Reader
from pumice.engine.terms import Rung
from pumice.toolkit import Tool
from pumice.wire import get, hidden, jsonbytes, tools
from pumice.wire.hidden import Told

if TYPE_CHECKING:
    from pumice.engine.calling import Step
    from pumice.engine.session import Session

Kept = tuple[Hidden, tuple[bytes, ...]]
"""An exchange and its messages."""
_ONE = (b"", b"null", b"1")
"""Values of `n` under which an answer has one choice."""
_FIRST = frozenset(("first",))
"""What an answer to nothing comes after."""
_REMEMBERED = 256


def restored(session: "Session", step: "Step") -> "Step":
    """A step whose request declares the tool and holds the exchanges the client has not seen."""
    request = step.request
    held = [kept for kept in session.tree.hidden.get(step.agent, ()) if kept[0].dialect == request.dialect]
    fields = {"tools": _declared(session, request)} if adds_tool(session, step) else {}
    if not held and not fields:
        return step
    messages, sent = _placed(session, request, held, step.terms.sent)
    made = _request(request, messages, fields)
    given = jsonbytes.decode(made.body) if isinstance(step.given, dict) else step.given
    return msgspec.structs.replace(step, request=made, given=given, terms=msgspec.structs.replace(step.terms, sent=sent))


def adds_tool(session: "Session", step: "Step") -> bool:
    """Whether a request gets the tool: only where its calls are answered, and no tool of the client's has the name."""
    policy, request = session.context.policy.offload.read_back, step.request
    if policy.mode != "tool" or not step.terms.answers or policy.tool in request.head.tool_names:
        return False
    is_plain = "functions" not in request.fields and request.fields.get("n", b"") in _ONE
    return is_plain and not request.is_delta and (step.terms.rung is not Rung.HELD or bool(request.head.tools))


def _declared(session: "Session", request: Request) -> bytes:
    return hidden.way(request.dialect).tools(request, tool_of(session).definition(request.dialect))


def tool_of(session: "Session") -> Tool:
    """The tool that reads back, by the policy's name."""
    named = session.context.policy.offload.read_back.tool
    return next(tool for tool in session.tools() if tool.name == named)


def _request(request: Request, messages: Sequence[bytes], fields: Mapping[str, bytes]) -> Request:
    is_same = tuple(messages) == request.messages
    return msgspec.structs.replace(
        request,
        head=tools.head_of(request, fields["tools"]) if fields else request.head,
        messages=tuple(messages),
        fields={**request.fields, **fields},
        body=get(request.dialect).close(request, messages, fields=fields),
        ends=(),
        is_text=request.is_text and is_same,
    )


def _placed(session: "Session", request: Request, held: Sequence[Kept], sent: int) -> tuple[Sequence[bytes], int]:
    """The messages with the exchanges among them, and how many of them the client's first `sent` are now."""
    own, messages, way = request.messages, list(request.messages), hidden.way(request.dialect)
    for one, raws in sorted(held, key=lambda kept: kept[0].at):
        at = one.at + len(messages) - len(own)
        if one.at > len(own) or not set(one.before) & marks(session, request.dialect, own[: one.at]):
            continue
        made: Sequence[bytes] | None = [*messages[:at], *raws, *messages[at:]]
        if one.is_beside:
            answer, results = raws[: one.answers], raws[one.answers :]
            made = way.joined(messages, at, answer, results, one.tool) if at < len(messages) else None
        if made is not None:
            sent += len(made) - len(messages) if one.at < sent else 0
            messages = list(made)
    return messages, sent


def marks(session: "Session", dialect: str, messages: Sequence[bytes]) -> frozenset[str]:
    """What the last of some messages is known by: its identity, that of the words a person typed, the calls it answers."""
    if not messages:
        return _FIRST
    raw, known = messages[-1], session.marks
    if raw not in known:
        if len(known) >= _REMEMBERED:
            known.clear()
        known[raw] = _marks(_reader(session, dialect), raw)
    return known[raw]


def _reader(session: "Session", dialect: str) -> Reader:
    return Reader(get(dialect), session.context.store.redactor, session.context.store.identity)


def _marks(reader: Reader, raw: bytes) -> frozenset[str]:
    message = reader.read(raw)
    typed = "".join(block.hash for block in message.blocks if block.origin is Origin.PERSON and block.kind is Kind.TEXT)
    ids = (block.call_id for block in message.blocks if block.kind is Kind.RESULT and not block.call_id.startswith(UNNAMED))
    found = [f"is {message.key.hex()}", *(f"answers {name}" for name in ids)]
    return frozenset([*found, f"says {reader.identify(typed)}"] if typed else found)


async def hide(
    session: "Session", agent: str, request: Request, response: Response, told: Sequence[Told], *, is_beside: bool
) -> None:
    """Put on record what came of calls in an answer to the client's own request, before anything is made of it."""
    way, reader = hidden.way(request.dialect), _reader(session, request.dialect)
    answer = [*map(reader.clean, way.answer(response, request))]
    results = [*map(reader.clean, way.results(told))]
    before = tuple(sorted(marks(session, request.dialect, request.messages)))
    tool = session.context.policy.offload.read_back.tool
    header = Hidden(agent, request.dialect, tool, len(request.messages), before, is_beside, len(answer))
    session.write(Entry(session.tree.first, journal.HiddenEvent(header), jsonbytes.join_array([*answer, *results])))
    await session.outbox.flush(session.context.ports.clock())


async def told(session: "Session", calls: Iterable[Block]) -> list[Told]:
    """What calls of the tool give."""
    tool, found = tool_of(session), []
    for call in calls:
        result = await tool.told(arguments.read(call))
        found.append(Told(call, f"Error: {result.text}" if result.is_error else result.text, result.is_error))
    return found
