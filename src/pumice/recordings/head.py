"""What a bill paid for and a log does not show: system prompt, tools and injected context."""

from collections.abc import Sequence

from pumice.measure import media, tokens
from pumice.measure.calibration import Calibration
from pumice.recordings.recording import RecordedCall
from pumice.wire import get


def unseen_tokens(dialect: str, calls: Sequence[RecordedCall], messages: Sequence[bytes]) -> int:
    """The first bill less what the messages before it count at the family's factor; 0 where nothing was billed."""
    reader = get(dialect)
    first = next((call for call in calls if call.response), None)
    usage = reader.read_response(first.response).usage if first and first.response else None
    if first is None or usage is None:
        return 0
    sent = messages[: first.upto] if first.recorded is None else first.recorded
    blocks = [block for raw in sent for block in reader.read_message(raw).blocks]
    shown = Calibration.start(first.model).tokens(sum(tokens.count_many([block.text for block in blocks])), len(blocks))
    pictures = sum(media.tokens(item, first.model) for block in blocks for item in block.media)
    return max(0, usage.input - shown - pictures)
