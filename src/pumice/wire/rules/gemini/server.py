"""G12: tools of the provider's own stand in the history with what they gave, under one id."""

from collections.abc import Iterator

import msgspec

from pumice.domain.message import Violation
from pumice.measure.naming import ModelName
from pumice.wire.rules.gemini import parts
from pumice.wire.rules.rule import Ending, Part, Seen, Step


class Server(msgspec.Struct, frozen=True):
    open: tuple[Part, ...] = ()
    """Calls of the newest run of the model's without a response so far."""


START = Server()


def step(state: Server, message: Seen, _model: ModelName, /) -> Step:
    if message.role != "model":
        return Step(START, tuple(_dangling(state)))
    waiting, found = list(state.open), []
    for part in message.parts:
        if part.kind not in ("toolCall", "toolResponse"):
            continue
        if not parts.ident(part):
            found.append(
                Violation("G12", f"{part.path}.{part.kind}.id", "what the provider's own tools did goes back with its id")
            )
        elif part.kind == "toolCall":
            waiting.append(part)
        elif parts.ident(part) not in {parts.ident(call) for call in waiting}:
            found.append(Violation("G12", part.path, f"no toolCall before it has the id {parts.ident(part)!r}"))
        else:
            waiting = [call for call in waiting if parts.ident(call) != parts.ident(part)]
    return Step(Server(tuple(waiting)), tuple(found))


def end(state: Server, _ending: Ending, /) -> Iterator[Violation]:
    return _dangling(state)


def _dangling(state: Server) -> Iterator[Violation]:
    for call in state.open:
        yield Violation("G12", call.path, f"the toolCall {parts.ident(call)!r} stands without its toolResponse")
