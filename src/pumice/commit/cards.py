"""Cards in prose: lines that give something a name and a value (`order id: 4711`, `预算：5000 元`)."""

import re

import msgspec

from pumice.commit import words

_LINE = re.compile(
    r"^[ \t]*(?:[-*•+][ \t]+|\d{1,2}[.)][ \t]+)?(?:\*\*|`)?(?P<name>[^\W\d_][\w ./'’-]{0,40}?)(?:\*\*|`)?[ \t]*"
    r"(?::(?!//|:)|：)(?:\*\*)?[ \t]*(?P<value>[^\s:：][^\n]{0,200})$",
    re.M,
)
_NO_NAMES = frozenset(
    re.findall(
        r"\S+",
        """also and answer but btw e.g edit else example examples finally first fix for from hint i i.e if important in instead
        it lastly maybe next no note ok or otherwise please ps question second so step summary that then this third tip to
        todo update warning we well with yes you 例如 比如 问题 回答 总结 注意 备注 提示 另外 首先 其次 最后 下一步""",
    )
)
"""Words before a colon that name nothing."""
_NAME_WORDS, _VALUE_WORDS = 4, 12
_CODE = re.compile(r"[{};=]\s*$|^(?:def|class|return|import|if|else|elif|for|while|try|case|default)\b")


class Card(msgspec.Struct, frozen=True):
    name: str
    value: str
    text: str
    """The line, verbatim."""
    start: int
    """Where it begins in the text it was found in."""


def find(text: str) -> tuple[Card, ...]:
    """The cards of a message, in order; never from injected tags, quotes, fences or terminal lines."""
    found: list[Card] = []
    for span in words.typed_spans(text):
        own = words.own(text[span.start : span.end])
        found += [_card(match, span.start) for match in _LINE.finditer(own) if _is_card(match)]
    return tuple(found)


def _card(match: re.Match[str], offset: int) -> Card:
    line = match[0].strip()
    return Card(match["name"].strip(), match["value"].strip(), line, offset + match.start() + match[0].index(line))


def _is_card(match: re.Match[str]) -> bool:
    """Whether a line names a value, and is no clause, heading or code that happens to hold a colon."""
    name, value = match["name"].strip().lower(), match["value"].strip()
    first = name.split()[0] if name.split() else ""
    is_short = len(name.split()) <= _NAME_WORDS and len(value.split()) <= _VALUE_WORDS
    is_value = any(char.isalnum() for char in value)
    return bool(name) and is_value and is_short and first not in _NO_NAMES and not (_CODE.search(value) or _CODE.search(name))
