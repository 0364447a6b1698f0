"""Which lines of an output tell that something went wrong, or how it ended."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from pumice.excerpt import lines, salience
from pumice.excerpt.units import BODY, Unit

ERROR, HINT = 2, 1
"""Grades: says that something failed; a warning, a code, how something ended."""
_PHRASES = (
    "CRITICAL SEVERE EMERG EMERGENCY ERR fails? fault failing unhandled uncaught rejected abort(?:ing)? unreachable no\\ssuch "
    "not\\sfound not\\spermitted unable\\sto core\\sdumped out\\sof\\smemory no\\sspace broken\\spipe connection\\sreset "
    "fehler\\w* erreurs? échec ошибк\\w*"
)
_SCRIPTS = "报错 无法 崩溃 中止 エラー 失敗 오류 실패"
_ERRNO = (
    r"\bE(?:NOENT|ACCES|PERM|EXIST|ISDIR|NOTDIR|NOSPC|PIPE|ADDRINUSE|CONN[A-Z]+|TIMEDOUT|HOSTUNREACH|NOTFOUND|INVAL|BUSY)\b"
)
_FAILS = re.compile(
    rf"(?<![\w./-])(?i:{'|'.join(_PHRASES.split())})(?![\w/-]|\.\w)|{_ERRNO}|{'|'.join(_SCRIPTS.split())}",
)
_CODE = re.compile(r"\b[A-Z]{1,5}-?\d{3,6}\b(?=[:\]\s])")
_MILD = re.compile(rf"(?i:\bwarn\w*|\bdeprecated)|\bE(?!RRORS?\b)[A-Z]{{4,}}\b|{_CODE.pattern}")
"""What makes no error of a line by itself."""
_NONE = re.compile(r"\b(?:errors?|fail(?:ures?|ed)|warnings?)\W{0,3}[:=]\W{0,2}0\b(?!\.\d)", re.I)
_STEMS = (
    *salience.STEMS, "fail", "err", "crit", "warn", "not ok", "e   ", "caused by", "passed", "enoent", "eacces", "eperm",
    "eexist", "eisdir", "enotdir", "enospc", "epipe", "eaddrinuse", "econn", "etimedout", "ehostunreach", "enotfound", "einval",
    "ebusy", "critical", "severe", "emerg", "fault", "unhandled", "uncaught", "rejected", "abort", "unreachable", "no such",
    "not found", "not permitted", "unable to", "core dumped", "out of memory", "no space", "broken pipe", "connection reset",
    "fehler", "échec", "ошибк", *_SCRIPTS.split(),
)  # fmt: skip
"""In lower case, of which every line that is graded holds one, or a code: most lines hold none, which is quickly told."""


def grade(line: str) -> int:
    """ERROR, HINT, or 0 for a line that tells nothing of the kind; `0 errors` and `failed: 0` tell nothing."""
    said = _NONE.sub("", line)
    if salience.is_hard(said) or salience.is_wrong(_MILD.sub("", said)) or _FAILS.search(said):
        return ERROR
    return HINT if _CODE.search(said) or salience.is_wrong(said) or salience.is_outcome(said) else 0


def telling(text: str, units: Sequence[Unit]) -> dict[int, int]:
    """The units that tell of a failure, by position, with their grades; hints only where they are the exception.

    Of the numbered lines of a file none does: there words of failure are names. Linear in the text.
    """
    bodies = lines.texts(text, units)
    if lines.is_numbered(bodies):
        return {}
    graded = {at: grade(bodies[at]) for at in sorted(_suspect(text, units))}
    few = salience.is_exception(sum(one == HINT for one in graded.values()), len(units))
    return {at: one for at, one in graded.items() if one == ERROR or (one == HINT and few)}


def _suspect(text: str, units: Sequence[Unit]) -> set[int]:
    starts = [unit.start for unit in units]
    found = {max(0, bisect_right(starts, at) - 1) for at in _places(text)}
    return {at for at in found if units[at].tier <= BODY}


def _places(text: str) -> Iterator[int]:
    low = text.lower()
    low = low if len(low) == len(text) else "".join(char.lower() if len(char.lower()) == 1 else char for char in text)
    for stem in _STEMS:
        at = low.find(stem)
        while at >= 0:
            yield at
            at = low.find(stem, at + len(stem))
    yield from (match.start() for match in _CODE.finditer(text))
