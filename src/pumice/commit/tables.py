"""Decision tables in prose: sentences that say what is to be done when, and except when, in English and Chinese."""

import re
from collections.abc import Iterator, Sequence

import msgspec

from pumice.commit import words
from pumice.commit.sentences import Sentence, split

_LONGEST = 600
"""Characters above which a sentence is a paste, not a rule."""
_COUNTED = "天日月年元块次个条周岁折"
_UNIT = rf"(?:%|％|[A-Za-z]{{1,12}}\b|[{_COUNTED}行秒分小时]+)"
_NUMBER = rf"(?:[$€£¥￥]?\d[\d,.]*(?:\s?{_UNIT})?|[一二两三四五六七八九十百千半]+[{_COUNTED}])"
_BOUND = (
    r"at\s+(?:most|least)|(?:no|not)\s+(?:more|fewer|less|later|earlier|longer)\s+than|(?:more|less|fewer|older|newer|longer|later|earlier"
    r"|larger|smaller|higher|lower)\s+than|up\s+to|within|under|over|above|below|exceed(?:s|ing)?|max(?:imum)?(?:\s+of)?|min(?:imum)?(?:\s+of)?"
)
_LIMIT = re.compile(
    rf"\b(?:{_BOUND})\s+{_NUMBER}|[<>≤≥]=?\s*{_NUMBER}"
    rf"|(?:至少|最多|至多|不超过|超过|不少于|少于|不低于|低于|不多于|多于|不高于|高于|不满|满|上限(?:是|为)?|下限(?:是|为)?)[^\d，。；]{{0,6}}{_NUMBER}"
    rf"|{_NUMBER}\s*(?:以内|之内|以上|以下|以后|之后|内(?![容部存]))",
    re.I,
)
_EXCEPT = re.compile(
    r"(?:^|[,;(，；（]\s*|\s+)(?:but\s+)?(?:unless|except(?:ing)?(?:\s+(?:for|when|if|where|that))?|other\s+than|excluding|but\s+not)\b\s+"
    r"(?P<it>[^;；。]+)",
    re.I,
)
_EXCEPT_ZH = (
    re.compile(r"除非(?P<it>[^，,。；]+)"),
    re.compile(r"除(?!非|外|此)了?(?P<it>[^，,。；]+?)(?:以外|之外|外)"),
    re.compile(r"(?P<it>[^，,。；]+?)(?:除外|例外)"),
)
_TAKES_OUT = re.compile(r"unless|except|excluding|but not|除非|除了?(?!非|此)|但", re.I)
_IF = re.compile(
    r"\b(?:only\s+)?(?P<sign>if|when(?:ever)?|once|in\s+case|as\s+long\s+as|provided(?:\s+that)?|where)\b\s+", re.I
)
_THEN = re.compile(r",\s*(?:then\s+)?|\s+then\s+", re.I)
_IF_ZH = re.compile(
    r"(?:如果|若(?!干)|倘若|假如|要是|一旦|凡是?|只有|只要|(?<![应相适恰])当(?![然前地天年即场作成]))(?P<condition>[^，,。；]+?)"
    r"(?:[，,]\s*(?:则|就|那么|便|才|一律)?|(?:则|就|那么|便|才|一律))(?P<action>[^。；]+)"
)
_ASKS = re.compile(r"[?？]$|^(?:what|how|why|who|where|when|which|is|are|do|does|did)\b[^,]*[?？]", re.I)
_OFFERS = re.compile(
    r"\b(?:if|when|once|whenever)\s+(?:you(?:['’]d|['’]re|\s+would|\s+are)?\s+(?:like|want|prefer|need|wish|ready|have)|that\s+(?:works|helps|makes)|"
    r"(?:so|not|needed|necessary|possible)\b[,.]?)|\blet\s+me\s+know\b|^(?:i|we)\s+(?:don['’]?t\s+know|wonder|was|were)\b|如果你?(?:需要|想|愿意)",
    re.I,
)
"""Politeness and talk that lays nothing down."""
_OPENS = re.compile(r"(?:(?:and|but|so|also|then|or|ok|note|however|only)\b[,:]?\s*)*", re.I)
"""What may stand before the condition of a sentence that opens with it."""
_EDGE = " \t,;:，；：、().（）"


class Row(msgspec.Struct, frozen=True):
    """One row of a decision table, every field verbatim from its sentence."""

    text: str
    """The sentence, with the one after it where that names the exception."""
    start: int
    """Where it begins in the text it was found in."""
    condition: str
    action: str
    exceptions: tuple[str, ...]
    limits: tuple[str, ...]


def find(text: str) -> tuple[Row, ...]:
    """The rows in what a person or a model wrote, in order; never from injected tags, quotes, fences or terminal lines."""
    return tuple(row for span in words.typed_spans(text) for row in _in_span(text[span.start : span.end], span.start))


def row(sentence: str, start: int = 0) -> Row:
    """The fields of one sentence; empty where it has none."""
    rest, exceptions = _exceptions(sentence)
    condition, action = _condition(rest)
    limits = tuple(dict.fromkeys(match[0].strip(_EDGE) for match in _LIMIT.finditer(sentence)))
    return Row(sentence, start, condition, action, exceptions, limits)


def fields(sentence: str) -> tuple[str, ...]:
    """What must not get lost of a rule: its condition, its exceptions, its limits; each verbatim. A paste has none."""
    if len(sentence) > _LONGEST:
        return ()
    found = row(sentence)
    return tuple(field for field in (found.condition, *found.exceptions, *found.limits) if field)


def _in_span(text: str, offset: int) -> Iterator[Row]:
    sentences = split(words.own(text))
    taken = -1
    for at, sentence in enumerate(sentences):
        if at <= taken or not _may_be(sentence.text):
            continue
        last = sentences[at + 1] if at + 1 < len(sentences) and _is_exception(sentences[at + 1]) else sentence
        found = row(text[sentence.start : last.end], offset + sentence.start)
        if found.action and (found.condition or found.exceptions):
            taken = at + (last is not sentence)
            yield found


def _may_be(sentence: str) -> bool:
    return len(sentence) <= _LONGEST and not _ASKS.search(sentence) and not _OFFERS.search(sentence)


def _is_exception(sentence: Sentence) -> bool:
    """Whether a sentence only takes something out of the one before."""
    if len(sentence.text) > _LONGEST or not _TAKES_OUT.match(sentence.text):
        return False
    rest, exceptions = _exceptions(sentence.text)
    return bool(exceptions) and not rest.strip(_EDGE + "但")


def _exceptions(sentence: str) -> tuple[str, tuple[str, ...]]:
    """A sentence without its exceptions, and these."""
    found: list[str] = []
    for pattern in (_EXCEPT, *_EXCEPT_ZH):
        match = pattern.search(sentence)
        if match:
            end, after = _end(sentence, match)
            found.append(sentence[match.start("it") : end].strip(_EDGE))
            sentence = f"{sentence[: match.start()]} {sentence[after:]}"
    return sentence, tuple(item for item in found if item)


def _end(sentence: str, match: re.Match[str]) -> tuple[int, int]:
    """Where an exception ends and where the sentence goes on: one that opens it ends with its first comma."""
    comma = None if sentence[: match.start()].strip() else re.search(r"[,，]", match["it"])
    return (
        (match.end("it"), match.end())
        if comma is None
        else (match.start("it") + comma.start(), match.start("it") + comma.end())
    )


def _condition(rest: str) -> tuple[str, str]:
    """The condition of a sentence and what it leads to."""
    if chinese := _IF_ZH.search(rest):
        return chinese["condition"].strip(_EDGE), chinese["action"].strip(_EDGE + "。")
    sign = _IF.search(rest)
    if sign is None:
        return "", rest.strip(_EDGE + "。")
    before, after = rest[: sign.start()].strip(_EDGE), rest[sign.end() :]
    if not _OPENS.fullmatch(before):
        return after.strip(_EDGE), before
    parts: Sequence[str] = _THEN.split(after, maxsplit=1)
    return parts[0].strip(_EDGE), (parts[1].strip(_EDGE) if len(parts) > 1 else "")
