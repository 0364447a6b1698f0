"""The shipped table of models: windows, limits, prices (written by tools/make_tables.py)."""

import re
from functools import lru_cache
from importlib import resources

import msgspec

from pumice.measure.naming import ModelName

_VARIANT = re.compile(r"-(?:preview|exp|\d{2,4})(?:-[\w-]*)?$")


class Price(msgspec.Struct, frozen=True, omit_defaults=True):
    """USD per million tokens; None where the source names no price of its own."""

    input: float
    output: float
    read: float | None = None
    write: float | None = None
    write_long: float | None = None


class Tier(Price, frozen=True):
    """Prices of the whole request once its input is above a limit."""

    above: int = 0


class Row(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is known of one model; None is unknown."""

    provider: str
    window: int | None = None
    max_input: int | None = None
    max_output: int | None = None
    price: Price | None = None
    tiers: tuple[Tier, ...] = ()
    cache_min: int | None = None


class Table(msgspec.Struct, frozen=True):
    date: str
    """ISO day the prices hold for."""
    sources: tuple[str, ...]
    models: dict[str, Row]
    aliases: dict[str, str]


@lru_cache(maxsize=1)
def shipped() -> Table:
    """The table as shipped."""
    data = resources.files("pumice.measure").joinpath("tables.json").read_bytes()
    return msgspec.json.decode(data, type=Table)


def row(name: ModelName) -> Row | None:
    """The model's row: by dated name, name, alias, or the name without a preview suffix; None for an unknown model."""
    table = shipped()
    for spelled in (name.dated, name.base, _VARIANT.sub("", name.base)):
        key = table.aliases.get(spelled, spelled)
        if key in table.models:
            return table.models[key]
    return None
