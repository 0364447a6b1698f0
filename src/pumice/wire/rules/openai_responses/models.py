"""What a model's name says about Responses rules."""

from pumice.measure.naming import ModelName

_BREAKPOINTS = (5, 6)


def takes_breakpoints(model: ModelName) -> bool:
    """K-R18; a model of another vendor behind this dialect is not judged."""
    return model.family != "openai" or model.generation >= _BREAKPOINTS
