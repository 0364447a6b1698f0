"""Names of models, as clients and clouds spell them, read into one form."""

import re
from functools import lru_cache

import msgspec

_MILLION = re.compile(r"\[1m\]$")
_PREFIX = re.compile(r"^.*/|^(?:[a-z]{2,6}\.|us-gov\.)?(?:anthropic|openai|google)\.")
_SUFFIX = re.compile(r"@.*$|:[a-z0-9]+$|-v\d+$|-latest$")
_DATE = re.compile(r"-(?:\d{8}|\d{4}-\d{2}-\d{2})$")
_CLAUDE = re.compile(
    r"^claude-(?:(?P<version>\d+(?:-\d{1,2})?)-(?P<tier>[a-z]+)|(?P<tier2>[a-z]+)-(?P<version2>\d+(?:-\d{1,2})?))(?P<rest>-.*)?$"
)
_GENERATION = re.compile(
    r"^claude-[a-z]+-(\d{1,2})(?:-(\d{1,2}))?(?!\d)|^(?:gpt-|chatgpt-|gemini-|o)(\d{1,2})(?:\.(\d{1,2}))?(?!\d)"
)
NEWEST = (99, 0)
"""Generation of a Claude model whose name has no number: the stricter rules and the larger factor are the safe side."""
_OPENAI = re.compile(r"^(?:gpt|chatgpt|codex|computer-use|ft:gpt|o\d)")


class ModelName(msgspec.Struct, frozen=True):
    """A model's name without provider, cloud, date and options."""

    base: str
    """`claude-opus-4-5`, `gpt-5.4-mini`; what the model table is keyed by."""
    dated: str
    """The same with its date, where it has one: a few dated versions have prices of their own."""
    family: str
    """claude, openai, gemini or other."""
    generation: tuple[int, int]
    """(4, 5) of `claude-opus-4-5`; (0, 0) where the name has no number, `NEWEST` if it is a Claude all the same."""
    million: bool = False
    """The name ends with `[1m]`: the window is a million tokens."""


@lru_cache(maxsize=1024)
def parse(model: str) -> ModelName:
    """The name of a model as any client spells it: `anthropic/…`, `us.anthropic.…-v1:0`, `…@20251101`, `…[1m]`."""
    name = model.strip().lower()
    million = bool(_MILLION.search(name))
    name = _peel(_peel(_MILLION.sub("", name), _PREFIX), _SUFFIX)
    base = _DATE.sub("", name)
    family = _family(base)
    if family == "claude":
        base, name = _claude(base), name.replace(base, _claude(base), 1)
    return ModelName(base, name, family, _generation(base, family), million)


def _peel(name: str, pattern: re.Pattern[str]) -> str:
    while (shorter := pattern.sub("", name)) != name:
        name = shorter
    return name


def _family(base: str) -> str:
    if base.startswith("claude"):
        return "claude"
    if base.startswith("gemini"):
        return "gemini"
    return "openai" if _OPENAI.match(base) else "other"


def _claude(base: str) -> str:
    """`claude-4.5-opus`, `claude-3-5-haiku` → tier first; `4-0` and `4` are the same version."""
    found = _CLAUDE.match(base.replace(".", "-"))
    if found is None:
        return base
    version = (found["version"] or found["version2"]).removesuffix("-0")
    return f"claude-{found['tier'] or found['tier2']}-{version}{found['rest'] or ''}"


def _generation(base: str, family: str) -> tuple[int, int]:
    found = _GENERATION.search(base)
    if found is None:
        return NEWEST if family == "claude" else (0, 0)
    return int(found[1] or found[3]), int(found[2] or found[4] or 0)
