"""What a Claude model's name says about the rules it obeys: floors of versions, never lists of names (K §1.3)."""

from pumice.measure import models
from pumice.measure.naming import ModelName

_FROM_5_1 = (5, 1)
_NO_PREFILL = (4, 6)
_TOOLS_NEEDED_BELOW = (4, 0)
_FORCED_FLOORS = {"sonnet": (5, 6), "haiku": (5, 6)}


def is_claude(model: ModelName) -> bool:
    return model.family == "claude"


def refuses_prefill(model: ModelName) -> bool:
    """K-A11."""
    return is_claude(model) and model.generation >= _NO_PREFILL


def needs_tools(model: ModelName) -> bool:
    """K-A21; the contract says "older models"."""
    return is_claude(model) and model.generation < _TOOLS_NEEDED_BELOW


def takes_system(model: ModelName) -> bool:
    """K-A17; a model of another vendor behind this dialect is not judged."""
    return not is_claude(model) or models.takes_system(model)


def refuses_forced_tools(model: ModelName) -> bool:
    """K-A27; named for Fable, Mythos and Opus of these generations and for what comes later."""
    return is_claude(model) and model.generation >= _FORCED_FLOORS.get(_tier(model), _FROM_5_1)


def _tier(model: ModelName) -> str:
    return next((part for part in model.base.split("-")[1:] if part.isalpha()), "")
