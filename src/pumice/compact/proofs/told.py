"""Proofs of what is told: nothing both done and to do, every statement with a source, key names still there."""

from collections.abc import Iterable, Iterator

from pumice.compact.proofs.case import Case
from pumice.compact.words import typed
from pumice.domain import marks
from pumice.domain.block import Block, Origin
from pumice.domain.state import Entry
from pumice.domain.summary import SummaryItem
from pumice.measure import entities

_DONE, _TO_DO = "done", ("next", "to_confirm")
_HINT = f"{marks.GAP} ("
"""How a line of ours begins that says nobody knows where it comes from."""
_LIVE = ("open", "active")
_MOST = 5
"""Names a finding lists."""


def statuses(case: Case) -> Iterator[str]:
    """Nothing is both done and open, in the state or in a summary; a list that names a thing twice says so itself."""
    items = [item for item in case.book.state.items if not item.by]
    done = {(item.entry, item.key or item.text): item.sources for item in items if item.status == _DONE}
    for item in items:
        name = item.key or item.text
        if item.status == "open" and done.get((item.entry, name), item.sources) != item.sources:
            yield f"{name!r} is both done and open"
    told = _statements(case)
    over = {item.name for item in told if item.status == _DONE}
    yield from (
        f"the summary says of {item.name!r} that it is done and to do"
        for item in told
        if item.status in _TO_DO and item.name in over
    )
    plan = {item.text for item in items if item.entry is Entry.PLAN and item.status in _LIVE}
    yield from (f"the summary says that {name!r} is done, the plan that it is not" for name in sorted(over & plan))


def sources(case: Case) -> Iterator[str]:
    """Every statement of a summary names blocks of this session or is marked as a hint; quotations are quotations."""
    for item in _statements(case):
        unknown = [name for name in item.sources if name not in case.blocks]
        if unknown:
            yield f"{unknown[0]} is named as a source of {item.text[:60]!r} and is no block"
        elif not item.sources and not _is_hint(case, item):
            yield f"{item.text[:60]!r} has no source and is not marked as a hint"
        elif item.verbatim and not _is_quoted(item, (case.blocks[name] for name in item.sources)):
            yield f"{item.text[:60]!r} stands in none of its sources"


def key_entities(case: Case) -> Iterator[str]:
    """Names in the newest words, in what the model did last and in what is to do can be read, or read back."""
    lost = sorted({name for text, block in _newest(case) if block not in case.named for name in entities.names(text)})
    lost = [name for name in lost if not case.stands(name)]
    if lost:
        yield f"{len(lost)} names are lost: {', '.join(lost[:_MOST])}"


def _newest(case: Case) -> Iterator[tuple[str, str]]:
    """Texts whose names are key, each with the block it stands in."""
    said = typed(case.book.groups)[-1:]
    step = next((group for group in reversed(case.book.groups) if not group.is_user), None)
    did = [block for block in step.blocks if block.origin is Origin.MODEL] if step else []
    yield from ((block.text, block.id) for block in (*said, *did) if marks.is_clean(block.text))
    for item in case.book.state.items:
        is_live = item.entry in (Entry.PLAN, Entry.NEXT) and item.status in _LIVE
        if is_live and item.sources and item.sources[0] in case.blocks and marks.is_plain(item.text):
            yield item.text, item.sources[0]


def _statements(case: Case) -> list[SummaryItem]:
    """What a summary says; items that only name blocks say nothing."""
    return [item for item in (case.cut.summary.items if case.cut.summary else ()) if item.text]


def _is_hint(case: Case, item: SummaryItem) -> bool:
    text = " ".join(item.text.split())
    lines = [line for line in case.cut.preface.split("\n") if text in line]
    return not item.verbatim and all(line.startswith(_HINT) for line in lines)


def _is_quoted(item: SummaryItem, found: Iterable[Block]) -> bool:
    """Whether each line stands in a source, after the number a line of ours may put before it."""
    known = "\n".join(block.text for block in found)
    for line in item.text.split("\n"):
        number, arrow, rest = line.partition("→")
        bare = rest if arrow and number.strip().isdigit() else line
        if not line.startswith(marks.GAP) and bare.strip() not in known and line.strip() not in known:
            return False
    return True
