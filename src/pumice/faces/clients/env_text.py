"""A variable of a `.env` text set or taken out, every other line left as it is."""

import re
from collections.abc import Sequence
from typing import Any

_LINE = re.compile(r"^[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_]*)[ \t]*=[ \t]*(.*?)[ \t]*\r?$", re.MULTILINE)


def read(text: str) -> dict[str, Any]:
    """Variables by name; quotes around a value are left out."""
    return {found[1]: found[2].strip("\"'") for found in _LINE.finditer(text)}


def put(text: str, path: Sequence[str], value: Any) -> str:
    """The text with a variable set, in its place or at the end."""
    (name,) = path
    line = f"{name}={value}"
    held = [found for found in _LINE.finditer(text) if found[1] == name]
    if held:
        return f"{text[: held[-1].start()]}{line}{text[held[-1].end() :]}"
    gap = "" if not text or text.endswith("\n") else "\n"
    return f"{text}{gap}{line}\n"


def drop(text: str, path: Sequence[str]) -> str:
    """The text without the lines that set a variable."""
    (name,) = path
    for found in reversed([found for found in _LINE.finditer(text) if found[1] == name]):
        end = found.end() + 1 if text[found.end() : found.end() + 1] == "\n" else found.end()
        text = text[: found.start()] + text[end:]
    return text
