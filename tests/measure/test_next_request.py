"""The size of the next request, foretold as last reported + k × new tail, holds the margin of a small window."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from pumice import recordings, wire
from pumice.domain.block import Block, Kind
from pumice.domain.book import BLOCK_OVERHEAD
from pumice.domain.message import Message
from pumice.measure import media, tokens
from pumice.measure.calibration import Calibration
from pumice.recordings.recording import Recording

MARGIN = 3_900
"""Safety margin of a window of 60,000."""

pytestmark = pytest.mark.recordings


class Tail(msgspec.Struct):
    """What one message adds to the next request."""

    text: int
    reasoning: int
    fixed: int


def reasoning_of(block: Block) -> str:
    return str(msgspec.json.decode(block.raw).get("thinking") or "") if block.kind is Kind.REASONING else ""


def tail_of(message: Message, model: str) -> Tail:
    return Tail(
        sum(tokens.count_many([block.text for block in message.blocks])),
        sum(tokens.count_many([reasoning_of(block) for block in message.blocks])),
        sum(BLOCK_OVERHEAD + sum(media.tokens(item, model) for item in block.media) for block in message.blocks),
    )


def misses(recording: Recording, *, with_reasoning: bool) -> Iterator[float]:
    """Reported input of each call less what was foretold before it, tokens."""
    dialect = wire.get(recording.dialect)
    tails = [tail_of(dialect.read_message(raw), recording.model) for raw in recording.messages]
    known, last = Calibration.start(recording.model), None
    for call in recording.calls:
        usage = dialect.read_response(call.response).usage if call.response else None
        if usage is None or not usage.input:
            continue
        if last is not None:
            added = tails[last[0] : call.upto]
            counted = sum(tail.text + tail.reasoning * with_reasoning for tail in added)
            fixed = sum(tail.fixed for tail in added)
            yield usage.input - (last[1] + counted * known.factor + fixed)
            known = known.grown(usage.input - last[1], counted, fixed=fixed)
        last = call.upto, usage.input


@pytest.mark.parametrize("with_reasoning", [False, True])
def test_at_most_one_call_in_a_hundred_is_larger_than_foretold_by_the_margin(data: Path, with_reasoning: bool) -> None:
    """A request budgeted by the counter fits a 60k window in 99% of all recorded calls, whether or not reasoning is counted."""
    calls = under = 0
    for path in sorted((data / "claude-code").glob("*.jsonl")):
        for recording in recordings.open(path):
            calls += len(recording.calls)
            under += sum(miss > MARGIN for miss in misses(recording, with_reasoning=with_reasoning))
    assert calls > 1_000
    assert under / calls <= 0.01, f"{under} of {calls} calls"
