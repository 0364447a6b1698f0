"""Search results: `path:line:` with their context, and lists of matching lines."""

import re
from collections.abc import Iterable

from pumice.excerpt import lines
from pumice.excerpt.already import has_marker, is_marker
from pumice.excerpt.units import Shape

_NAMED = r"(?P<path>(?=[^\s:,;|]{0,300}[/.])(?=[^\s:,;|]{0,300}[A-Za-z])[^\s:,;|]{1,300})"
_MATCH = re.compile(_NAMED + r":\d+[:-]|\d+:(?!\d)")
_CONTEXT = re.compile(_NAMED + r"-\d+-|\d+-(?!\d)")
_NOTHING = re.compile(r"(?!)")
_SAMPLE = 300


def is_results(text: str, tool: str) -> bool:
    """Whether most lines are `path:line:`; for a tool named after searching, a third of them is enough."""
    sample = [line for line in text[:200_000].split("\n")[:_SAMPLE] if line.strip() and line != "--"]
    hits = sum(bool(_MATCH.match(line) or _CONTEXT.match(line)) for line in sample)
    is_search = any(word in tool.lower() for word in ("grep", "search", "rg"))
    return len(sample) >= 4 and hits * (3 if is_search else 1.5) >= len(sample)


def cut(text: str) -> Shape:
    """Lines of search results: a match is worth more than its context, the first of each file most."""
    pieces = list(lines.split(text, _NOTHING))
    bodies = lines.texts(text, pieces)
    is_marked = has_marker(text)
    says = lines.weigh(pieces, bodies, is_output=False)
    last = len(pieces) - 1
    seen: set[str] = set()
    matches = 0
    units = []
    for at, (unit, body) in enumerate(zip(pieces, bodies, strict=True)):
        found = _MATCH.match(body)
        path = (found["path"] or "") if found else ""
        value = says[at].value + 0.5 * bool(found) + 0.5 * (bool(path) and path not in seen)
        is_frame = at < lines.EDGE or at > last - lines.EDGE
        units.append(lines.placed(unit, is_frame=is_frame, must=is_marked and is_marker(body), value=value))
        seen.add(path)
        matches += bool(found)
    return Shape("search", units, "line", _note(matches, seen))


def _note(matches: int, files: Iterable[str]) -> str:
    named = len([path for path in files if path])
    return f"{matches} matches in {named} files" if named and matches else ""
