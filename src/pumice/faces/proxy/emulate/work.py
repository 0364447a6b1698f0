"""At the desk: a call compiled with what its client asks a provider to do, and answered here where that is all it asks."""

import time
from collections.abc import Mapping
from hashlib import sha256
from typing import TYPE_CHECKING

import msgspec

from pumice.domain.edits import Condensed
from pumice.engine.call import View
from pumice.engine.condensing import SHARE
from pumice.faces.proxy.ask import Ask
from pumice.faces.proxy.emulate import anthropic_answer, responses_answer
from pumice.faces.proxy.emulate import demand as demands
from pumice.faces.proxy.emulate.anthropic_answer import Told
from pumice.faces.proxy.emulate.demand import Demand
from pumice.faces.proxy.gate import Reply, Stage
from pumice.faces.proxy.places import Place
from pumice.faces.proxy.tap import STREAM
from pumice.faces.proxy.turn import Turn
from pumice.wire import jsonbytes
from pumice.wire.emulated import anthropic, openai_responses
from pumice.wire.emulated.asked import Compact

if TYPE_CHECKING:
    from pumice.faces.proxy.desk import Desk

_KEPT = ("asked", "sent", "headers", "is_rewritten", "seen", "is_torn")
"""What a place knows of the newest request that was sent."""


async def compiled(desk: "Desk", ask: Ask, place: Place, demand: Demand) -> Turn:
    """What goes upstream, or the answer. Raises where the engine cannot."""
    key, compact = sha256(demand.request.body).digest(), demand.asked.compact
    if compact is not None and place.condensed is not None and place.condensed[0] == key:
        return await _gone_on(desk, ask, place, demand, place.condensed[1])
    before = {name: getattr(place, name) for name in _KEPT}
    made = await desk.compiled(ask, place)
    if compact is None or made.view is None or not _is_due(compact, made.view):
        return dressed(made, demand)
    session, window = desk.session(place.session, place.scope), desk.window
    stood = await session.condense(demand.request, made.view, compact.instructions, agent=place.agent, window=window)
    if compact.at is not None and made.view.tokens.head + stood.output >= compact.at:
        return dressed(await desk.compiled(ask, place), demand)  # It would only be due again at the next call.
    place.condensed = (key, stood)
    if demand.is_answered_here:
        for name, value in before.items():
            setattr(place, name, value)
    return await _gone_on(desk, ask, place, demand, stood, made.told)


async def _gone_on(
    desk: "Desk", ask: Ask, place: Place, demand: Demand, stood: Condensed, told: Mapping[str, str] = {}
) -> Turn:
    """The compaction alone, or the call that goes on from it."""
    if demand.is_answered_here:
        return _answered(demand, stood, place, told)
    moved = demands.moved(demand, _after(demand, stood), stood)
    ask = msgspec.structs.replace(ask, call=moved.call, request=moved.request, demand=moved)
    return dressed(await desk.compiled(ask, place), moved)


def dressed(made: Turn, demand: Demand) -> Turn:
    """With what the client will be told of it."""
    if demand.given.dialect == "anthropic":
        told = _told(made, demand, demand.stood)
        made.reshape = anthropic_answer.reshaper(told) if told.is_anything else None
    elif demand.stood is not None:
        made.reshape = responses_answer.reshaper(demand.stood)
    return made


def _is_due(compact: Compact, view: View) -> bool:
    """At its threshold, and only if what is left would be below it: a head that is above it alone is no reason."""
    size = view.tokens
    return compact.at is None or (size.total >= compact.at > size.head + SHARE * size.messages)


def _after(demand: Demand, stood: Condensed) -> bytes:
    if demand.given.dialect == "anthropic":
        return anthropic.after(demand.request, anthropic_answer.text_of(stood))
    return openai_responses.after(demand.request, jsonbytes.encode(responses_answer.item(stood)))


def _told(made: Turn, demand: Demand, stood: Condensed | None) -> Told:
    edited = made.view.edited if made.view is not None else ()
    return Told(edited if demand.asked.reports else None, stood)


def _answered(demand: Demand, stood: Condensed, place: Place, told: Mapping[str, str]) -> Turn:
    """The compaction alone: of edits there is nothing left to say."""
    is_stream, request, at = demand.call.is_stream and not demand.is_alone, demand.request, int(time.time())
    if demand.given.dialect == "anthropic":
        said = Told(() if demand.asked.reports else None, stood)
        body = anthropic_answer.alone(said, request.model, is_stream=is_stream)
    elif demand.is_alone:
        body = responses_answer.compacted(stood, request.messages, at=at)
    else:
        body = responses_answer.alone(stood, request, at=at, is_stream=is_stream)
    reply = Reply(200, body, {"content-type": STREAM if is_stream else "application/json"})
    return Turn(demand.call.body, Stage.COMPILED, told=told, call=demand.call, request=request, place=place, reply=reply)
