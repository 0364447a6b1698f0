"""The marks around everything of ours in a view: like XML to look at, never escaped and never parsed as such."""

import re

OPEN = "<pumice:"
CLOSE = "</pumice:"
SEALED = "sealed"
"""Name of the mark around an item only the engine can read, and of the level that opens one."""
SEALED_BEGIN, SEALED_END = f"{OPEN}{SEALED}", f"{CLOSE}{SEALED}>"
"""What a sealed item begins with, before its attribute, and what it ends with."""
COMPACTION = "compaction"
"""Name of the mark around a text that stands for everything before it, in plain form."""
_SEALED = re.compile(rf"\s*{SEALED_BEGIN}(?: [^<>\n]{{0,20}})?>")
LEAST_TOKEN = 32
"""Characters of a sealed item's token, or of a piece of it: shorter ones may be words of a person."""
_ONLY = 0.9
"""Share of a text that pieces of a token take where there is nothing else to read."""
GAP = "⋯"
"""First character of a line of ours inside a mark: gaps, counts, statistics, labels."""


def wrap(name: str, text: str, **attributes: str | int) -> str:
    """`<pumice:NAME a="…">` … `</pumice:NAME>` around text whose bytes stay as they are."""
    listed = "".join(f' {key}="{value}"' for key, value in attributes.items())
    return f"{OPEN}{name}{listed}>\n{text}\n{CLOSE}{name}>"


def is_clean(text: str) -> bool:
    """Whether a source piece may be inlined: one that holds our marks is only pointed at."""
    return OPEN not in text and CLOSE not in text


def is_plain(text: str) -> bool:
    """Whether nothing in a source piece reads as ours: no mark, and no line that begins like one of our own."""
    return is_clean(text) and (GAP not in text or not any(line.startswith(GAP) for line in text.splitlines()))


def is_sealed(text: str) -> bool:
    """Whether a text is a sealed item, whole or cut off or altered on its way: nothing else, the mark it begins with intact."""
    begins = _SEALED.match(text)
    words = text[begins.end() :].split() if begins else []
    if begins is None or len(words) < 2:
        return begins is not None
    letters = sum(len(word) for word in words if len(word) >= LEAST_TOKEN)
    return letters >= _ONLY * sum(map(len, words)) or (len(words) == 2 and letters > 0)


def gap(words: str) -> str:
    """A line of ours that no source holds."""
    return f"{GAP} {words}"
