"""How much a line of output says: errors, outcomes, definitions, names."""

import re
from collections import Counter
from collections.abc import Sequence

import msgspec

from pumice.measure import entities

_WRONG_WORDS = (
    r"errors? failed failures? fatal panic exception traceback segfault denied refused timed\sout timeout killed aborted cannot "
    r"could\snot undefined unresolved unexpected crash\w* oom oomkilled warning deprecated invalid missing conflict"
)
_COUNTED_WORDS = (
    r"passed failed errors? warnings? skipped tests? rows? records? files? insertions? deletions? problems? matches results? total "
    r"packages? vulnerabilit\w+ examples? failures? xfailed assertions? targets? suites?"
)


def _any_of(words: str) -> str:
    return "(?:" + "|".join(words.split()) + ")"


_WRONG = re.compile(
    rf"(?<![\w./-]){_any_of(_WRONG_WORDS)}(?![\w/-]|\.\w)|\b(?:status|HTTP/[\d.]+|code)\W{{1,3}}[45]\d\d\b"
    "|错误|失败|异常|拒绝|超时|冲突",
    re.I,
)
_NAMED = re.compile(
    r"\b[A-Z]\w*(?:Error|Exception|Failure)\b|\b(?:FAIL|ERR|ERRO|CRIT|WARN)\b|\bE[A-Z]{4,}\b|[✗✘❌×] "
    r"|\b(?:[A-Z]{1,4}\d{3,5})\b(?=[:\]\s])"
)
_HARD = re.compile(
    r"^\s*(?:--- FAIL|FAIL\b|FAILED\b|not ok\b|E\s{3}|Traceback|panic:|fatal:|error(?:\[\w+\])?:|ERROR\b|✗|✘|❌|Caused by"
    r"|\w*Error:)|: (?:fatal )?error(?: \w+\d+)?:|\bFAILED\b|[✗✘❌]|\b[Ss]egmentation fault\b|\bundefined reference\b"
)
_EXIT = re.compile(r"\b(?:exit(?:ed|s)?|returned|退出码)\b[^\n]{0,24}?[ :=(]-?[1-9]\d{0,2}\b|\bnon-zero exit\b", re.I)
_OUTCOME = re.compile(
    rf"\b\d[\d,]* {_any_of(_COUNTED_WORDS)}\b|\(\d+ rows?\)|\b100(?:\.0+)?%|共\s*\d+|合计"
    r"|^\s*(?:Ran \d+|Tests?:|Test Suites:|Total\b|Summary\b|Result|ok\s+\S+\s+[\d.(]|FAIL\s+\S+|BUILD |Finished |Compiled )",
    re.I,
)
_PLACE = re.compile(r"(?<![\w./\\-])[\w./\\-]+\.\w{1,5}:\d+(?::\d+)?\b|\bline \d+\b|\((?:[\w./\\-]+):\d+:\d+\)|-->\s*\S+:\d+")
_MODIFIERS = "export public private protected static async abstract final pub default"
_KEYWORDS = (
    r"def class func function fn struct interface enum trait impl type const module namespace macro_rules! CREATE\sTABLE"
)
_DEFINITION = re.compile(rf"^\s*(?:\d+[:→\t-]\s*)?(?:{_any_of(_MODIFIERS)} )*{_any_of(_KEYWORDS)}\s+[\w(<\"`]")
_NONE_WRONG = re.compile(
    r"\b(?:0|no|zero|without)\s+(?:\w+\s+)?(?:errors?|failures?|failed|warnings?|problems?|issues?)\b|没有错误", re.I
)
_FIGURES = re.compile(r"\b[0-9a-f]{7,}\b|\d+(?:[.,:]\d+)*")


class Says(msgspec.Struct, frozen=True, gc=False):
    """What one line is worth, and whether it must stay where it fits."""

    value: float
    must: bool


def of_line(line: str, *, is_output: bool = True) -> Says:
    """Value by frontier §5.1: error words 3, a definition 1, each name ¼; outcomes and places of errors come with errors.

    In code and search results (`is_output` false) the word error names things and says nothing.
    """
    value = 0.25 * len(entities.names(line)) + (1.0 if _DEFINITION.search(line) else 0.0)
    if not is_output:
        return Says(value, False)
    calm = _NONE_WRONG.sub("", line)
    wrong, outcome = bool(_WRONG.search(calm) or _NAMED.search(calm)), bool(_OUTCOME.search(line))
    hard = bool(_HARD.search(calm) or _EXIT.search(line))
    placed = (wrong or hard) and bool(_PLACE.search(line))
    value += 3.0 * (wrong or hard) + 2.0 * (hard + outcome) + placed
    return Says(value, hard or outcome or placed)


def patterns(lines: Sequence[str]) -> list[int]:
    """The pattern of each line, its figures and hashes left out, as a number; equal numbers are the same pattern."""
    known: dict[str, int] = {}
    return [known.setdefault(pattern, len(known)) for pattern in _FIGURES.sub("0", "\n".join(lines)).split("\n")]


def odd_ones(alike: Sequence[int]) -> frozenset[int]:
    """Positions that differ from everything around them, where nearly all lines repeat few patterns."""
    counts = Counter(alike)
    single = [at for at, pattern in enumerate(alike) if counts[pattern] == 1]
    if len(alike) < 30 or len(single) * 12 > len(alike):
        return frozenset()
    return frozenset(single)
