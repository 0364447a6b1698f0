"""Prices from the installed genai-prices package instead of the shipped table: newer, and known for more models.

Importing this module needs the extra `prices`; nothing else in pumice imports it on its own.
"""

import datetime
from typing import Any

try:
    from genai_prices import data_snapshot
    from genai_prices.types import ModelInfo, TieredPrices
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError("Live prices need genai-prices: pip install 'pumice[prices]'", name="genai_prices") from missing

from pumice.measure import prices, tables
from pumice.measure.naming import parse

_FIELDS = {
    "input": "input_mtok",
    "output": "output_mtok",
    "read": "cache_read_mtok",
    "write": "cache_write_mtok",
    "write_long": "cache_write_1h_mtok",
}


def of(model: str, *, on: datetime.date) -> prices.Prices | None:
    """Prices of a model on a day, also as the package has updated them since; None when it does not know the model."""
    snapshot = data_snapshot.get_snapshot()
    for spelled in (model, parse(model).dated, parse(model).base):
        try:
            _, found = snapshot.find_provider_model(spelled, None, None, None)
        except LookupError:
            continue
        row = row_of(found, "live", on)
        return prices.from_row(row, "genai-prices") if row else None
    return None


def row_of(model: ModelInfo, provider: str, on: datetime.date) -> tables.Row | None:
    """A model of genai-prices as a table row, with the prices of a day; None for one that does not take and give text."""
    noon = datetime.datetime.combine(on, datetime.time(12), datetime.UTC)
    listed = model.get_prices(noon)
    values = {name: getattr(listed, field, None) for name, field in _FIELDS.items()}
    if values["input"] is None or values["output"] is None:
        return None
    starts = sorted({tier.start for value in values.values() if isinstance(value, TieredPrices) for tier in value.tiers})
    return tables.Row(
        provider,
        window=model.context_window,
        price=tables.Price(**{name: _above(value, 0) for name, value in values.items()}),
        tiers=tuple(
            tables.Tier(**{name: _above(value, start) for name, value in values.items()}, above=start) for start in starts
        ),
    )


def _above(value: Any, start: int) -> Any:
    """USD per million tokens once the request's input is above `start`; None where the package names no price."""
    if not isinstance(value, TieredPrices):
        return None if value is None else float(value)
    reached = [tier.price for tier in value.tiers if tier.start <= start]
    return float(reached[-1] if reached else value.base)
