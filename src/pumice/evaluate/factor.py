"""The token factor along a recording, learnt from what the provider billed the recorded client (DESIGN §5, counting)."""

from collections.abc import Sequence

import msgspec

from pumice.compile.assemble import total
from pumice.domain.book import Size
from pumice.engine.sizes import measure
from pumice.evaluate.sources import Source
from pumice.measure.calibration import Calibration
from pumice.recordings.recording import RecordedCall, Recording
from pumice.wire.dialect import Dialect


class Rate(msgspec.Struct, frozen=True):
    """What a call's tokens are worth."""

    factor: float
    """Calibrated tokens per o200k token, as known before the call."""
    growth: float
    """The same for what came since the call before, by the call's own bill; the factor where no bill tells."""


def rates(recording: Recording, sources: Sequence[Source], dialect: Dialect, *, model: str | None = None) -> list[Rate]:
    """One per call, and the one after the last. Bills of the recorded model say nothing about another `model`."""
    learner = _Learner(recording, sources, dialect)
    found = [learner.rate(call, model) for call in recording.calls]
    last = learner.known(model or (recording.calls[-1].model if recording.calls else recording.model)).factor
    return [*found, Rate(last, last)]


class _Learner:
    def __init__(self, recording: Recording, sources: Sequence[Source], dialect: Dialect) -> None:
        self._recording = recording
        self._dialect = dialect
        self._sizes = _by_message(recording, sources)
        self._known: dict[str, Calibration] = {}
        self._before: tuple[str, tuple[bytes, ...], int] | None = None

    def known(self, model: str) -> Calibration:
        """What is known of a model so far."""
        return self._known.get(model) or Calibration.start(model)

    def rate(self, call: RecordedCall, other: str | None) -> Rate:
        """The rate of a call; learns from its bill for the calls after it."""
        name = call.model or self._recording.model
        if other not in (None, name):
            factor = Calibration.start(other or "").factor
            return Rate(factor, factor)
        known = self.known(name)
        sent = self._recording.messages[: call.upto] if call.recorded is None else call.recorded
        usage = self._dialect.read_response(call.response).usage if call.response else None
        growth = self._grow(name, sent, usage.input) if usage and not usage.is_sum else None
        return Rate(known.factor, growth or known.factor)

    def _grow(self, model: str, sent: tuple[bytes, ...], reported: int) -> float | None:
        before, self._before = self._before, (model, sent, reported)
        if before is None or before[0] != model or sent[: len(before[1])] != before[1]:
            return None
        added = total(self._size(raw) for raw in sent[len(before[1]) :])
        grown = reported - before[2] - added.fixed
        if grown <= 0 or added.text <= 0:
            return None
        self._known[model] = self.known(model).grown(reported - before[2], added.text, fixed=added.fixed)
        return grown / added.text

    def _size(self, raw: bytes) -> Size:
        known = self._sizes.get(raw)
        if known is None:
            known = self._sizes[raw] = total(measure(self._dialect.read_message(raw).blocks))
        return known


def _by_message(recording: Recording, sources: Sequence[Source]) -> dict[bytes, Size]:
    parts: dict[int, list[Size]] = {}
    for source in sources:
        parts.setdefault(source.message, []).append(source.size)
    return {recording.messages[index]: total(sizes) for index, sizes in parts.items()}
