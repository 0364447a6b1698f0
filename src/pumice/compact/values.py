"""What a line is worth: the predicted re-use of the entities whose newest line it is (frontier §5.3)."""

import math
from collections.abc import Collection, Sequence

from pumice.compact.lines import LineIndex, Place

USED, USED_AGAIN = 0.5, 0.65
"""An entity the model has used n times, last t groups ago, is worth 0.5 · (1 + 0.65 · ln(1 + n)) · t^−0.4."""
FORGETTING, LEAST_AGE = 0.4, 4
FRESH = 0.026
"""One it never used: this, times its kind, its source and its age."""
FOCUSED = 1.0
"""One that a compaction by hand was asked to keep in mind."""
LISTING = 0.35
AGE_FLOOR, AGE_SPAN, AGE_GROUPS = 0.5, 1.2, 60.0
# By kind, after frontier §5.3. A place, the number in `src/app.py:120`, is our own: lists of findings are worked through later.
KINDS = {
    "dotted": 1.4,
    "path": 1.2,
    "place": 1.2,
    "snake": 1.0,
    "kebab": 0.9,
    "camel": 0.8,
    "hash": 0.5,
    "uuid": 0.5,
    "url": 0.4,
    "number": 0.35,
}

_MANY = 200
_AGAIN = tuple(USED * (1 + USED_AGAIN * math.log(1 + uses)) for uses in range(_MANY + 1))


def line_values(index: LineIndex, hidden: Sequence[bool], focus: Collection[str] = frozenset()) -> dict[int, dict[int, float]]:
    """Value of each piece, by place and position in its scan, of the places that are `hidden`.

    Only an entity's newest line has its value, so older lines of the same are superseded by themselves. Entities in
    `focus` are taken as sure to be used again.
    """
    now = index.places[-1].group if index.places else 0
    fresh = [_freshness(place, now) if is_hidden else -1.0 for place, is_hidden in zip(index.places, hidden, strict=True)]
    faded = [max(LEAST_AGE, age) ** -FORGETTING for age in range(now + 1)]
    values: dict[int, dict[int, float]] = {place: {} for place, factor in enumerate(fresh) if factor >= 0}
    for entry in index.entries.values():
        place = entry.place
        factor = fresh[place]
        if factor < 0:
            continue
        uses, piece, held = entry.uses, entry.piece, values[place]
        worth = _AGAIN[min(uses, _MANY)] * faded[now - entry.used_in] if uses else factor * KINDS[entry.kind]
        held[piece] = held[piece] + worth if piece in held else worth
    for entry in (index.entries[name] for name in focus if name in index.entries):
        held = values.get(entry.place, {})
        if entry.piece in held:
            held[entry.piece] += FOCUSED
    return values


def _freshness(place: Place, now: int) -> float:
    age = now - place.group
    return FRESH * (LISTING if place.is_listing else 1.0) * (AGE_FLOOR + AGE_SPAN * math.exp(-age / AGE_GROUPS))
