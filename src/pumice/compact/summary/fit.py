"""Fit items into a number of tokens: the most needed first, what stands elsewhere and what finds no room by its blocks only."""

from collections.abc import Collection, Iterable, Iterator, Sequence

import msgspec

from pumice.compact.ruler import Ruler
from pumice.compact.summary import merge, render
from pumice.compact.summary.render import MORE, STANDS
from pumice.compact.summary.template import OPEN, Feed, Template
from pumice.compact.words import middle_cut
from pumice.domain.summary import SummaryItem

NEED: tuple[Feed, ...] = (
    "goal", "corrections", "rules", "next", "errors", "plan_open", "questions", "decisions", "approvals", "attempts", "effects",
    "children", "words", "files", "plan_done", "fixed", "said", "commands", "advice", "lines",
)  # fmt: skip
"""Feeds, the most needed first."""
CITED = 20
"""Being named by one more block counts as much as being so many blocks newer."""
MOST_OF_ROOM = 0.25
"""Share of the room one item may take; longer words of a person lose their middle."""
_FRAME, _ASIDE = 14, 36
"""Tokens of a line that says what found no room, of one that says what stands elsewhere, at most; any section may need one."""


class Fitted(msgspec.Struct, frozen=True):
    items: tuple[SummaryItem, ...]
    """In the order of the template; older first within a section."""
    left: int
    """Tokens of the room that are still free."""


def fit(items: Sequence[SummaryItem], template: Template, ruler: Ruler, *, room: int, standing: str = "") -> Fitted:
    """The items that fit `room` tokens; one whose words stand in `standing` is named there, not repeated."""
    cited, told = _Sorted(), []
    for item in items:
        if _stands(item, standing):
            cited.add(item)
        else:
            told.append(item)
    told = [_shortened(item, cost, room) for item, cost in zip(told, _costs(told, template, ruler), strict=True)]
    asides = len(template.sections) * _FRAME + len(cited.by_section) * _ASIDE
    chosen, over, left = _chosen(told, template, ruler, room - round(asides * ruler.factor), cited.by_section)
    found = tuple(one for part in template.sections for one in _section(part.key, cited, chosen, over))
    return Fitted(found, max(0, left))


class _Sorted:
    """Items by their section."""

    def __init__(self) -> None:
        self.by_section: dict[str, list[SummaryItem]] = {}

    def add(self, item: SummaryItem) -> None:
        self.by_section.setdefault(item.section, []).append(item)

    def of(self, section: str) -> Sequence[SummaryItem]:
        return self.by_section.get(section, ())


def _chosen(
    items: Sequence[SummaryItem], template: Template, ruler: Ruler, left: int, opened: Collection[str]
) -> tuple[_Sorted, _Sorted, int]:
    """What fits, what does not, and what is left; a section's first item pays for its title too."""
    chosen, over = _Sorted(), _Sorted()
    costs = ruler.inline([render.opening(part, template) for part in template.sections])
    titles = {part.key: cost for part, cost in zip(template.sections, costs, strict=True)}
    by_need = sorted(zip(items, _costs(items, template, ruler), strict=True), key=lambda pair: _rank(pair[0], template))
    for item, cost in by_need:
        is_open = item.section in chosen.by_section or item.section in opened
        whole = cost if is_open else cost + titles[item.section]
        if whole <= left:
            left -= whole
            chosen.add(item)
        else:
            over.add(item)
    return chosen, over, left


def _stands(item: SummaryItem, standing: str) -> bool:
    return bool(item.text) and item.verbatim and item.text in standing


def _costs(items: Sequence[SummaryItem], template: Template, ruler: Ruler) -> list[int]:
    return ruler.inline([render.item(item, template) for item in items])


def _shortened(item: SummaryItem, cost: int, room: int) -> SummaryItem:
    """An item of which one share of the room is enough: words lose their middle, and say how much of it."""
    most = MOST_OF_ROOM * room
    if cost <= most or not item.verbatim or not render.is_showable(item.text):
        return item
    return msgspec.structs.replace(item, text=middle_cut(item.text, most / cost))


def _rank(item: SummaryItem, template: Template) -> tuple[int, int]:
    """By need, then newest and most cited first."""
    return _need(item, template), -(merge.newest(item.sources) + CITED * len(item.sources))


def _need(item: SummaryItem, template: Template) -> int:
    """How needed an item is, told from where it stands and how: an item carried over ranks as it did when it was new."""
    part = template.part(item.section)
    takes: Sequence[Feed] = part.takes if part else ()
    first = min(map(NEED.index, takes), default=NEED.index("said"))
    if merge.is_lines(item):
        return NEED.index("lines")
    if item.status == "done":
        return max(first, NEED.index("effects" if item.key else "plan_done"))
    if item.status in OPEN:
        return first
    return max(first, NEED.index("files")) if not item.text else first


def _section(section: str, cited: _Sorted, chosen: _Sorted, over: _Sorted) -> Iterator[SummaryItem]:
    """What stands elsewhere, the items, then the ends of what found no room."""
    elsewhere = _ordered(item.sources[-1] for item in cited.of(section) if item.sources)
    if elsewhere:
        yield SummaryItem(section, "", STANDS, sources=elsewhere)
    yield from sorted(chosen.of(section), key=lambda item: merge.newest(item.sources))
    missing = _ordered(name for item in over.of(section) for name in item.sources)
    if missing:
        yield SummaryItem(section, "", MORE, sources=tuple(dict.fromkeys((missing[0], missing[-1]))))


def _ordered(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(names), key=lambda name: merge.newest((name,))))
