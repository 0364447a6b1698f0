"""Replace secrets before anything is kept: `[secret:kind]`."""

import math
import re
import string
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from pumice.domain.ports import Redacted
from pumice.store.redaction_rules import Rule, Table, shipped

_MARK = b"[secret:"
_PLAIN = re.compile(rb"[0-9a-f-]+|[0-9A-F-]+")
"""A number, a hash, a uuid, a date: content, whatever label stands before it."""

_WORD = (string.ascii_letters + string.digits + "_.-").encode()


class _Hit(NamedTuple):
    """Sorts by place, the longer first, then the more telling rule."""

    start: int
    minus_end: int
    order: int
    kind: str


class RuleRedactor:
    """A `Redactor` over a table of rules; redacting what is redacted changes nothing.

    Rules and their origin: redaction_rules.json. Linear in the text: a rule is tried only where its fixed text stands, and
    sees no further than its reach.
    """

    def __init__(self, table: Table | None = None) -> None:
        self._table = table or shipped()
        self._order = {rule.id: order for order, rule in enumerate(self._table.rules)}
        anchors = _shortest({anchor.encode() for rule in self._table.rules for anchor in rule.anchors})
        self._anchor = re.compile(_trie(anchors))
        self._rules = _by_anchor(anchors, self._table.rules)

    def __call__(self, text: str) -> Redacted:
        """The text with secrets replaced, and their kinds; lone surrogates stay."""
        raw = text.encode("utf-8", "surrogatepass")
        kinds: list[str] = []
        # A replaced neighbour can lay open the edge of another secret; each round replaces at least one, so this ends.
        while hits := self._find(raw):
            raw = _replace(raw, hits)
            kinds += [hit.kind for hit in hits]
        return Redacted(raw.decode("utf-8", "surrogatepass"), tuple(kinds)) if kinds else Redacted(text)

    def _find(self, raw: bytes) -> list[_Hit]:
        """Secrets in order, what overlaps made one."""
        spans: list[_Hit] = []
        for hit in sorted(self._hits(raw)):
            if spans and hit.start < -spans[-1].minus_end:
                spans[-1] = spans[-1]._replace(minus_end=min(hit.minus_end, spans[-1].minus_end))
            else:
                spans.append(hit)
        return spans

    def _hits(self, raw: bytes) -> Iterator[_Hit]:
        low = raw.lower()
        found = self._anchor.search(low)
        while found:
            after = found.start() + 1
            for rule in self._rules[found[0]]:
                secret = self._secret(rule, raw, found.start() - rule.back)
                # What a rule needs is looked for last: a look goes through the whole text, and matches are rare.
                if secret and (not rule.needed or any(word in low for word in rule.needed)):
                    start, end = secret
                    yield _Hit(start, -end, self._order[rule.id], rule.id)
                    after = max(after, end)
            found = self._anchor.search(low, after)

    def _secret(self, rule: Rule, raw: bytes, start: int) -> tuple[int, int] | None:
        """Where the secret of a match that begins at `start` stands."""
        limit = start + rule.reach
        match = rule.pattern.match(raw, start, limit) if start >= 0 else None
        # What touches the limit might go on behind it, and is longer than any secret.
        if match is None or (match.end() == limit and limit < len(raw)):
            return None
        start, end = match.span(_group(rule, match))
        return _whole_characters(raw, start, end) if self._is_secret(rule, match, raw[start:end]) else None

    def _is_secret(self, rule: Rule, match: re.Match[bytes], secret: bytes) -> bool:
        if not secret or _MARK in secret:
            return False
        if rule.entropy is not None and _entropy(secret) <= rule.entropy:
            return False
        if rule.labelled and (_PLAIN.fullmatch(secret) or self._table.placeholder.search(secret)):
            return False
        if _has_stopword(rule, secret.lower()):
            return False
        seen = {"secret": secret, "match": _labelled(match), "line": _line(match)} if rule.allowed else {}
        return not any(pattern.search(seen[target]) for target, pattern in rule.allowed)


def _shortest(anchors: Iterable[bytes]) -> list[bytes]:
    """Without those that begin with another."""
    kept: list[bytes] = []
    for anchor in sorted(anchors):
        if not kept or not anchor.startswith(kept[-1]):
            kept.append(anchor)
    return kept


def _by_anchor(shortest: Sequence[bytes], rules: Iterable[Rule]) -> dict[bytes, list[Rule]]:
    """Rules by the shortest beginning of an anchor of theirs, each once; `shortest` is sorted."""
    found: dict[bytes, list[Rule]] = {short: [] for short in shortest}
    for rule in rules:
        places = (bisect_right(shortest, anchor.encode()) - 1 for anchor in rule.anchors)
        for short in dict.fromkeys(shortest[place] for place in places):
            found[short].append(rule)
    return found


def _trie(words: Iterable[bytes]) -> bytes:
    """A pattern for any of the words, none of which begins another; shared beginnings are read once."""
    branches: dict[bytes, list[bytes]] = {}
    for word in words:
        branches.setdefault(word[:1], []).append(word[1:])
    texts = [re.escape(first) + (_trie(rests) if rests != [b""] else b"") for first, rests in branches.items()]
    return texts[0] if len(texts) == 1 else b"(?:" + b"|".join(texts) + b")"


def _group(rule: Rule, match: re.Match[bytes]) -> int:
    if rule.group is not None or not match.lastindex:
        return rule.group or 0
    return next((number for number in range(1, match.lastindex + 1) if match[number]), 0)


def _whole_characters(raw: bytes, start: int, end: int) -> tuple[int, int]:
    """The span, grown to where UTF-8 characters begin."""
    while start > 0 and raw[start] & 0xC0 == 0x80:
        start -= 1
    while end < len(raw) and raw[end] & 0xC0 == 0x80:
        end += 1
    return start, end


def _has_stopword(rule: Rule, secret: bytes) -> bool:
    # Looking its pieces up costs the secret's length; trying 1,400 words would let a hostile text buy time.
    return any(
        secret[at : at + length] in rule.stopped for length in rule.stopped_lengths for at in range(len(secret) - length + 1)
    )


def _entropy(secret: bytes) -> float:
    """Shannon's, in bits a byte."""
    shares = [count / len(secret) for count in Counter(secret).values()]
    return -sum(share * math.log2(share) for share in shares)


def _labelled(match: re.Match[bytes]) -> bytes:
    """The match and the rest of the word its label ends: `primary_key`, not `key`."""
    before = match.string[max(0, match.start() - 50) : match.start()]
    return before[len(before.rstrip(_WORD)) :] + match[0]


def _line(match: re.Match[bytes]) -> bytes:
    """The line of a match, of a very long one what stands near."""
    near = 400
    before = match.string[max(0, match.start() - near) : match.start()]
    after = match.string[match.end() : match.end() + near]
    return before.rpartition(b"\n")[2] + match[0] + after.partition(b"\n")[0]


def _replace(raw: bytes, hits: list[_Hit]) -> bytes:
    pieces: list[bytes] = []
    done = 0
    for hit in hits:
        pieces += [raw[done : hit.start], _MARK, hit.kind.encode(), b"]"]
        done = -hit.minus_end
    return b"".join([*pieces, raw[done:]])
