"""What a client has cut before it sent it: its own pointer stays the address."""

import re

_PLACEHOLDER = re.compile(
    r"\s*(?:<persisted-output>|<tool_output_masked>|\[?Old tool result content cleared|\[?Tool (?:result|output) cleared"
    r"|File unchanged since last read|Output too large\b[^\n]*(?:saved|see)|Output too long and was saved)"
)
_POINTER = re.compile(
    r"(?:full|complete|entire)\s+(?:tool )?output[^\n]{0,40}(?:saved|written|stored|see|at|in|to)?\s*:?\s*"
    r"[`'\"<]?(?:/|~|\.{1,2}/|[A-Za-z]:\\)[^\n]+",
    re.I,
)
_MARKER = re.compile(
    r"\btruncated\b|\bomitted\b|\bclipped\b|<response clipped>|Showing lines? \d+|more lines?\)|Output too (?:large|long)"
    r"|Total output lines|Use offset=|<persisted-output>|tool_output_masked|已截断|省略",
    re.I,
)

_MARKER_WORDS = (
    "truncated", "omitted", "clipped", "showing line", "more line", "output too l", "total output lines", "use offset=",
    "persisted-output", "tool_output_masked", "已截断", "省略",
)  # fmt: skip


def is_already_cut(text: str) -> bool:
    """Whether a client left a placeholder, or an excerpt with a pointer of its own, in place of the result."""
    return bool(_PLACEHOLDER.match(text)) or _holds_pointer(text[:1500]) or _holds_pointer(text[-600:])


def _holds_pointer(part: str) -> bool:
    return "output" in part.lower() and _POINTER.search(part) is not None


def is_marker(line: str) -> bool:
    """Whether a line is a client's note that something was left out: it stays in every excerpt."""
    return len(line) < 400 and bool(_MARKER.search(line)) and not line.lstrip().startswith(("//", "#", "*"))


def has_marker(text: str) -> bool:
    """Whether any line of a text may be such a note: a quick look at the whole instead of one search for each line."""
    low = text.lower()
    return any(word in low for word in _MARKER_WORDS)
