"""What was said: the text a summary may rest on, and whose words it is."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

import msgspec

from pumice.commit import answering, done, effects
from pumice.commit import words as spoken
from pumice.commit.topic import topic
from pumice.compact.summary import laid, tongue
from pumice.compact.summary.spelling import Spelling, may_be_word
from pumice.domain.block import Block, Kind, Origin
from pumice.domain.summary import SummaryItem
from pumice.measure import entities

CJK_WEIGHT = 3
"""A Chinese letter says about as much as so many Latin ones."""
_CJK = re.compile(r"[㐀-鿿]")
_LETTER = re.compile(r"[^\W\d_]")
ASCRIBED = re.compile(
    r"\b(?:the\s+)?user(?:\s+(?:also|then|now|has|had|explicitly))*\s+(?:want|wish|ask|sa(?:ys|id)|request|prefer|demand|insist|require|tol|tell"
    r"|instruct|approv|agree|allow|confirm|need|authori[sz])\w*(?:\s+(?:to|that|for))?|用户(?:还|也|已)?(?:希望|想要?|要求|要|说|让|请求|同意|批准|允许|确认|偏好|需要)",
    re.I,
)
"""How a summary tells what a person wants."""
_ENDS = " .!;:。！；："
"""What may stand around a sentence wherever it is repeated."""


class Said(msgspec.Struct, frozen=True, dict=True):
    """What a summary may rest on."""

    blocks: Mapping[str, Block]
    """By id: what a model was asked about, and what the items it was shown already name."""
    known: str = ""
    """Words of the summary before."""
    tokens: int = 0
    """Size of what was summed up; 0 when nobody counted."""
    in_chinese: bool | None = None
    """Whether the summary was to be in Chinese; None: either."""

    language: str = "auto"
    """What the policy asks for: a code, or `auto` for the person's own."""

    shown: frozenset[str] | None = None
    """Blocks of one chunk; None: all."""

    @cached_property
    def text(self) -> str:
        return "\n".join((*(block.text for block in self.blocks.values()), self.known))

    @cached_property
    def tools(self) -> frozenset[str]:
        """Names of the tools that were called."""
        return frozenset(block.tool for block in self.blocks.values() if block.tool)

    @cached_property
    def spelling(self) -> Spelling:
        return Spelling(self.text)

    @cached_property
    def wanted(self) -> str:
        """The code of the language the summary was to be in; empty where it does not show."""
        if self.in_chinese:
            return "zh"
        if self.language != "auto":
            return self.language
        return "" if self.in_chinese is None else tongue.of(_typed(self.blocks.values()))

    @cached_property
    def tool_lines(self) -> tuple[str, ...]:
        """Lines of what tools and clients put there, in small letters."""
        found = (block.text for block in self.blocks.values() if block.origin in (Origin.TOOL, Origin.CLIENT))
        return tuple(line for text in found for line in text.casefold().split("\n"))

    @cached_property
    def by_others(self) -> str:
        """What no person typed, likewise: a model that was made to obey it may put a person's name to it."""
        return _plain("\n".join(block.text for block in self.blocks.values() if not spoken.is_persons(block)))

    @property
    def is_asked(self) -> bool:
        """Whether what a first summary is about holds words of a person."""
        shown = self.blocks if self.shown is None else self.shown
        return not self.known and any(spoken.is_persons(self.blocks[name]) for name in shown if name in self.blocks)

    def typed(self, item: SummaryItem) -> str:
        """What people typed themselves in the messages that an item names."""
        return _typed(self._named(item))

    def holds(self, sentence: str, item: SummaryItem) -> bool:
        """Whether a command is a person's, whole or told in another script, or quotes the model or a program that failed."""
        named = self._named(item)
        own = _typed(named)
        if laid.wholly(sentence, own, item.text) or (own and self._translates(sentence, own)):
            return True
        line = laid.program_line(sentence)
        return any(sentence in block.text for block in named if block.origin is Origin.MODEL) or bool(
            line and any(line in block.text for block in named)
        )

    def _translates(self, sentence: str, own: str) -> bool:
        told, plain = _plain(sentence), _plain(own)
        return _is_foreign(sentence, own) and told not in self.by_others and self._rests_on(sentence, plain)

    def is_wish(self, item: SummaryItem) -> bool:
        """Whether a person has said what an item tells of a person: in the messages it names, else in any."""
        own = _own(self._named(item)) or _own(self.blocks.values())
        told = _plain(item.text).strip(_ENDS)
        return told in own or (not any(told in line for line in self.tool_lines) and self._rests_on(item.text, own))

    def _named(self, item: SummaryItem) -> list[Block]:
        return [self.blocks[name] for name in item.sources if name in self.blocks]

    def has_failed(self, result: Block) -> bool:
        """Whether a result says that its call failed, or, of something run, that this did."""
        call = next((one for one in self.blocks.values() if one.kind is Kind.CALL and one.call_id == result.call_id), None)
        return effects.failed(result) if call is None else done.has_failed(result, effects.describe(call, result))

    def mentions(self, named: Sequence[Block], text: str) -> bool:
        """Whether blocks, or the calls and results they belong to, hold a name that a text has; true of one without names."""
        calls = {block.call_id for block in named if block.call_id}
        found = [*named, *(block for block in self.blocks.values() if block.call_id in calls)]
        names = [one.text for one in entities.find(text) if one.kind != "number" and not may_be_word(one)]
        return not names or any(name in block.text for name in names for block in found)

    def _rests_on(self, text: str, own: str) -> bool:
        """Whether words share what they are about with a person's, and no line of a tool's fits them better.

        A yes may be told in any words, and so may what was said in another script.
        """
        about = topic(ASCRIBED.sub(" ", text))
        shared = sum(word in own for word in about)
        other = max((sum(word in line for word in about) for line in self.tool_lines), default=0)
        if other > max(shared, 1):
            return False
        return bool(shared) or not about or _is_foreign(text, own) or any(map(answering.consents, own.split("\n")))


def _own(blocks: Iterable[Block]) -> str:
    """What people typed themselves in some messages, in small letters, a line for each message."""
    return "\n".join(_plain(_typed([block])) for block in blocks)


def _typed(blocks: Iterable[Block]) -> str:
    """What people typed themselves in some messages, as it stands: no quotation, no paste in a fence."""
    typed = [block for block in blocks if spoken.is_persons(block)]
    return "\n\n".join(
        spoken.own(block.text[span.start : span.end]) for block in typed for span in spoken.typed_spans(block.text)
    )


def _is_foreign(text: str, own: str) -> bool:
    """Whether one of two texts is in Chinese and the other is not."""
    shares = [len(_CJK.findall(one)) * CJK_WEIGHT >= len(_LETTER.findall(one)) / 2 for one in (text, own)]
    return shares[0] != shares[1]


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
