"""The conclusion of a sub-agent: the lines of its report that say what came of it, under what they are."""

import re
from collections.abc import Sequence

import msgspec

from pumice.compact.digest import line_text
from pumice.compact.passages import cut
from pumice.compact.ruler import Ruler
from pumice.compact.scan import Piece
from pumice.domain import marks
from pumice.domain.block import Block
from pumice.excerpt import salience
from pumice.measure import entities

RESULT, DECIDED, OPEN, FILES = "result", "decisions", "open points", "files"
PARTS = (RESULT, DECIDED, OPEN, FILES)
LAST = 3
"""Last lines of a report count as much as lines that say how things ended."""
_HEADED, _ENDING = 2.0, 1.5
_SUMS_UP = re.compile(
    r"^[#*\s]*(?:\d+[.)]\s*)?(?:executive |final |brief )?"
    r"(?:summary|conclusions?|results?|findings?|outcome|recommendations?|verdict|tl;?dr|结论|总结|结果|摘要)\b[^\n]{0,40}$",
    re.I,
)
_AFTER_HEADING = 4
"""Lines below such a heading that are taken for what it names."""
_IS_OPEN = re.compile(
    r"\b(?:todo|fixme|open (?:questions?|issues?|points?)|remaining|unclear|unknown|unresolved|unverified|follow[- ]?ups?"
    r"|(?:not|n't) (?:yet |be )?(?:done|implemented|verified|tested|found|confirmed|checked|clear)|blocked"
    r"|still (?:needs?|fails?|missing|open)|to be (?:done|implemented|decided|confirmed)"
    r"|needs? (?:to be|your|a decision|confirmation))\b"
    r"|待(?:办|定|确认|处理|解决)|尚未|未(?:完成|确认|解决|验证)|需要确认|遗留",
    re.I,
)
_IS_DECIDED = re.compile(
    r"\b(?:decided?|decision|chose|chosen|recommend(?:ed|ation)?s?|instead of|rather than|should (?:use|not|be)"
    r"|must (?:use|not|be)|the best (?:approach|option)|going with|root cause|because)\b"
    r"|决定|建议|采用|选择|根本原因|因为",
    re.I,
)


class _Line(msgspec.Struct, frozen=True):
    piece: Piece
    part: str
    value: float


def lines(report: Block, room: int, ruler: Ruler) -> list[str]:
    """Verbatim lines of a report within `room` tokens, each under its number, with a line of ours above each part.

    Every part gets its best line before any gets its second; a report that reads like ours has none.
    """
    if not marks.is_plain(report.text):
        return []
    found = _lines(report)
    costs = dict(zip(found, ruler.inline([line_text(report, line.piece) for line in found]), strict=True))
    titles = dict(zip(PARTS, ruler.inline([marks.gap(part) for part in PARTS]), strict=True))
    ranked = [sorted((line for line in found if line.part == part), key=lambda one: -one.value) for part in PARTS]
    chosen: list[_Line] = []
    for rank in range(max(map(len, ranked), default=0)):
        for line in (of[rank] for of in ranked if rank < len(of)):
            cost = costs[line] + (0 if any(line.part == one.part for one in chosen) else titles[line.part])
            if cost <= room:
                room -= cost
                chosen.append(line)
    return _written(report, chosen)


def findings(report: Block) -> str:
    """What a report says: its lines without the lists of files it went through."""
    return "\n".join(line for line in report.text.split("\n") if _part(line) != FILES)


def _written(report: Block, chosen: Sequence[_Line]) -> list[str]:
    out: list[str] = []
    for part in PARTS:
        shown = sorted(line.piece for line in chosen if line.part == part)
        out += [marks.gap(part), *(line_text(report, piece) for piece in shown)] if shown else []
    return out


def _lines(report: Block) -> list[_Line]:
    """The lines that say something, each with what it is and what it is worth."""
    pieces = [piece for passage in cut(report) for piece in passage.pieces]
    texts = [report.text[piece.start : piece.end] for piece in pieces]
    says = salience.of_lines(texts)
    heads = [at for at, text in enumerate(texts) if _SUMS_UP.search(text)]
    summed = {at + below for at in heads for below in range(1, _AFTER_HEADING + 1)} - set(heads)
    return [
        _Line(piece, _part(text), says[at].value + _HEADED * (at in summed or at == 0) + _ENDING * (at >= len(texts) - LAST))
        for at, (piece, text) in enumerate(zip(pieces, texts, strict=True))
        if any(map(str.isalnum, text)) and at not in heads
    ]


def _part(text: str) -> str:
    if _IS_OPEN.search(text):
        return OPEN
    if _IS_DECIDED.search(text):
        return DECIDED
    is_file = any(entity.kind == "path" for entity in entities.find(text))
    return FILES if is_file and len(text.split()) <= 8 else RESULT
