"""What a person's message adds to the task state: goal, rules, corrections, decisions, approvals, facts."""

import re

from pumice.commit import answering, facts, pins, words
from pumice.commit.draft import DONE, OPEN, SAID, Draft
from pumice.commit.sentences import split
from pumice.domain.block import Block
from pumice.domain.state import Entry
from pumice.measure import tokens

FIRST, NEWEST = "first", "newest"
"""Keys of the goals: what the session began with, and what was asked for last."""
QUESTION, PASSED = "question", "question passed over"
"""Keys of what the model asked: the newest question, and those a person has answered with something else."""
_MOST_PASSED = 3
_GOAL_CHARS = 600
_SENTENCE_CHARS = 400
_REQUEST_WORDS = 4
_CORRECTS = re.compile(
    r"^(?:no|nope|nah|wait|hold\s+on|oops)\b[,.!…]*\s+(?!problem|worries|thanks|thank|need|idea|way)\w+"
    r"|^(?:\w+,?\s+)?actually\b|^correction\b|\bi\s+meant\b|\binstead\b(?!\s+of\s+the\b)|\bthat['’]?s\s+(?:not\s+(?:it|right|correct|true|what)|wrong)\b"
    r"|\b(?:is|are)\s+not\s+(?:\w+\s+)?(?:true|correct|right)\b|^(?:\w+,?\s+)?(?:undo|revert|roll\s*back)\b"
    r"|\bnot\s+\S+[,;]?\s+but\b|\bchange\s+(?:it|that|this|them)\s+(?:back\s+)?to\b"
    r"|不对|错了|搞错|弄错|应该是|不是[^，。]{1,30}(?:而是|，是)|改成|改为|换成|更正|撤销|回滚",
    re.I,
)
_DECIDES = re.compile(
    r"^(?:(?:ok|okay|yes|yeah|yep|sure|alright|great|cool|hmm+|then)\b[,.!]*\s*)*(?:let['’]?s\s+)?(?:go|proceed|stick)\s+(?:with|for)\b"
    r"|^option\s+\w+\b|^\(?[A-D1-9][.)]?$|^[A-D][.)]\s|\bI\s+(?:like|choose|chose|pick|want|vote\s+for|think)\s+(?:option\s+)?[A-D1-9]\b"
    r"|^(?:[^，。]{0,4})(?:选|选择|就用|采用|按|用)(?:方案|选项)?\s*[一二三四五A-Da-d1-9]|就按|就这么",
    re.I,
)


def fold(draft: Draft, block: Block) -> None:
    """Take in one message of a person."""
    spans = [block.text[span.start : span.end] for span in words.typed_spans(block.text)]
    sentences = [sentence.text for text in spans for sentence in split(words.own(text))]
    _answer(draft, block, sentences)
    _ask(draft, block, spans)
    _rule(draft, block)
    known = facts.find(block.text)
    for sentence in sentences:
        is_told = len(sentence) <= _SENTENCE_CHARS and not sentence.endswith(("?", "？"))
        if is_told and _CORRECTS.search(sentence):
            draft.add(Entry.CORRECTION, sentence, (block.id,))
        elif is_told and _DECIDES.search(sentence):
            draft.add(Entry.DECISION, sentence, (block.id,))
        elif sentence in known:
            draft.add(Entry.FACT, sentence, (block.id,), key=f"said {known[sentence] or sentence}", status=SAID)


def _answer(draft: Draft, block: Block, sentences: list[str]) -> None:
    """Words on a question of the model's answer it; those of consent are an approval of what was asked.

    What passes it over leaves it open, for words that name it: a later yes is about something else.
    """
    asked = [
        *draft.close(Entry.OPEN, lambda item: item.key == PASSED and answering.is_about(item.text, sentences), by=block.id),
        *draft.close(
            Entry.OPEN, lambda item: item.key == QUESTION and answering.is_answered(item.text, sentences), by=block.id
        ),
    ]
    if asked and answering.consents(sentences[0]):
        question = asked[-1]
        draft.add(Entry.APPROVAL, sentences[0], (block.id, *question.sources), key=question.text, status=DONE)
    if sentences:
        draft.rename(Entry.OPEN, lambda item: item.key == QUESTION and item.status == OPEN, PASSED)
        passed = [item for item in draft.of(Entry.OPEN) if item.key == PASSED]
        draft.drop(Entry.OPEN, lambda item: item in passed[:-_MOST_PASSED])


def _ask(draft: Draft, block: Block, spans: list[str]) -> None:
    """A message of some length is a request; the first and the newest one are the goal."""
    text = words.bare(spans[0]) if spans else ""
    if len(text.split()) < _REQUEST_WORDS and len(re.findall(r"[㐀-鿿]", text)) < 2 * _REQUEST_WORDS:
        return
    wanted = text if len(text) <= _GOAL_CHARS else text[:_GOAL_CHARS].rsplit(None, 1)[0]
    key = NEWEST if any(item.key == FIRST for item in draft.of(Entry.GOAL)) else FIRST
    draft.add(Entry.GOAL, wanted, (block.id,), key=key, status=OPEN)


def _rule(draft: Draft, block: Block) -> None:
    before = draft.pins
    # A client that sums up may send a person's words again: the block is known, and so are its rules.
    known = {pin.id for pin in before}
    new = tuple(pin for pin in pins.of_message(block.id, block.text, tokens.count) if pin.id not in known)
    kept = pins.superseded(before, block.text, block.id, new)
    for old, pin in zip(before, kept, strict=True):
        if pin.superseded_by != old.superseded_by:
            draft.supersede(Entry.CONSTRAINT, pin.id, by=block.id)
    for pin in new:
        draft.add(Entry.CONSTRAINT, pin.rule, (block.id,), key=pin.id, status=OPEN)
    draft.pin(kept, new)
