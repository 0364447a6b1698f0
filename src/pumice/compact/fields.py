"""Required fields in prose: a model is asked where no result gives one, and what it answers counts if it stands there."""

import hashlib
import re
from collections.abc import Iterator, Sequence

import msgspec

from pumice.commit.draft import ADVISORY, UNKNOWN
from pumice.compact import extracted, passages
from pumice.domain import marks
from pumice.domain.block import Block, Origin
from pumice.domain.book import Book
from pumice.domain.policy import Policy
from pumice.domain.state import Entry, Item
from pumice.domain.summary import Ask
from pumice.wire import jsonbytes

PURPOSE = "extract"
PASSAGES = 12
"""Best passages a model is shown."""
MAX_TOKENS = 400
PROMPT = """\
Below are passages of a conversation, each under the name of its block. For each field listed here, say its value exactly as
the passages have it, word for word, and the block it stands in. One line per field, and nothing else:
field: value [b12]
Leave out every field whose value is not there. If none is there, write: none

Fields:
{fields}"""
_LINE = re.compile(r"^\s*[-*]?\s*(?P<field>[^:：\n]+?)\s*[:：]\s*(?P<value>\S.*?)\s*\[(?P<block>b\d+)\]\s*$", re.M)


class Taken(msgspec.Struct, frozen=True):
    book: Book
    """Its state knows what was found."""
    asks: tuple[Ask, ...] = ()
    """What is still to be asked, and what was answered before and still counts."""


def taken(book: Book, policy: Policy) -> Taken:
    """A Book with what a model has found of the fields nothing else gave, and the question for those still unknown.

    Nothing is asked under a policy without a model. An answer counts only as far as its words stand in the block it names.
    """
    missing = [item.text for item in book.state.items if item.status == UNKNOWN]
    if not missing or policy.summarize.model is None:
        return Taken(book)
    told = {block.id: block for group in (*book.before, *book.groups) for block in group.blocks if extracted.is_told(block)}
    before = [ask for ask in (book.epoch.cut.asks if book.epoch.cut else ()) if ask.purpose == PURPOSE]
    fresh = _ask(list(told.values()), missing, policy)
    answered = [ask for ask in (*before, *fresh) if ask.key in book.answers]
    found = {item.key: item for ask in answered for item in _items(book.answers[ask.key], told, missing)}
    items = [item for item in book.state.items if not (item.status == UNKNOWN and item.text in found)]
    state = msgspec.structs.replace(book.state, items=(*items, *found.values()))
    open_ = () if len(found) == len(missing) else fresh
    asks = {ask.key: ask for ask in (*answered, *open_)}
    return Taken(msgspec.structs.replace(book, state=state), tuple(asks.values()))


def _ask(told: Sequence[Block], missing: Sequence[str], policy: Policy) -> tuple[Ask, ...]:
    """The question, over the passages that speak of the fields; none when nothing does."""
    names = [(field, *policy.commit_before_compact.synonyms.get(field, ())) for field in missing]
    query = "\n".join(name.replace("_", " ") for of in names for name in of)
    found = passages.find([block for block in told if marks.is_clean(block.text)], query).best[:PASSAGES]
    if not found:
        return ()
    listed = "\n".join(f"- {', or '.join(of)}" for of in names)
    shown = sorted(found, key=lambda one: (told.index(one.block), one.pieces[0].start))
    material = "\n\n".join(f"{one.block.id}\n{one.text}" for one in shown)
    sources = tuple(dict.fromkeys(one.block.id for one in shown))
    model = policy.summarize.model or ""
    made = Ask(PURPOSE, PROMPT.format(fields=listed), MAX_TOKENS, material, sources=sources, model=model)
    key = hashlib.sha256(jsonbytes.encode(msgspec.to_builtins(made))).hexdigest()
    return (msgspec.structs.replace(made, key=key),)


def _items(answer: str, told: dict[str, Block], missing: Sequence[str]) -> Iterator[Item]:
    for line in _LINE.finditer(answer):
        field, value, block = line["field"].strip("`* "), line["value"].strip("`\"' "), told.get(line["block"])
        if field in missing and block is not None and value and value in block.text:
            status = "" if block.origin is Origin.PERSON else ADVISORY
            yield Item(Entry.FACT, value, (block.id,), field, status)
