"""A timestamp in the prefix: where two requests part because of it, and what is sent anew at every call."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from pumice import wire
from pumice.evaluate.experiments.experiment import COST, HIT, INVALIDATED, Column, Experiment, Value, table
from pumice.evaluate.experiments.shown import Bodies, Shown
from pumice.evaluate.lab import Lab
from pumice.recordings.recording import RecordedCall, Recording
from pumice.wire import jsonbytes, prefix

NOWHERE, FIRST, LAST, NEWEST = "no clock", "first line of system", "last line of system", "newest message"
PLACES = (NOWHERE, FIRST, LAST, NEWEST)
START, APART = datetime(2026, 1, 1, 9, 0, tzinfo=UTC), timedelta(seconds=41)
"""When the first call is made, and the time between two."""
QUESTION = "A clock stands in every request: where may it stand so that the provider's cache holds?"
COLUMNS = (
    COST, HIT, INVALIDATED, Column("at", "parts at token", "tokens"), Column("path", "because of", "words"),
    Column("lost", "tokens lost there", "tokens"), Column("price", "what they cost", "usd"),
)  # fmt: skip


def clock(lab: Lab) -> Experiment:
    """The full history with a clock in each place; two requests in the middle of the session are compared."""
    rows = [_row(lab, place) for place in PLACES]
    first, newest = (_usd(rows[PLACES.index(place)]) for place in (FIRST, NEWEST))
    times = f"a clock in the first line costs {first / newest:.1f} times what it costs in the newest message" if newest else ""
    return table("clock", QUESTION, COLUMNS, rows, times)


def _usd(row: Mapping[str, Value]) -> float:
    cost = row["cost_usd"]
    return float(cost) if isinstance(cost, (int, float)) else 0.0


def _row(lab: Lab, place: str) -> dict[str, Value]:
    bodies = with_clock(lab.recording, place)
    row = lab.by(Shown(lab.recording, lab.options, bodies), name=place).row(place)
    calls = lab.recording.calls
    middle = len(calls) // 2
    if middle == 0:
        return row
    found = prefix.compare(bodies(calls[middle - 1]), bodies(calls[middle]), lab.recording.dialect)
    parts = found.diverges_at
    return {
        **row,
        "at": parts.token if parts else None,
        "path": parts.path if parts else None,
        "lost": found.invalidated_tokens,
        "price": found.cost_usd,
    }


def with_clock(recording: Recording, place: str) -> Bodies:
    """Requests with the time of the call in a place."""
    if place == NOWHERE:
        return recording.body
    if place == NEWEST:
        return _in_messages(recording)
    return lambda call: _in_system(recording, call, first=place == FIRST)


def reading(number: int) -> str:
    """What a clock says at a call."""
    return f"Current time: {(START + APART * number).isoformat()}"


def _in_messages(recording: Recording) -> Bodies:
    """The newest message says when it was sent, and goes on saying it."""
    dialect = wire.get(recording.dialect)
    messages = list(recording.messages)
    for call in recording.calls:
        message = dialect.read_message(messages[call.upto - 1]) if call.upto else None
        if message is not None and message.blocks and message.blocks[-1].text:
            last = len(message.blocks) - 1
            text = f"{message.blocks[last].text}\n{reading(call.number)}"
            messages[call.upto - 1] = dialect.rewrite(message, {last: text}) or messages[call.upto - 1]
    return lambda call: recording.body(call, messages[: call.upto])


def _in_system(recording: Recording, call: RecordedCall, *, first: bool) -> bytes:
    request: dict[str, Any] = jsonbytes.decode(recording.body(call))
    said = reading(call.number)
    if recording.dialect == "anthropic":
        request["system"] = _beside(request.get("system"), said, first=first)
    elif recording.dialect == "openai-responses":
        request["instructions"] = _beside(request.get("instructions"), said, first=first)
    elif recording.dialect == "gemini":
        parts = (request.get("systemInstruction") or {}).get("parts") or [{"text": ""}]
        request["systemInstruction"] = {"parts": _beside(parts, said, first=first)}
    else:
        messages = request["messages"]
        lead = messages[0] if messages and messages[0].get("role") in ("system", "developer") else None
        if lead is None:
            messages.insert(0, lead := {"role": "system", "content": None})
        lead["content"] = _beside(lead["content"], said, first=first)
    return jsonbytes.encode(request)


def _beside(system: Any, said: str, *, first: bool) -> Any:
    """System text, as one string or as blocks, with a line before or after it."""
    if isinstance(system, list) and system:
        at = 0 if first else len(system) - 1
        changed = {**system[at], "text": _beside(system[at].get("text", ""), said, first=first)}
        return [*system[:at], changed, *system[at + 1 :]]
    text = system if isinstance(system, str) else ""
    return "\n".join(filter(None, (said, text) if first else (text, said)))
