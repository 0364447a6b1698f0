"""How much a line of output says: errors, outcomes, definitions, names."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from pumice.measure import entities

_WRONG_WORDS = (
    r"errors? failed failures? fatal panic exception traceback segfault denied refused timed\sout timeout killed aborted "
    r"cannot could\snot undefined unresolved unexpected crash\w* oom oomkilled warning deprecated invalid missing conflict"
)
_COUNTED_WORDS = (
    r"passed failed errors? warnings? skipped tests? rows? records? files? insertions? deletions? problems? matches results? "
    r"total packages? vulnerabilit\w+ examples? failures? xfailed assertions? targets? suites?"
)


def _any_of(words: str) -> str:
    return "(?:" + "|".join(words.split()) + ")"


def _stems(words: str) -> tuple[str, ...]:
    """What stands in every text that one of the words matches: `errors?` → `error`."""
    return tuple(stem for word in words.split() for stem in re.findall(r"^(\w+?)(?:\w[?*].*|\W.*)?$", word))


class _Sought(NamedTuple):
    """A pattern with words, in lower case, of which each match holds one: most lines hold none, which is quickly told."""

    pattern: re.Pattern[str]
    words: tuple[str, ...]

    def is_in(self, line: str, low: str) -> bool:
        return any(map(low.__contains__, self.words)) and self.pattern.search(line) is not None


_WRONG = _Sought(
    re.compile(
        rf"(?<![\w./-]){_any_of(_WRONG_WORDS)}(?![\w/-]|\.\w)|\b(?:status|HTTP/[\d.]+|code)\W{{1,3}}[45]\d\d\b"
        "|错误|失败|异常|拒绝|超时|冲突",
        re.I,
    ),
    (*_stems(_WRONG_WORDS), "status", "http/", "code", "错误", "失败", "异常", "拒绝", "超时", "冲突"),
)
_NAMED = re.compile(
    r"\b(?=[A-Z])(?:\w+(?:Error|Exception|Failure)\b|(?:FAIL|ERR|ERRO|CRIT|WARN)\b|E[A-Z]{4,}\b|[A-Z]{1,4}\d{3,5}\b(?=[:\]\s]))"
    r"|[✗✘❌×] "
)
_HARD_START = re.compile(
    r"\s*(?:--- FAIL|FAIL\b|FAILED\b|not ok\b|E\s{3}|Traceback|panic:|fatal:|error(?:\[\w+\])?:|ERROR\b|✗|✘|❌|Caused by"
    r"|\w*Error:)"
)
_HARD = _Sought(
    re.compile(
        r": (?:fatal )?error(?: \w+\d+)?:|\bFAILED\b|[✗✘❌]|\b[Ss]egmentation fault\b|\bundefined reference\b",
    ),
    ("error", "failed", "✗", "✘", "❌", "segmentation fault", "undefined reference"),
)
_EXIT = _Sought(
    re.compile(r"\b(?:exit(?:ed|s)?|returned|退出码)\b[^\n]{0,24}?[ :=(]-?[1-9]\d{0,2}\b|\bnon-zero exit\b", re.I),
    ("exit", "returned", "退出码"),
)
STEMS = (*_WRONG.words, *_HARD.words, *_EXIT.words)
"""In lower case, of which every line with words of failure holds one; not the names and codes, and not what it starts with."""
_OUTCOME = _Sought(
    re.compile(
        rf"\b\d[\d,]* {_any_of(_COUNTED_WORDS)}\b|\(\d+ rows?\)|\b100(?:\.0+)?%|共\s*\d+|合计"
        r"|^\s*(?:Ran \d+|Tests?:|Test Suites:|Total\b|Summary\b|Result|ok\s+\S+\s+[\d.(]|FAIL\s+\S+"
        r"|BUILD |Finished |Compiled )",
        re.I,
    ),
    (*_stems(_COUNTED_WORDS), "100", "共", "合计", "ran ", "test", "summary", "ok", "fail", "build ", "finished ", "compiled "),
)
_PLACE = re.compile(r"(?<![\w./\\-])[\w./\\-]+\.\w{1,5}:\d+(?::\d+)?\b|\bline \d+\b|\((?:[\w./\\-]+):\d+:\d+\)|-->\s*\S+:\d+")
_MODIFIERS = "export public private protected static async abstract final pub default"
_KEYWORDS = (
    r"def class func function fn struct interface enum trait impl type const module namespace macro_rules! CREATE\sTABLE"
)
_DEFINITION = re.compile(rf"\s*(?:\d+[:→\t-]\s*)?(?:{_any_of(_MODIFIERS)} )*{_any_of(_KEYWORDS)}\s+[\w(<\"`]")
_RARE = 0.02
_RARE_LINES = 2
"""Share and number of lines up to which words of failure are the exception in a text."""
_NAME = 0.25
_DEFINED = 0.5
_AGAIN = 0.1
_KINDS = {
    "dotted": 1.4, "path": 1.2, "snake": 1.0, "kebab": 0.9, "camel": 0.8, "hash": 0.5, "uuid": 0.5, "url": 0.4, "number": 0.35,
}  # fmt: skip
"""How likely a name of each kind is needed again (frontier §5.3)."""
_FRESH = {kind: _NAME * worth for kind, worth in _KINDS.items()}
_SEEN = {kind: worth * _AGAIN for kind, worth in _FRESH.items()}
_NONE_WRONG = _Sought(
    re.compile(
        r"\b(?:0|no|zero|without)\s+(?:\w+\s+)?(?:errors?|failures?|failed|warnings?|problems?|issues?)\b|没有错误", re.I
    ),
    ("error", "fail", "warning", "problem", "issue", "没有错误"),
)
_FIGURES = re.compile(r"[\da-f](?:(?<=\b[0-9a-f])[0-9a-f]{6,}\b|(?<=\d)\d*(?:[.,:]\d+)*)")
"""A hash, else a figure; the first character stands apart so that others are passed over quickly."""


class Says(msgspec.Struct, frozen=True, gc=False):
    """What one line is worth, and whether it must stay where it fits."""

    value: float
    must: bool


def is_exception(lines: int, of: int) -> bool:
    """Whether so few lines of a text have something that it tells; a text full of it says nothing by one."""
    return lines <= max(_RARE_LINES, _RARE * of)


def of_lines(
    bodies: Sequence[str], *, is_output: bool = True, is_log: bool = False, weighed: Sequence[bool] = ()
) -> list[Says]:
    """What each line is worth: error words 3, outcomes 2, a definition ½, its names about ¼ each (frontier §5.1).

    A name counts where it stands last: that line a reader will look for (§5.3); before that hardly. Words such as `failed`
    count in a log and where they are rare; a text full of them is about errors. In code and search results (`is_output` false)
    they are names. Lines not `weighed` are worth nothing.
    """
    looked_at = [at for at in range(len(bodies)) if not weighed or weighed[at]]
    values = _names(bodies, looked_at)
    says = [Says(0.0, False)] * len(bodies)
    if not is_output:
        for at in looked_at:
            says[at] = Says(values[at] + _defined(bodies[at]), False)
        return says
    wrong = {at for at in looked_at if is_wrong(bodies[at])}
    filled = sum(bool(body.strip()) for body in bodies)
    telling = wrong if is_log or is_exception(len(wrong), filled) else set()
    for at in looked_at:
        says[at] = _of_line(bodies[at], values[at], is_wrong=at in telling)
    return says


def _names(bodies: Sequence[str], looked_at: Sequence[int]) -> list[float]:
    seen: set[str] = set()
    values = [0.0] * len(bodies)
    named = entities.kinds_of_each([bodies[at] for at in looked_at])
    for at, found in zip(reversed(looked_at), reversed(named), strict=True):
        values[at] = sum([(_SEEN if name in seen else _FRESH)[kind] for name, kind in found.items()])
        seen.update(found)
    return values


def is_wrong(line: str) -> bool:
    """Whether a line has words of failure, or a name or code of one; not where they say that there was none."""
    low = line.lower()
    calm = _calm(line, low)
    return _WRONG.is_in(calm, low) or _NAMED.search(calm) is not None


def is_hard(line: str) -> bool:
    """Whether a line says in a form of its own that something failed, as compilers, test runners and shells do."""
    low = line.lower()
    return _HARD_START.match(_calm(line, low)) is not None or _HARD.is_in(_calm(line, low), low) or _EXIT.is_in(line, low)


def is_outcome(line: str) -> bool:
    """Whether a line says how something ended: counts, totals, a verdict."""
    return _OUTCOME.is_in(line, line.lower())


def _calm(line: str, low: str) -> str:
    """The line without words of failure that say there was none."""
    return _NONE_WRONG.pattern.sub("", line) if any(map(low.__contains__, _NONE_WRONG.words)) else line


def _defined(line: str) -> float:
    return _DEFINED if _DEFINITION.match(line) else 0.0


def _of_line(line: str, names: float, *, is_wrong: bool) -> Says:
    value = names + _defined(line)
    hard, outcome = is_hard(line), is_outcome(line)
    placed = (is_wrong or hard) and bool(_PLACE.search(line))
    return Says(value + 3.0 * (is_wrong or hard) + 2.0 * (hard + outcome) + placed, hard or outcome or placed)


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
