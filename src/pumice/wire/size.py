"""How big a request is, unit by unit, before any call has calibrated the counter."""

from collections.abc import Sequence

from pumice.measure import media, tokens
from pumice.measure.calibration import Calibration
from pumice.wire.dialect import Unit


def estimate(units: Sequence[Unit], model: str) -> list[int]:
    """Tokens of each unit: o200k by the factor of the model's family, media by formula (DESIGN §5, counting)."""
    factor = Calibration.start(model)
    counted = tokens.count_many([unit.text for unit in units])
    return [
        factor.tokens(count, blocks=1) + sum(media.tokens(item, model) for item in unit.media)
        for unit, count in zip(units, counted, strict=True)
    ]
