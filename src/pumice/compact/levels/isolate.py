"""Level isolate: what finished sub-agents reported stands as a conclusion, with handles on what they did (F-C8)."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from pumice.commit import effects
from pumice.commit.effects import Does
from pumice.compact import conclusion, exchanges, labels
from pumice.compact.exchanges import Exchange
from pumice.compact.layout import Brief, Layout
from pumice.compact.section import Section
from pumice.compact.split import as_shown
from pumice.domain import marks, pointer
from pumice.domain.decision import Decision, shown_as
from pumice.domain.state import Entry, Item

LEVEL = "isolate"
NAMED = 10
"""Newest sub-agents whose report has left the view that are still named."""
_FRAME = 60
"""Tokens of the marks around a conclusion and of the line with its handles."""
_ENDS = 400
"""Characters at either end of a report in which a client names the sub-agent."""
_AGENT = re.compile(r"\b(?:agent_?id|task_?id|session_?id)\W{1,4}([\w-]{4,64})", re.I)


def lay_out(brief: Brief, before: Layout) -> Layout:
    """Each report that still stands becomes its conclusion where that is smaller; one that has gone keeps its best lines.

    A sub-agent that still works is never touched, nor the last groups (F-D5).
    """
    over = [exchange for exchange in _reports(brief, Layout()) if not _is_running(brief, exchange)]
    standing = {exchange.result.id for exchange in _reports(brief, before)}
    newest = {block.id for group in brief.book.groups[-max(1, brief.policy.keep.last_groups) :] for block in group.blocks}
    ruler = as_shown(brief, before)
    forms: dict[str, Decision] = {}
    for exchange in over:
        if exchange.result.id in standing and exchange.result.id not in newest:
            form = _form(brief, exchange)
            if brief.ruler.shown(exchange.result, form) < ruler.block(exchange.result):
                forms[exchange.result.id] = form
    gone = [exchange for exchange in over if before.folds(exchange.position) and exchange.result.id not in standing]
    named = _named(brief, gone, before.sections)
    return msgspec.structs.replace(
        before,
        level=LEVEL,
        forms={**before.forms, **forms},
        sections=(*before.sections, named) if named.text else before.sections,
    )


def _reports(brief: Brief, layout: Layout) -> list[Exchange]:
    """The exchanges a layout shows in which a sub-agent reports: its call, or one that has fetched its end."""
    closed = {item.by for item in _children(brief) if item.by}
    shown = exchanges.standing(brief.book.groups, brief.book.uses, layout)
    return [one for one in shown if effects.does(one.call) is Does.AGENT or one.result.id in closed]


def _children(brief: Brief) -> Iterator[Item]:
    return (item for item in brief.book.state.items if item.entry is Entry.CHILD)


def _is_running(brief: Brief, exchange: Exchange) -> bool:
    names = {exchange.call.id, exchange.result.id}
    return any(item.status == "open" and names.intersection(item.sources) for item in _children(brief))


def _form(brief: Brief, exchange: Exchange) -> Decision:
    """The result as its conclusion."""
    report, address = exchange.result, pointer.artifact(exchange.result.id)
    room = brief.policy.isolate.tokens - _FRAME
    shown = [*conclusion.lines(report, room, brief.ruler), marks.gap(_handles(brief, exchange))]
    text = marks.wrap("conclusion", "\n".join(shown), of=report.id, **brief.ruler.redeem.mark(report.id, address))
    return shown_as(report.id, text, level=LEVEL, reason="a finished sub-agent's report", pointer=address)


def _handles(brief: Brief, exchange: Exchange) -> str:
    """What can be read back: the report, and what the sub-agent did where its session is known here."""
    total = exchange.result.text.count("\n") + 1
    work = dict.fromkeys(_work(brief, exchange))
    return ", ".join((f"{total} lines in {exchange.result.id}", *(f"its work in {first}–{last}" for first, last in work)))


def _work(brief: Brief, exchange: Exchange) -> Iterable[tuple[str, str]]:
    """First and last block of the sub-agent's own lane, found by the names a client gives it."""
    children: Mapping[str, tuple[str, str]] = brief.book.children
    text = exchange.result.text
    names = [exchange.call.call_id, *_AGENT.findall(text[:_ENDS] + "\n" + text[-_ENDS:])]
    names += [item.key for item in _children(brief) if exchange.call.id in item.sources]
    return (children[name] for name in names if name in children)


def _named(brief: Brief, gone: Sequence[Exchange], before: Sequence[Section]) -> Section:
    """Reports that have left the view with their best lines, within the tokens of one conclusion; each only once."""
    said = "\n".join(part.text for part in before)
    left = [exchange for exchange in gone if not re.search(rf"\b{exchange.result.id}\b", said)][-NAMED:]
    room = brief.policy.isolate.tokens - _FRAME
    parts: list[str] = []
    for at, exchange in enumerate(reversed(left)):
        label = labels.label(exchange.blocks, brief.book.uses)
        cost = sum(brief.ruler.inline([label]))
        if cost > room:
            break
        lines = conclusion.lines(exchange.result, (room - cost) // (len(left) - at), brief.ruler)
        room -= cost + sum(brief.ruler.inline(lines))
        parts.insert(0, "\n".join((label, *lines)))
    sources = tuple(exchange.result.id for exchange in left[len(left) - len(parts) :])
    return Section("children", "\n".join(parts), sources)
