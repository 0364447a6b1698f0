"""The summariser with a model: what it is asked, and which of its answers may stand; pure, the asking is done elsewhere."""

from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from pumice.compact import words
from pumice.compact.summary import answer, ask, checks, merge, transcript
from pumice.compact.summary.ask import Wish
from pumice.compact.summary.said import Said
from pumice.compact.summary.spelling import CODE
from pumice.compact.summary.template import Template
from pumice.compact.summary.tongue import chinese_share
from pumice.domain.block import Block
from pumice.domain.book import Book
from pumice.domain.decision import Outcome
from pumice.domain.group import Group
from pumice.domain.policy import Summarize
from pumice.domain.summary import Ask, Summary, SummaryItem

CHINESE_FROM, CHINESE_BELOW = 0.3, 0.05
"""Share of Chinese in a person's words from which a summary has to be in it, and below which it must not."""
PURPOSES = ("summary", "merge")
REMINDER = 1000
"""o200k tokens a reminder may add to a question."""
LEAST_SHOWN = 4
"""One token in four of the model's window is shown in any case."""


class Told(msgspec.Struct, frozen=True):
    """What a model has said so far."""

    items: tuple[SummaryItem, ...] | None = None
    """Items that passed every check; None until it has answered well."""
    asks: tuple[Ask, ...] = ()
    """Questions still open."""
    refused: tuple[str, ...] = ()
    """What was wrong with its last answer."""
    key: str = ""
    """The question of that answer."""


class Asking(msgspec.Struct, frozen=True):
    """A summary to be written by a model."""

    book: Book
    wish: Wish
    count: Callable[[Sequence[str]], Sequence[int]]
    known: Sequence[SummaryItem] = ()
    """Items of the summary before."""
    chunk: int = 100_000
    """o200k tokens shown at once."""
    window: int | None = None
    """o200k tokens the model takes, its answer included; None where that is not known."""
    live_room: int = 0
    """o200k tokens a question may take where it follows the live view; 0: the view cannot be used."""


def told(asking: Asking, groups: Sequence[Group]) -> Told:
    """What the model says of some groups: from one question, or from one per chunk and one that merges them."""
    asking = msgspec.structs.replace(asking, chunk=_fitting(asking))
    chunks = transcript.chunks(groups, asking.book.uses, asking.count, asking.chunk)
    if not chunks:
        return Told(())
    said = _said(asking, groups, sum(asking.count([chunk.text for chunk in chunks])))
    if live := _live(asking, groups):
        return _answered(asking, live, said, live)
    if len(chunks) == 1:
        one = ask.about(asking.wish, chunks[0].text, chunks[0].sources, asking.known)
        return _answered(asking, one, said, one)
    return _chunked(asking, chunks, said)


def _fitting(asking: Asking) -> int:
    """Tokens that may be shown at once: the policy's, or what the question, a reminder and the answer leave of the window."""
    if asking.window is None:
        return asking.chunk
    prompt = ask.about(asking.wish, "", (), asking.known).prompt
    spent = asking.wish.policy.tokens + asking.count([prompt])[0] + REMINDER
    return max(1, min(asking.chunk, max(asking.window - spent, asking.window // LEAST_SHOWN)))


class Late(msgspec.Struct, frozen=True):
    """What answers that came after their cut make of its summary."""

    summary: Summary
    refused: tuple[tuple[str, str], ...] = ()
    """(key of a question, why its answer may not stand)."""
    asks: tuple[Ask, ...] = ()
    """Reminders still open."""


def late(asking: Asking, before: Summary, asks: Sequence[Ask]) -> Late:
    """The summary before, with what has been answered since in place of the items that were there for want of it.

    An answer counts if every block it was about is still on this path. A bad one is asked for once more, as any.
    """
    blocks = {block.id: block for group in asking.book.groups for block in group.blocks}
    found = Late(before)
    for asked in asks:
        if asked.purpose in PURPOSES and asked.key in asking.book.answers and all(name in blocks for name in asked.sources):
            found = _with_answer(asking, found, asked, before.items, blocks)
    return found


def _with_answer(asking: Asking, late: Late, asked: Ask, known: Sequence[SummaryItem], blocks: Mapping[str, Block]) -> Late:
    """What one question's answer, or that to its reminder, makes of the summary."""
    items = late.summary.items
    told = _answered(asking, asked, _about(asking, asked, blocks, items), _reminded(asking, asked, known))
    if told.items is None:
        refused = ((asked.key, told.refused[0]),) if told.refused else ()
        return Late(late.summary, (*late.refused, *refused), (*late.asks, *told.asks))
    rest = [item for item in items if not _is_replaced(item, frozenset(asked.sources), asking)]
    merged = tuple(merge.merged(rest, told.items, asking.wish.template))
    return Late(msgspec.structs.replace(late.summary, items=merged, by=asked.model), late.refused, late.asks)


def _reminded(asking: Asking, asked: Ask, known: Sequence[SummaryItem]) -> Ask | None:
    """A late question as it can be put again, for its words are not kept; None where once is all.

    It has to fit one question. What merges others is not put again: those stand without it.
    """
    if asked.reminds or asked.purpose != "summary":
        return None
    about = frozenset(asked.sources)
    groups = [kept for group in asking.book.groups if (kept := only(group, about.__contains__)).blocks]
    chunks = transcript.chunks(groups, asking.book.uses, asking.count, _fitting(asking))
    others = [item for item in known if merge.is_carried(item) and not _is_replaced(item, about, asking)]
    return ask.about(asking.wish, chunks[0].text, asked.sources, others) if len(chunks) == 1 else None


def only(group: Group, keeps: Callable[[str], bool]) -> Group:
    """A group as if some of its blocks had never been; by their ids."""
    nodes = (
        msgspec.structs.replace(node, blocks=tuple(block for block in node.blocks if keeps(block.id))) for node in group.nodes
    )
    return Group(group.index, tuple(node for node in nodes if node.blocks), group.is_user)


def _about(asking: Asking, asked: Ask, blocks: Mapping[str, Block], items: Sequence[SummaryItem]) -> Said:
    """What a question of an earlier cut was about."""
    tokens = sum(asking.book.sizes[name].text for name in asked.sources)
    about = {name: blocks[name] for name in asked.sources}
    return Said(about, _known_text(items), tokens, asking.wish.in_chinese, asking.wish.policy.language)


def wished(policy: Summarize, template: Template, groups: Sequence[Group]) -> Wish:
    """What every question of a summary has in common; the language is the person's where the policy names none."""
    return Wish(template, policy, _in_chinese(policy.language, template.language, groups))


def _in_chinese(asked: str, language: str, groups: Sequence[Group]) -> bool | None:
    if asked != "auto" or language == "zh":
        return (asked if asked != "auto" else language).partition("-")[0] == "zh"
    share = chinese_share("\n".join(words.shown(block) for block in words.typed(groups)))
    if share is None or CHINESE_BELOW <= share < CHINESE_FROM:
        return None
    return share >= CHINESE_FROM


def _said(asking: Asking, groups: Sequence[Group], tokens: int) -> Said:
    blocks = {block.id: block for group in asking.book.groups for block in group.blocks}
    about = {block.id: block for group in groups for block in group.blocks}
    about |= {name: blocks[name] for item in asking.known for name in item.sources if name in blocks}
    return Said(about, _known_text(asking.known), tokens, asking.wish.in_chinese, asking.wish.policy.language)


def _known_text(items: Sequence[SummaryItem]) -> str:
    return "\n".join(f"{item.key} {item.text}" for item in items)


def _live(asking: Asking, groups: Sequence[Group]) -> Ask | None:
    """The question at the end of the live view, where that shows everything it is about and has room for it."""
    if not asking.live_room or not _is_shown(asking.book, groups):
        return None
    sources = tuple(block.id for group in groups for block in group.blocks)
    asked = ask.live(asking.wish, transcript.outline(groups, asking.book.uses), sources, asking.known, asking.book.live)
    return asked if asking.count([asked.prompt])[0] <= asking.live_room else None


def _is_shown(book: Book, groups: Sequence[Group]) -> bool:
    cut = book.epoch.cut
    away = {one.block for one in cut.decisions if one.outcome in (Outcome.FOLD, Outcome.DROP)} if cut else set()
    return not any(block.id in away for group in groups for block in group.blocks if block.text)


def _answered(asking: Asking, first: Ask, said: Said, again: Ask | None) -> Told:
    """The answer to one question; a bad one is asked for once more, in the words of `again` (None: not at all)."""
    found, wrong = _one(asking, first, said)
    if found is None and again is not None:
        found, wrong = _one(asking, ask.again(asking.wish, again, wrong), said)
    return found or Told(None, refused=wrong, key=first.key)


def _one(asking: Asking, asked: Ask, said: Said) -> tuple[Told | None, tuple[str, ...]]:
    """A question as long as it is open, then its answer; or what is wrong with that."""
    given = asking.book.answers.get(asked.key)
    if given is None:
        return Told(None, (asked,)), ()
    items, wrong = _checked(asking, asked.key, given, said)
    return (None, tuple(wrong)) if wrong else (Told(items), ())


def _checked(asking: Asking, key: str, given: str, said: Said) -> tuple[tuple[SummaryItem, ...], list[str]]:
    if flaw := asking.book.flaws.get(key):
        return (), [flaw]
    parsed = answer.parse(given, asking.wish.template)
    tokens = asking.count([given])[0] if said.tokens else 0
    wrong = checks.findings(checks.Case(given, parsed, asking.wish.template, said, tokens))
    return tuple(kept for item in parsed.items for kept in _kept(item, said.blocks)), wrong


def _kept(item: SummaryItem, blocks: Mapping[str, Block]) -> Iterator[SummaryItem]:
    """An item as it is shown: words that stand in one of its sources are a quotation, code is an item of its own."""
    texts = [blocks[name].text for name in item.sources if name in blocks]
    if item.text and any(item.text in text for text in texts):
        yield msgspec.structs.replace(item, verbatim=True)
        return
    rest = " ".join(CODE.sub(" ", item.text).split())
    if rest or item.key:
        yield msgspec.structs.replace(item, text=rest)
    for code in CODE.findall(item.text):
        yield msgspec.structs.replace(item, text=code, key="", verbatim=True)


def _chunked(asking: Asking, chunks: Sequence[transcript.Chunk], said: Said) -> Told:
    """One question per chunk, then one that makes a single summary of the answers.

    They merge by key until that is answered, and where they are too long to be asked about at once.
    """
    parts = [_part(asking, chunk, said) for chunk in chunks]
    if refused := next((part for part in parts if part.refused), None):
        return Told(None, refused=refused.refused, key=refused.key)
    if any(part.items is None for part in parts):
        return Told(None, tuple(asked for part in parts for asked in part.asks))
    items = [part.items or () for part in parts]
    question = ask.merge(asking.wish, items, tuple(said.blocks))
    fits = asking.count([question.material])[0] <= asking.chunk
    one = _answered(asking, question, said, question) if fits else Told()
    if one.items is not None:
        return one
    joined: list[SummaryItem] = []
    for part in items:
        joined = merge.merged(joined, part, asking.wish.template)
    return Told(tuple(joined), one.asks)


def _part(asking: Asking, chunk: transcript.Chunk, said: Said) -> Told:
    """What is said of one chunk; its size is what the answer is held against."""
    held = msgspec.structs.replace(said, tokens=asking.count([chunk.text])[0], shown=frozenset(chunk.sources))
    asked = ask.about(asking.wish, chunk.text, chunk.sources, asking.known)
    return _answered(asking, asked, held, asked)


def _is_replaced(item: SummaryItem, covered: frozenset[str], asking: Asking) -> bool:
    part = asking.wish.template.part(item.section)
    return bool(item.sources) and covered.issuperset(item.sources) and not (part and part.by_code)
