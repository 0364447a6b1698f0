"""Terms: what a text is found by, in any script; and which of many texts answer a query best."""

import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator

_CJK = r"\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f"
_PIECE = re.compile(rf"(?P<cjk>[{_CJK}]++)|(?P<name>[^\W{_CJK}]++(?:[./\\:@+-]++[^\W{_CJK}]++)*+)")
_CUTS = (re.compile(r"[:@\\]+"), re.compile(r"/+"), re.compile(r"[.+-]+"), re.compile(r"_+"))
"""Where a name falls apart, the loosest joints first: `src/app.py:173`, `src/app.py`, `app.py`, `app`."""
_WORD = re.compile(rf"(?P<cjk>[{_CJK}]++)|[^\W_{_CJK}]++")
_CAMEL = re.compile(r"[^\W\d_]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^\W\d_]+")
_HUMPS = 8
"""Parts of a word written in one with capitals; a word of more is no name."""
_LONGEST = 120
"""Characters above which a name is looked for by its parts alone, and a word not at all: encoded data has no names."""
K1, B = 1.2, 0.75
"""How soon repetition stops counting, and how much the size of a text does."""


def terms(text: str) -> list[str]:
    """The terms of a text in order: words in small letters, identifiers whole and in parts, two-letter pieces of CJK runs.

    `src/app.py:173` is found by itself, by `src/app.py`, `app.py`, `src`, `app`, `py` and `173`; `readFile` by `readfile`,
    `read` and `file`; `合同编号` by `合同`, `同编` and `编号`, a single letter by itself. Linear in the text.
    """
    found: list[str] = []
    for run, is_cjk in scripts(text):
        found += _bigrams(run) if is_cjk else _parts(run, 0)
    return found


def pieces(text: str) -> list[str]:
    """The smallest terms of a text in order: those of a name, one after the other, stand wherever the name stands.

    `src/app.py:173` is `src app py 173`; `readFile` is `readfile read file`; `合同编号` is `合同 同编 编号`.
    """
    found: list[str] = []
    for match in _WORD.finditer(_plain(text)):
        word = match[0]
        found += _bigrams(word) if match["cjk"] else [] if len(word) > _LONGEST else [word.lower(), *_humps(word)]
    return found


def scripts(text: str) -> list[tuple[str, bool]]:
    """The names and the CJK runs of a text in order, and whether each is a run of CJK letters."""
    return [(match[0], bool(match["cjk"])) for match in _PIECE.finditer(_plain(text))]


class Bm25:
    """Documents ranked by the Okapi BM25 weight of their terms, k1 1.2 and b 0.75 (Robertson and Zaragoza 2009, §3)."""

    def __init__(self) -> None:
        self._sizes: dict[str, int] = {}
        self._holders: defaultdict[str, dict[str, int]] = defaultdict(dict)
        self._total = 0

    def __len__(self) -> int:
        return len(self._sizes)

    def add(self, name: str, text: str) -> None:
        """Make a document findable by a text; a known one by this text too."""
        counts = Counter(terms(text))
        size = counts.total()
        self._sizes[name] = self._sizes.get(name, 0) + size
        self._total += size
        for term, times in counts.items():
            holders = self._holders[term]
            holders[name] = holders.get(name, 0) + times

    def rank(self, query: str, limit: int) -> list[tuple[str, float]]:
        """At most `limit` documents that hold a term of the query, best first, of equal ones the newest first."""
        scores: defaultdict[str, float] = defaultdict(float)
        for term in dict.fromkeys(terms(query)):
            holders = self._holders.get(term, {})
            rarity = math.log(1 + (len(self) - len(holders) + 0.5) / (len(holders) + 0.5))
            for name, times in holders.items():
                scores[name] += rarity * self._weight(times, self._sizes[name])
        ages = {name: age for age, name in enumerate(self._sizes)} if scores else {}
        return sorted(scores.items(), key=lambda found: (-found[1], -ages[found[0]]))[: max(0, limit)]

    def _weight(self, times: int, size: int) -> float:
        """How much a term says that stands so often in a text of so many terms; ever less for each repetition."""
        return times * (K1 + 1) / (times + K1 * (1 - B + B * size * len(self) / self._total))


def _plain(text: str) -> str:
    """Letters in the form most texts have them in: full width as half, accents joined to their letters."""
    return text if text.isascii() else unicodedata.normalize("NFKC", text)


def _bigrams(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)] or [run]


def _parts(name: str, level: int) -> Iterator[str]:
    """A name and what it is made of; each form once."""
    if len(name) <= _LONGEST:
        yield name.lower()
    for at, cut in enumerate(_CUTS[level:], level):
        if cut.search(name):
            for part in filter(None, cut.split(name)):
                yield from _parts(part, at + 1)
            return
    yield from _humps(name)


def _humps(word: str) -> list[str]:
    """The parts of a word in which capitals stand for spaces; none of any other word."""
    if word.islower() or word.isupper():
        return []
    parts = _CAMEL.findall(word)
    return [part.lower() for part in parts] if 1 < len(parts) <= _HUMPS else []
