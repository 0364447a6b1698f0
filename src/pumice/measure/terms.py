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
_CAMEL = re.compile(r"[^\W\d_]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^\W\d_]+")
_LONGEST = 120
"""Characters above which a name is looked for by its parts alone: encoded data has no names."""
_K1, _B = 1.2, 0.75


def terms(text: str) -> list[str]:
    """The terms of a text in order: words in small letters, identifiers whole and in parts, two-letter pieces of CJK runs.

    `src/app.py:173` is found by itself, by `src/app.py`, `app.py`, `src`, `app`, `py` and `173`; `readFile` by `readfile`,
    `read` and `file`; `合同编号` by `合同`, `同编` and `编号`, a single letter by itself. Linear in the text.
    """
    plain = text if text.isascii() else unicodedata.normalize("NFKC", text)
    found: list[str] = []
    for match in _PIECE.finditer(plain):
        found += _bigrams(match[0]) if match["cjk"] else _parts(match[0], 0)
    return found


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
        return times * (_K1 + 1) / (times + _K1 * (1 - _B + _B * size * len(self) / self._total))


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
    pieces = _CAMEL.findall(name)
    if len(pieces) > 1 and not name.islower() and name.isalpha():
        yield from (piece.lower() for piece in pieces)
