"""Rules in what a person typed: bans, duties, limits and exceptions, word for word."""

import re
from collections.abc import Sequence

import msgspec

from pumice.commit import chinese, english, words
from pumice.commit.sentences import Sentence, is_listed, split


def _any_of(*forms: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{form})" for group in forms for form in group), re.I | re.M)


_LAYS_DOWN = _any_of(english.BANS, english.DUTIES)
_BOUNDS = _any_of(english.LIMITS, english.EXCEPTIONS)
_CHINESE = _any_of(chinese.BANS, chinese.DUTIES, chinese.LIMITS, chinese.EXCEPTIONS)
_HAN = re.compile(r"[㐀-鿿]")
_LONGEST = 600
"""Characters above which a sentence is a paste, not a rule."""


class Rule(msgspec.Struct, frozen=True):
    text: str
    """The sentence, verbatim."""
    around: str
    """The sentence with the one before and the one after it, verbatim, and the lists they open."""
    start: int
    """Where the sentence begins in the text it was found in."""


def find(text: str) -> tuple[Rule, ...]:
    """The rules a person lays down in a message, in order; never from injected tags, quotes, fences or terminal lines."""
    return tuple(rule for span in words.typed_spans(text) for rule in _in_span(text, span.start, span.end))


def is_rule(sentence: str) -> bool:
    """Whether one sentence lays something down; questions and talk about oneself do not."""
    if len(sentence) > _LONGEST:
        return False
    if _HAN.search(sentence) and _CHINESE.search(sentence):
        return not (chinese.QUESTION.search(sentence) or chinese.TALK.search(sentence))
    return _is_english_rule(sentence)


def _is_english_rule(sentence: str) -> bool:
    if sentence.rstrip("\"')”").endswith("?"):
        return bool(english.REQUEST.search(sentence))
    if english.TALK.search(sentence) or english.NO_RULE.match(sentence):
        return bool(english.REQUEST.search(sentence) or english.STRONG.search(sentence))
    if _LAYS_DOWN.search(sentence):
        return True
    return bool(_BOUNDS.search(sentence)) and not english.DESCRIBES.search(sentence)


def _in_span(text: str, start: int, end: int) -> list[Rule]:
    own = words.own(text[start:end])
    found = split(own)
    return [_rule(text[start:end], found, at, start) for at, sentence in enumerate(found) if is_rule(sentence.text)]


def _rule(text: str, sentences: Sequence[Sentence], at: int, offset: int) -> Rule:
    sentence = sentences[at]
    first, last = sentences[max(0, at - 1)], sentences[_last(text, sentences, min(len(sentences) - 1, at + 1))]
    return Rule(text[sentence.start : sentence.end], text[first.start : last.end], offset + sentence.start)


def _last(text: str, sentences: Sequence[Sentence], at: int) -> int:
    """Place of the last sentence of the lists that one opens: items, and what opens the next (`except when:`)."""
    while at + 1 < len(sentences):
        is_item, opens = is_listed(text, sentences[at + 1]), sentences[at + 1].text.endswith((":", "："))
        goes_on = sentences[at].text.endswith((":", "：")) or is_listed(text, sentences[at])
        if not (goes_on and (is_item or opens)):
            break
        at += 1
    return at
