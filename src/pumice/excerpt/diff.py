"""Diffs: files and hunks always, changed lines before their context."""

import re

from pumice.excerpt import lines
from pumice.excerpt.units import Shape

_FILE = re.compile(
    r"diff --git |\+\+\+ |Index: |rename (?:from|to) |(?:new|deleted) file mode |Binary files |similarity index "
)
_HUNK = re.compile(r"@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@")
_HEADERS = re.compile(r"^(?:diff --git |@@ -\d)", re.M)
_MINOR = re.compile(r"index [0-9a-f]+\.\.|--- ")


def is_diff(text: str) -> bool:
    """Whether a text is a unified diff, after at most a commit's own words."""
    head = text[:20_000]
    return bool(re.search(r"^diff --git ", head, re.M)) or (
        bool(re.search(r"^@@ -\d+(?:,\d+)? \+\d+", head, re.M)) and bool(re.search(r"^\+\+\+ ", head, re.M))
    )


def cut(text: str) -> Shape:
    """Lines of a diff: file and hunk headers must stay, added and removed lines come before context."""
    pieces = list(lines.split(text, _HEADERS))
    bodies = lines.texts(text, pieces)
    says = lines.weigh(pieces, bodies, is_output=False)
    last = len(pieces) - 1
    units, files, hunks = [], 0, 0
    for at, (unit, body) in enumerate(zip(pieces, bodies, strict=True)):
        is_hunk = bool(_HUNK.match(body))
        files += body.startswith(("diff --git ", "Index: "))
        hunks += is_hunk
        is_header = is_hunk or bool(_FILE.match(body))
        value = 0.0 if _MINOR.match(body) else says[at].value + 1.0 * is_header + 0.5 * body.startswith(("+", "-"))
        units.append(lines.placed(unit, is_frame=at < lines.EDGE or at == last, must=is_header, value=value))
    note = f"{files} files, {hunks} hunks" if files else f"{hunks} hunks"
    return Shape("diff", units, "line", note)
