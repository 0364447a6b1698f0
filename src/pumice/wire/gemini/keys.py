"""Names of members: the API writes camelCase and takes snake_case as well."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, TypeVar

T = TypeVar("T")

DATA = (
    "text",
    "inlineData",
    "fileData",
    "functionCall",
    "functionResponse",
    "executableCode",
    "codeExecutionResult",
    "toolCall",
    "toolResponse",
)
"""What a part may hold, one of them each (K §4.1)."""
METADATA = frozenset({"thought", "thoughtSignature", "mediaResolution", "videoMetadata", "partMetadata"})
SIGNATURE = "thoughtSignature"
_LOWER = re.compile(r"_([a-z])")
_UPPER = re.compile(r"([A-Z])")


@lru_cache(maxsize=256)
def snake(name: str) -> str:
    """`function_call` of `functionCall`."""
    return _UPPER.sub(lambda found: f"_{found[1].lower()}", name)


@lru_cache(maxsize=1024)
def camel(name: str) -> str:
    """`functionCall` of `function_call`."""
    return _LOWER.sub(lambda found: found[1].upper(), name)


def spelled(value: Mapping[str, Any], name: str) -> str:
    """How an object spells a member; in camelCase where it has none."""
    return name if name in value or snake(name) not in value else snake(name)


def get(value: Mapping[str, T], name: str) -> T | None:
    """A member in either spelling."""
    return value.get(spelled(value, name))


def kind(part: Mapping[str, Any]) -> str:
    """What a part holds: the name of its data in camelCase, one we do not know included; empty for a part without any."""
    named = [camel(key) for key, value in part.items() if value is not None]
    known = next((name for name in named if name in DATA), "")
    return known or next((name for name in named if name not in METADATA), "")
