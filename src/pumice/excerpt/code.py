"""Code: what it declares first, with whole signatures, then the lines that name most; each line shown has a number."""

import re

from pumice.excerpt import lines, outline, salience
from pumice.excerpt.already import has_marker, is_marker
from pumice.excerpt.units import APART, Shape

_NUMBER = re.compile(r"[ \t]*\d+(?:→|\t|[:|] ?)")
"""What tools write before the lines of a file they show."""
_FAR = re.compile(
    r"^[ \t]*(?:(?:export|default|pub|public|private|protected|static|abstract|async|final)[ \t]+)*"
    r"(?:class|def|fn|func|function|interface|struct|enum|trait|impl|type|namespace|mod)[ \t]+\w",
    re.M,
)
_END = re.compile(r"[;{}():,\]>\\]\s*$|^\s*(?://|#|\*|/\*|--|@|\"\"\")")
_WORD = re.compile(
    r"\s*(?:import|from|return|package|use|using|include|#include|const|let|var|if|for|while|else|elif|try|except|end|raise"
    r"|pass|break|continue|yield|assert|await)\b|[ \t]*[\w.\[\]]+ (?:[-+*/|]?=|:=) \S"
)
_SAMPLE = 400
_LEAST = 3
"""Declarations from which a text is taken for code."""
_WORTH = (8.0, 4.0, 2.0, 1.0)
"""What the head of a declaration is worth more than other lines, by its depth."""
_RATE = 0.02
"""What the other lines of a signature are worth for each token: after all heads, and in order, so that they come together."""


def is_code(text: str) -> bool:
    """Whether a text declares several things and most of its lines look like code, with line numbers or without."""
    sample = [_bare(line) for line in text[:100_000].split("\n")[:_SAMPLE]]
    filled = [line for line in sample if line.strip()]
    declared = sum(map(outline.is_declared, filled))
    if declared < _LEAST or declared * 150 < len(filled):
        return False
    if any(line.startswith(("```", "~~~")) for line in filled):
        return False  # words about code
    alike = sum(bool(_END.search(line[-200:]) or _WORD.match(line)) for line in filled)
    return alike * 10 >= len(filled) * 7


def cut(text: str) -> Shape:
    """Lines of code: signatures by depth before all else, then what names most, of lines alike the first."""
    pieces = list(lines.split(text, _FAR))
    bodies = lines.texts(text, pieces)
    bare = [_bare(body) for body in bodies]
    says = lines.weigh(pieces, bodies, is_output=False)
    declared = outline.of(bare)
    firsts = {pattern: at for at, pattern in reversed(list(enumerate(salience.patterns(bodies))))}
    first = frozenset(firsts.values())
    is_marked = has_marker(text)
    units = []
    for at, (unit, body) in enumerate(zip(pieces, bodies, strict=True)):
        must = at in declared or (is_marked and is_marker(body))
        value = _worth(body, declared[at]) if at in declared else says[at].value * (1.0 if at in first else lines.AGAIN)
        units.append(lines.placed(unit, is_frame=unit.row == 0, must=must, value=value))
    has_numbers = sum(map(str.__ne__, bare, bodies)) * 2 > len(bodies)
    return Shape("code", units, note="code outline", is_numbered=not has_numbers)


def _worth(body: str, part: outline.Part) -> float:
    return _WORTH[part.depth] if part.is_head else _RATE * (len(body) / 4 + APART + 1)


def _bare(line: str) -> str:
    """The line without the number a tool has written before it."""
    found = _NUMBER.match(line)
    return line[found.end() :] if found else line
