"""What a model's name says about OpenAI's rules, in either dialect."""

from pumice.measure.naming import ModelName

_BREAKPOINTS = (5, 6)


def takes_breakpoints(model: ModelName) -> bool:
    """K-O14, K-R18; a model of another vendor behind the dialect is not judged."""
    return model.family != "openai" or model.generation >= _BREAKPOINTS
