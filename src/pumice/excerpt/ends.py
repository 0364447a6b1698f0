"""Both ends of an output and the lines between them that tell of a failure: an excerpt by numbers of lines (F-C4)."""

from bisect import bisect_right
from collections.abc import Callable, Sequence

from pumice.domain import marks
from pumice.excerpt import clean, lines, plain, salience, sniff
from pumice.excerpt.build import Excerpt
from pumice.excerpt.units import BODY, Shape, Unit, render

FEWER = 0.35
"""Share of the lines that both ends take together where as many as asked for would leave out too little."""


def ends(
    text: str, *, head: int, tail: int, errors: int | None, limit: int, count: Callable[[str], int], tool: str = ""
) -> Excerpt | None:
    """The first `head` and the last `tail` lines, and the lines between that fail or say how it ended, within `limit` tokens.

    `errors` is how many of those, the most telling ones; None for all. A text that has no more lines, or is over the limit
    with them, shows fewer at both ends. None for a text with a shape of its own (JSON, a table, a diff, search results), and
    where lines are too long for this. Lines are verbatim, control sequences and redrawn parts left out. Linear in the text.
    """
    lead, body, trail = clean.reminders(clean.terminal(text))
    if not marks.is_plain(body) or sniff.has_shape(body, tool):
        return None
    units = list(lines.split(body))
    rows = units[-1].row + 1
    fewer = max(1, int(rows * FEWER / 2))
    for first, last in ((head, tail), (min(head, fewer), min(tail, fewer))):
        shown = _shown(body, units, first, last, errors) if first + last < rows else ""
        whole = "\n".join(part for part in (_short(lead, limit, count), shown, _short(trail, limit, count)) if part)
        if shown and count(whole) <= limit:
            ours = sum(line.startswith(marks.GAP) for line in whole.split("\n"))
            total = text.count("\n") + 1
            return Excerpt(whole, "text", total, min(total, whole.count("\n") + 1 - ours))
    return None


def _shown(text: str, units: Sequence[Unit], head: int, tail: int, errors: int | None) -> str:
    last = units[-1].row
    framing = {at for at, unit in enumerate(units) if unit.row < head or unit.row > last - tail}
    chosen = framing | _telling(text, units, framing, errors)
    shape = plain.guarded(text, Shape("text", units))
    return render(text, shape, sorted(at for at in chosen if shape.units[at].tier <= BODY))


def _telling(text: str, units: Sequence[Unit], framing: set[int], most: int | None) -> set[int]:
    """Positions of the units that must stay besides the ends; in a file's own lines words of failure are only names."""
    bodies = lines.texts(text, units)
    suspect = set[int]() if lines.is_numbered(bodies) else _suspect(text, units) - framing
    says = salience.of_lines(bodies, weighed=[at in suspect for at in range(len(units))]) if suspect else []
    found = [at for at in sorted(suspect) if says[at].must]
    if most is not None and len(found) > most:
        found = sorted(found, key=lambda at: (-says[at].value, at))[:most]
    return set(found)


def _suspect(text: str, units: Sequence[Unit]) -> set[int]:
    low = text.lower()
    starts = [unit.start for unit in units]
    found = lines.SUSPECT.finditer(low if len(low) == len(text) else text)
    return {max(0, bisect_right(starts, match.start()) - 1) for match in found}


def _short(reminder: str, limit: int, count: Callable[[str], int]) -> str:
    """A client's reminder beside a result, where it takes no more than a quarter of the room."""
    return reminder if marks.is_plain(reminder) and count(reminder) * 4 <= limit else ""
