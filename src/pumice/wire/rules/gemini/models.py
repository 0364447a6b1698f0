"""What a model's name says about the rules of generateContent."""

from pumice.measure.naming import ModelName

_SIGNS = (3, 0)


def checks_signatures(model: ModelName) -> bool:
    """K-G7: Gemini 3 and later; a model we do not know is not judged."""
    return model.family == "gemini" and model.generation >= _SIGNS


def draws(model: ModelName) -> bool:
    """K-G15: models that answer with images sign those too."""
    return checks_signatures(model) and "-image" in model.base
