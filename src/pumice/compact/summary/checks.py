"""Prove what a model wrote of a session against the session itself, before any of it is shown (F-C5, F-D3)."""

import re
from collections.abc import Callable, Iterator

import msgspec

from pumice.compact.summary import laid, merge, tongue
from pumice.compact.summary.answer import Parsed
from pumice.compact.summary.render import MORE, STANDS
from pumice.compact.summary.said import ASCRIBED, Said
from pumice.compact.summary.template import OPEN, Template
from pumice.domain import marks
from pumice.domain.block import Kind
from pumice.domain.summary import SummaryItem

NAMED = 120
"""Characters of an item that a finding quotes."""
_GUESSES = re.compile(
    r"\b(?:probably|likely|presumably|perhaps|maybe|might\s+be|may\s+be|seems?\s+to|appears?\s+to|I\s+(?:think|assume|guess)|apparently)\b"
    r"|大概|也许|似乎|估计|推测|可能是|应该是",
    re.I,
)
_BEGUN = re.compile(
    r"^(?:(?:now|next|okay|ok|great)[,.]?\s+)?(?:let\s+me|let['’]s|I(?:['’]ll|\s+will|['’]m\s+going\s+to|\s+am\s+going\s+to)\s"
    r"|would\s+you\s+like|do\s+you\s+want|shall\s+I|should\s+I\s)|^(?:接下来我|现在我|让我|我将|我现在|是否需要我|需要我)",
    re.I,
)
_CALLS = re.compile(r"<(?:/?(?:tool_call|tool_use|function_calls?|invoke|antml:\w+))\b|\"tool_calls\"\s*:")
_NO_PERSON = "No message of the user is named as the source of this rule"
_NO_RULE = "No message of the user named here says this word for word and whole"
_ASCRIBED = re.compile(rf"^(?:{ASCRIBED.pattern})\s*[:：]", re.I)
"""Whose a rule is said to be, before it."""
_OURS = re.compile(rf"^[ \t]*\d+(?:→|\t)|\b\d+ lines$|^{marks.GAP} \d+ characters$", re.M)
"""Figures that pumice puts at lines of a block: their numbers, and how many there are."""
_CUT_OFF = re.compile(r"(?:\.\.\.|…)\s*$")


class Case(msgspec.Struct, frozen=True):
    """An answer, read, with what it was made from."""

    answer: str
    parsed: Parsed
    template: Template
    said: Said
    tokens: int
    """Size of the answer."""

    @property
    def items(self) -> tuple[SummaryItem, ...]:
        return self.parsed.items


def findings(case: Case) -> list[str]:
    """Everything wrong with an answer, in sentences a model can act on; empty when it may stand."""
    for proofs in ((empty,), (form, whole, size), PROOFS):
        if found := list(dict.fromkeys(said for proof in proofs for said in proof(case))):
            return found
    return []


def empty(case: Case) -> Iterator[str]:
    """Something is said."""
    if not case.answer.strip():
        yield "The answer is empty."


def form(case: Case) -> Iterator[str]:
    """Every section that was asked for stands, and tags are those of the template."""
    missing = [part.title for part in case.template.sections if not part.by_code and part.key not in case.parsed.found]
    if missing:
        yield f"These sections are missing: {', '.join(missing)}."
    elif not case.items:
        yield "No section says anything."
    told = {item.section for item in case.items}
    if blank := [part.title for part in case.template.sections if part.needed and part.key not in told and case.said.is_asked]:
        yield f"These sections say nothing, but the user has said what belongs there: {', '.join(blank)}."
    if case.parsed.tags:
        words = ", ".join(case.template.tags.values())
        yield f"These are no statuses: {', '.join(dict.fromkeys(case.parsed.tags))}. Use {words}."


def size(case: Case) -> Iterator[str]:
    """A summary is smaller than what it sums up."""
    if case.said.tokens and case.tokens >= case.said.tokens:
        yield f"The summary has {case.tokens} tokens, what it sums up {case.said.tokens}."


def whole(case: Case) -> Iterator[str]:
    """Nothing is cut off: no section, no item (B-M9)."""
    clipped = [item for item in case.items if _CUT_OFF.search(item.text) and item.text not in case.said.text]
    if not case.parsed.is_whole:
        yield "The answer breaks off: a block or an element is not closed."
    yield from (f"This item breaks off: {_named(item)}" for item in clipped)


def language(case: Case) -> Iterator[str]:
    """It is in the language that was asked for."""
    told = "\n".join(item.text for item in case.items if item.text not in case.said.text)
    wanted = case.said.wanted
    if wanted and tongue.contradicts(told, wanted):
        yield f"The summary is not in {'Chinese' if wanted == 'zh' else f'the language with the code {wanted}'}."
    if case.said.in_chinese is False and (tongue.chinese_share(told) or 0) > tongue.MOST_SHARE:
        yield "The summary is in Chinese; the user does not write Chinese."


def rules(case: Case) -> Iterator[str]:
    """No rule that no person has laid down, none turned round, none without its exception."""
    for item in case.items:
        part = case.template.part(item.section)
        if item.key in (STANDS, MORE):
            continue
        if part is not None and part.rules:
            yield from _laid_down(item, case)
            continue
        wrong = [one for one in _commands(item) if not case.said.holds(one, item)]
        if wrong:
            own = case.said.typed(item)
            yield f"{_NO_RULE if own else _NO_PERSON}: {_short(wrong[0])}{_instead(wrong[0], own)}"


def _laid_down(item: SummaryItem, case: Case) -> Iterator[str]:
    """An item of a section of rules: whole sentences of the message it names."""
    own = case.said.typed(item)
    told = _ASCRIBED.sub("", item.text or item.key)
    beside = "\n".join(other.text for other in case.items if other.section == item.section)
    part = case.template.part(item.section)
    if item.status and part is not None and not part.status:
        yield f"A rule has no status: [{case.template.tags[item.status]}] {_named(item)}"
    elif not own:
        yield f"{_NO_PERSON}: {_named(item)}"
    elif not laid.wholly(told, own, beside) or (item.text and not laid.is_label(item.key, own)):
        yield f"{_NO_RULE}: {_named(item)}{_instead(told, own)}"


def _commands(item: SummaryItem) -> Iterator[str]:
    is_open = item.status in OPEN
    for text in (item.key, item.text):
        yield from laid.commands(text, is_open=is_open)


def _instead(told: str, own: str) -> str:
    near = laid.nearest(told, own)
    return f" The message says: {_short(near)}" if near else ""


def wishes(case: Case) -> Iterator[str]:
    """Nothing is put into a person's mouth that a tool has said, or nobody."""
    for item in case.items:
        if ASCRIBED.search(item.text) and not case.said.is_wish(item):
            yield f"The user has not said this: {_named(item)}"


def sources(case: Case) -> Iterator[str]:
    """Blocks that are named exist; files, decisions and steps name some."""
    for item in case.items:
        unknown = [name for name in item.sources if name not in case.said.blocks]
        part = case.template.part(item.section)
        if unknown:
            yield f"{', '.join(unknown)} is no block of this session: {_named(item)}"
        elif part is not None and part.sourced and not item.sources:
            yield f"No block is named as the source of: {_named(item)}"


def quotations(case: Case) -> Iterator[str]:
    """Where a section asks for a quotation, each item has one."""
    for item in case.items:
        part = case.template.part(item.section)
        if part is not None and part.quotes and item.key not in (STANDS, MORE) and not case.said.spelling.is_quoted(item.text):
            yield f"This quotes no words of the session in quotation marks: {_named(item)}"


def names(case: Case) -> Iterator[str]:
    """Paths, ids, numbers and quoted words stand in the source exactly so."""
    for item in case.items:
        told = " ".join(words for words in _words(item, case.said) if not case.said.spelling.holds(words))
        if wrong := case.said.spelling.altered(told, case.said.blocks):
            yield f"{', '.join(wrong)} does not stand in the session like this: {_named(item)}"


def _words(item: SummaryItem, said: Said) -> list[str]:
    """What an item says: of a call without the tool it names, of lines of a block each without its number."""
    tool, _, rest = item.key.partition(" ")
    key = rest if tool in said.tools else item.key
    return _OURS.sub("", f"{key}\n{item.text}").split("\n") if merge.is_lines(item) else [key, item.text]


def statuses(case: Case) -> Iterator[str]:
    """Nothing is both done and open."""
    done = {item.name for item in case.items if item.status == "done"}
    for item in case.items:
        if item.status in ("next", "to_confirm") and item.name in done:
            yield f"This is both finished and open: {_named(item)}"


def outcomes(case: Case) -> Iterator[str]:
    """What is called done is not what failed, and the blocks it names are about it."""
    for item in case.items:
        named = [case.said.blocks[name] for name in item.sources if name in case.said.blocks]
        if item.status != "done" or not named:
            continue
        results = [block for block in named if block.kind is Kind.RESULT]
        if results and all(map(case.said.has_failed, results)):
            yield f"This is called done, but {', '.join(block.id for block in results)} failed: {_named(item)}"
        elif not case.said.mentions(named, f"{item.key} {item.text}"):
            yield f"{', '.join(block.id for block in named)} names nothing of this: {_named(item)}"


def guesses(case: Case) -> Iterator[str]:
    """What is only supposed says so by its status."""
    tag = case.template.tags["to_confirm"]
    for item in case.items:
        if item.status != "to_confirm" and _GUESSES.search(item.text) and item.text not in case.said.text:
            yield f"This is a guess and needs the status [{tag}]: {_named(item)}"


def begun(case: Case) -> Iterator[str]:
    """It sums up and does nothing else: no call, no next step begun, no word to the user, no mark of ours."""
    told = "\n".join((case.answer, *(f"{item.key} {item.text}" for item in case.items)))
    if _CALLS.search(told):
        yield "The answer calls a tool; none may be called."
    if marks.OPEN in told or marks.CLOSE in told or any(marks.GAP in f"{item.key}{item.text}" for item in case.items):
        yield f"The answer holds marks of another program ({marks.OPEN}…> or {marks.GAP}); leave them out."
    for item in case.items:
        if _BEGUN.search(item.text) and item.text not in case.said.text:
            yield f"This begins the next step or speaks to the user: {_named(item)}"


PROOFS: tuple[Callable[[Case], Iterator[str]], ...] = (
    language, rules, wishes, sources, quotations, names, statuses, outcomes, guesses, begun,
)  # fmt: skip


def _named(item: SummaryItem) -> str:
    return _short(f"{item.key} {item.text}")


def _short(told: str) -> str:
    text = " ".join(told.split())
    return text if len(text) <= NAMED else f"{text[:NAMED]}…"
