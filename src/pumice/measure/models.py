"""Facts of a model: window, limits, cache rules, whether it signs its reasoning over what came before."""

from functools import lru_cache

import msgspec

from pumice.measure import tables
from pumice.measure.naming import ModelName, parse

DEFAULT_WINDOW = 128_000
"""Tokens an unknown model is taken to have (F-A2)."""
_MILLION = 1_000_000
_BINDING = {"claude": (5, 1), "openai": (6, 2)}
"""Generation from which reasoning is void behind an edited prefix (provider-contracts §0.1)."""
_DEFERRING = {"claude": (4, 5)}
"""Generation from which the provider searches deferred tools (recorded for Sonnet 4.5 and 4.6; K §1.5.4 names none)."""


_SYSTEM, _SYSTEM_OTHERS = {"fable": (5, 0), "mythos": (5, 0), "opus": (4, 8)}, (5, 1)
"""Generations of Claude from which a system message may stand inside the conversation, by kind (K-A17)."""


def takes_system(name: ModelName) -> bool:
    """Whether a Claude takes system messages inside the conversation."""
    kind = next((part for part in name.base.split("-")[1:] if part.isalpha()), "")
    return name.family == "claude" and name.generation >= _SYSTEM.get(kind, _SYSTEM_OTHERS)


class CacheRules(msgspec.Struct, frozen=True):
    """How a provider caches a prompt's beginning; prices relative to input (provider-contracts §1.4, §3.4, §4.3, §7)."""

    min_tokens: int
    """Shorter prefixes are not cached."""
    ttl: int
    """Seconds an entry lives after its last use."""
    ttl_long: int
    """Seconds of the dearer entry; the same as `ttl` where there is none."""
    lookback: int
    """Positions a read walks back from a marker, the marker included; 0: no limit."""
    step: int
    """A hit is rounded down to a multiple of so many tokens."""
    marked: bool
    """Nothing is cached without a marker of the client."""
    write: float
    write_long: float
    read: float


class ModelFacts(msgspec.Struct, frozen=True):
    """What is known of a model before it is called."""

    name: str
    """Without provider, cloud, date and options."""
    family: str
    """claude, openai, gemini or other."""
    window: int
    """Tokens of input and output together."""
    max_input: int | None
    max_output: int | None
    known: bool
    """False: the window is the default for unknown models."""
    source: str
    """Where the window comes from."""
    stops_at_window: bool
    """Output that reaches the window ends there; others refuse input plus output cap above the window (K-A25)."""
    binds_reasoning: bool
    """Reasoning is void once anything before it was edited (K-A35, K-R12)."""
    cache: CacheRules
    defers_tools: bool = False
    """Tool definitions may wait outside the prefix until a search of the provider's loads them (K §1.5.4)."""
    takes_system: bool = False
    """A system message may stand inside the conversation (K-A17, K-O8); of models of other vendors that is not known."""


@lru_cache(maxsize=1024)
def facts(model: str) -> ModelFacts:
    """Facts of a model by any spelling of its name; an unknown one gets a window of 128,000 and `known=False`."""
    name = parse(model)
    row = tables.row(name)
    window, source = _window(name, row)
    return ModelFacts(
        name=name.base,
        family=name.family,
        window=window or DEFAULT_WINDOW,
        max_input=row.max_input if row else None,
        max_output=row.max_output if row else None,
        known=window is not None,
        source=source,
        stops_at_window=_stops_at_window(name, row),
        binds_reasoning=name.family in _BINDING and name.generation >= _BINDING[name.family],
        cache=_cache(name, row),
        defers_tools=name.family in _DEFERRING and name.generation >= _DEFERRING[name.family],
        takes_system=name.family == "openai" or takes_system(name),
    )


def _window(name: ModelName, row: tables.Row | None) -> tuple[int | None, str]:
    if name.million:
        return _MILLION, "[1m] in the model's name"
    if row is not None and row.window is not None:
        return row.window, f"model table {tables.shipped().date}"
    return None, "default"


def _stops_at_window(name: ModelName, row: tables.Row | None) -> bool:
    """Claude from 4.5 on and Gemini; a model with an input limit of its own counts output apart."""
    tolerant = name.family == "gemini" or (name.family == "claude" and name.generation >= (4, 5))
    return tolerant or (row is not None and row.max_input is not None)


def _cache(name: ModelName, row: tables.Row | None) -> CacheRules:
    rules = _family_cache(name)
    price = row.price if row else None
    if row is not None and row.cache_min is not None:
        rules = msgspec.structs.replace(rules, min_tokens=row.cache_min)
    if price is None or not price.input:
        return rules
    read, write = (price.input if known is None else known for known in (price.read, price.write))
    long = write if price.write_long is None else price.write_long
    write, long, read = (round(value / price.input, 6) for value in (write, long, read))
    return msgspec.structs.replace(rules, write=write, write_long=long, read=read)


def _family_cache(name: ModelName) -> CacheRules:
    """What holds for the family; the multipliers are those of frontier §1 until a price says otherwise."""
    if name.family == "claude":
        small = 2048 if "haiku" in name.base and name.generation < (4, 0) else 1024
        return CacheRules(small, 300, 3600, 20, 1, True, 1.25, 2.0, 0.1)
    if name.family == "openai" and name.generation >= (5, 6):
        return CacheRules(1024, 1800, 43_200, 0, 1, False, 1.25, 2.0, 0.1)
    if name.family == "gemini":
        return CacheRules(2048 if name.generation < (3, 0) else 4096, 300, 300, 0, 1, False, 1.0, 1.0, 0.1)
    if name.family == "openai":
        return CacheRules(1024, 300, 86_400, 0, 128, False, 1.0, 1.0, 0.5)
    return CacheRules(1024, 300, 300, 0, 1, False, 1.25, 1.25, 0.1)
