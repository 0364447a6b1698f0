"""Pins: the rules of a message as words that must stand verbatim, and which of them a later word has lifted."""

import re
from collections.abc import Callable, Iterable, Sequence

import msgspec

from pumice.commit import constraints, words
from pumice.commit.sentences import split
from pumice.domain.state import Pin

WHOLE_UP_TO = 300
"""Tokens up to which a pin is the whole message (F-B5)."""
_LIFTS = re.compile(
    r"\b(?:you\s+(?:may|can|are\s+allowed\s+to)\s+(?:now|again)|now\s+you\s+(?:may|can)|you\s+(?:may|can)\s+(?:\w+\s+){1,8}(?:now|again)\b"
    r"|no\s+longer\s+(?:need|have|necessary|required|applies)|(?:it['’]?s|it\s+is)\s+(?:ok|okay|fine|allowed)\s+(?:now\s+)?to\b"
    r"|(?:forget|ignore|drop|lift)\s+(?:about\s+)?(?:the|that|my|what)\s+(?:\w+\s+){0,3}?(?:rule|restriction|constraint|limit|said|ban))"
    r"|(?:现在|已经|今后)?(?:可以|允许)[^，。]{0,20}了|不用再|不必再|不再需要|取消[^，。]{0,12}(?:限制|规定|要求)|(?:之前|刚才)说的[^，。]{0,12}(?:作废|不算)",
    re.I,
)
_REPLACES = re.compile(
    r"\b(?:instead\s+of|rather\s+than|no\s+longer|not)\s+(?P<old>[\w./#-]+)|(?:而不是|不是|不再用|不要用|别用)\s*(?P<旧>[\w./#-]+)",
    re.I,
)
_NUMBERS = re.compile(r"\d[\d,.]*")
_NUMBERED = re.compile(r"\b[A-Za-z][\w./#-]*\d[\w./#-]*|\b\d+(?:st|nd|rd|th)\b")
"""Names with a number in them: another number is another thing."""
_FORBIDS = re.compile(
    r"\b(?:never|don['’]?t|do\s+not|(?:must|may|shall|should)\s+not|(?:must|should)n['’]?t|cannot|can['’]?t|avoid)\b"
    r"|不要|不得|不能|不许|不可|禁止|切勿|绝不|别",
    re.I,
)
_AMOUNT = re.compile(
    r"\b(?:at\s+(?:most|least)|(?:more|less|fewer|longer|larger|later|earlier)\s+than|up\s+to|within|under|over|below|above|exceed\w*|max\w*|min\w*"
    r"|limit\w*)\b|最多|至少|超过|以内|以下|以上|多于|少于",
    re.I,
)
_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]+|[㐀-鿿]")
_EMPTY = frozenset(
    re.findall(
        r"\S+",
        """
        the and for that this with you your our its are not any but all may must should shall can will use please
        never always only don don't dont avoid make sure keep from into onto now again have has had was were been
        being did does doing just also then than unless except without until before after when while there here what
        which who how why let let's okay ok it's is be to of in on at by an a i we it as or if so do no least most
        more less actually
        不要 可以 必须 只能 现在 不能 禁止 不得 务必 至少 最多 不超 超过 一定 以后 都要 就是 这个 那个 我们 你们 改成
        """,
    )
)
"""Words that say nothing of what a rule is about."""
_NAME_PARTS = re.compile(r"[A-Za-z0-9_./#-]+")
_IS_NAME = re.compile(r"[A-Za-z].*[/._-]|[/._-].*[A-Za-z]")
_ALIKE = 0.8
_SHARED = 0.5


def of_message(block_id: str, text: str, count: Callable[[str], int], whole_up_to: int = WHOLE_UP_TO) -> tuple[Pin, ...]:
    """One pin for each rule of a message: all a person typed there when it is short enough, else the sentence's neighbours."""
    found = constraints.find(text)
    spans = [(span, text[span.start : span.end].strip()) for span in words.typed_spans(text)] if found else []
    wholes = {span.start: typed if count(typed) <= whole_up_to else "" for span, typed in spans}
    pins = []
    for number, rule in enumerate(found, 1):
        start = max(at for at in wholes if at <= rule.start)
        whole = wholes[start] or _shortest(rule, count, whole_up_to)
        pins.append(Pin(id=f"{block_id}.{number}", block=block_id, whole=whole, rule=rule.text))
    return tuple(pins)


def superseded(pins: Iterable[Pin], text: str, block_id: str, new: Sequence[Pin] = ()) -> tuple[Pin, ...]:
    """The pins, those marked that a later message lifts or replaces; a pin made by hand only a hand can lift."""
    sentences = [
        sentence.text for span in words.typed_spans(text) for sentence in split(words.own(text[span.start : span.end]))
    ]
    lifting = [sentence for sentence in sentences if _lifts(sentence)]
    return tuple(
        msgspec.structs.replace(pin, superseded_by=block_id)
        if _is_open(pin) and (_is_lifted(pin, lifting) or _is_replaced(pin, new))
        else pin
        for pin in pins
    )


def _is_open(pin: Pin) -> bool:
    return not (pin.by_hand or pin.superseded_by)


def _shortest(rule: constraints.Rule, count: Callable[[str], int], limit: int) -> str:
    """The rule with its neighbours, or alone where these are long themselves."""
    return rule.around if count(rule.around) <= limit else rule.text


def _lifts(sentence: str) -> bool:
    """Whether a sentence gives leave and takes nothing back in the same breath."""
    return bool(_LIFTS.search(sentence)) and not sentence.endswith(("?", "？")) and not constraints.is_rule(sentence)


def _is_lifted(pin: Pin, sentences: Sequence[str]) -> bool:
    """A sentence lifts the rule whose subject it names: a name of it, or half of its words."""
    return any(_names(pin.rule) & _names(said) or _share(pin.rule, said) >= _SHARED for said in sentences)


def _is_replaced(pin: Pin, new: Sequence[Pin]) -> bool:
    """A new rule replaces one that says the same with another figure, or whose value it turns down by name."""
    return any(
        later.block != pin.block and (_other_figure(pin.rule, later.rule) or _turned_down(pin.rule, later.rule))
        for later in new
    )


def _other_figure(old: str, later: str) -> bool:
    """The same amount set anew: what is forbidden of one thing by its number still is when another is forbidden too."""
    figures, newer = _NUMBERS.findall(old), _NUMBERS.findall(later)
    if not (figures and newer) or figures == newer or set(_NUMBERED.findall(old)) != set(_NUMBERED.findall(later)):
        return False
    if _FORBIDS.search(old) and not _AMOUNT.search(old):
        return False
    return _share(old, later) >= _ALIKE and _share(later, old) >= _SHARED


def _turned_down(old: str, later: str) -> bool:
    values = {(match["old"] or match["旧"]).strip(".,;:") for match in _REPLACES.finditer(later)}
    return any(_has_value(old, value) for value in values if len(value) > 2) and _share(later, old) >= _SHARED / 2


def _has_value(rule: str, value: str) -> bool:
    """Whether a rule asks for a value, not whether it turns it down as well."""
    parts = {part.strip(".") for part in _NAME_PARTS.findall(rule)}
    return value in parts and not any(value == (m["old"] or m["旧"]) for m in _REPLACES.finditer(rule))


def _names(text: str) -> frozenset[str]:
    return frozenset(part.strip("/.") for part in _NAME_PARTS.findall(text) if _IS_NAME.search(part.strip(".")))


def _share(of: str, within: str) -> float:
    """Share of the words of one sentence that another has."""
    words_of = _content(of)
    return len(words_of & _content(within)) / len(words_of) if words_of else 0.0


def _content(text: str) -> frozenset[str]:
    """Words that say something: for Chinese pairs of characters."""
    found = [word.lower() for word in _WORD.findall(text)]
    latin = {word.rstrip("s") for word in found if len(word) > 1 and word not in _EMPTY}
    han = "".join(word if len(word) == 1 else " " for word in found)
    return frozenset((latin | {han[at : at + 2] for at in range(len(han) - 1) if " " not in han[at : at + 2]}) - _EMPTY)
