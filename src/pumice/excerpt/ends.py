"""Both ends of an output and the lines between them that tell of a failure: an excerpt by numbers of lines (F-C4)."""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from pumice.domain import marks
from pumice.excerpt import clean, failing, lines, plain, salience, sniff
from pumice.excerpt.build import Excerpt, counted
from pumice.excerpt.units import BODY, Shape, Unit, inwards, render

FEWER = 0.35
"""Share of the lines that both ends take together where as many as asked for would leave out too little."""


class _Plan(msgspec.Struct, frozen=True):
    """What an excerpt may show of one text."""

    text: str
    shape: Shape
    framing: frozenset[int]
    """Positions of the units of both ends."""
    order: Sequence[int]
    """Positions of the telling ones between, the first to stay first."""
    telling: int
    """How many there are between."""
    around: tuple[str, str]

    def shown(self, most: int) -> str:
        """The excerpt with as many of the telling lines; empty where nothing may be shown."""
        left = self.telling - most
        note = f"{left} of {self.telling} more lines that tell of errors are left out" if left else ""
        stays = sorted(at for at in self.framing.union(self.order[:most]) if self.shape.units[at].tier <= BODY)
        shown = render(self.text, msgspec.structs.replace(self.shape, note=note), stays) if stays else ""
        return "\n".join(part for part in (self.around[0], shown, self.around[1]) if part) if shown else ""


def ends(
    text: str, *, head: int, tail: int, errors: int | None, limit: int, count: Callable[[str], int], tool: str = ""
) -> Excerpt | None:
    """The first `head` and the last `tail` lines, and the lines between that fail or say how it ended, within `limit` tokens.

    `errors` is how many of those, the most telling ones; None for all. A text that has no more lines, or is over the limit
    with them, shows fewer at both ends, then of the lines between the first and the last that fit, errors before warnings;
    a line of ours says how many are left out. None for a text with a shape of its own (JSON, a table, a diff, search results),
    and where lines are too long for this. Lines are verbatim, control sequences and redrawn parts left out. Linear in the text.
    """
    lead, body, trail = clean.reminders(clean.terminal(text))
    if not marks.is_plain(body) or sniff.has_shape(body, tool):
        return None
    shape = plain.guarded(body, Shape("text", lines.every(body)))
    graded, around = failing.telling(body, shape.units), (_short(lead, limit, count), _short(trail, limit, count))
    plans = [_plan(body, shape, framing, graded, errors, around) for framing in _framings(shape.units, head, tail)]
    shown = next((one for plan in plans if (one := plan.shown(len(plan.order))) and count(one) <= limit), "")
    shown = shown or (_fitted(plans[-1], limit, count) if plans else "")
    return counted(text, shown, "text") if shown else None


def _framings(units: Sequence[Unit], head: int, tail: int) -> Iterator[frozenset[int]]:
    """Both ends with as many lines as asked for, then with fewer; not where that would be the whole text."""
    rows = units[-1].row + 1
    fewer = max(1, int(rows * FEWER / 2))
    for first, last in ((head, tail), (min(head, fewer), min(tail, fewer))):
        if first + last < rows:
            yield frozenset(at for at, unit in enumerate(units) if unit.row < first or unit.row >= rows - last)


def _plan(
    text: str, shape: Shape, framing: frozenset[int], graded: Mapping[int, int], most: int | None, around: tuple[str, str]
) -> _Plan:
    between = [at for at in graded if at not in framing]
    if most is None:
        order = [at for grade in (failing.ERROR, failing.HINT) for at in inwards([at for at in between if graded[at] == grade])]
    else:
        says = salience.of_lines([text[shape.units[at].start : shape.units[at].end] for at in between])
        worth = {at: (-graded[at], -one.value, at) for at, one in zip(between, says, strict=True)}
        order = sorted(between, key=lambda at: worth[at])[:most]
    return _Plan(text, shape, framing, order, len(between), around)


def _fitted(plan: _Plan, limit: int, count: Callable[[str], int]) -> str:
    """With as many telling lines as fit; empty where both ends alone do not."""
    most = bisect_right(range(len(plan.order)), limit, key=lambda n: count(plan.shown(n))) - 1
    return plan.shown(most) if most >= 0 and plan.order else ""


def _short(reminder: str, limit: int, count: Callable[[str], int]) -> str:
    """A client's reminder beside a result, where it takes no more than a quarter of the room."""
    return reminder if marks.is_plain(reminder) and count(reminder) * 4 <= limit else ""
