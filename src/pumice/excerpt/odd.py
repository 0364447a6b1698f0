"""Rows that differ from all the others: what a reader of a table looks for."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain

_FEW_KINDS = 12
"""Distinct values up to which a column is taken for a category."""
_RARE = 0.03
"""Share of the rows a value may have to be odd."""
_OUTLIER = 8.0
"""Distances of the middle half from the median beyond which a figure is odd."""


def rows(cells: Sequence[Sequence[str]]) -> frozenset[int]:
    """Positions of rows with a rare category, a figure far out, or another number of cells than nearly all have."""
    if len(cells) < 8:
        return frozenset()
    widths = Counter(map(len, cells))
    usual = widths.most_common(1)[0][0]
    odd = {at for at, row in enumerate(cells) if len(row) != usual and widths[len(row)] <= max(1, _RARE * len(cells))}
    whole = [(at, row) for at, row in enumerate(cells) if len(row) == usual]
    columns = ([row[column] for _, row in whole] for column in range(usual))
    return frozenset(odd | {whole[at][0] for at in chain.from_iterable(map(_in_column, columns))})


def _in_column(values: list[str]) -> Iterable[int]:
    kinds = len(set(values))
    if kinds <= 1:
        return []
    if kinds <= _FEW_KINDS:
        counts = Counter(values)
        limit = max(1, _RARE * len(values))
        rare = {value for value, n in counts.items() if n <= limit}
        return [at for at, value in enumerate(values) if value in rare] if len(rare) < len(counts) else []
    figures = _figures(values)
    if not figures:
        return []
    known = sorted(figure for figure in figures if figure is not None)
    low, middle, high = (known[len(known) * share // 4] for share in (1, 2, 3))
    reach = _OUTLIER * (high - low)
    return [at for at, figure in enumerate(figures) if figure is not None and reach and abs(figure - middle) > reach]


def _figures(values: Sequence[str]) -> list[float | None]:
    """What the cells of a column come to; nothing where more than one in ten is no figure."""
    figures: list[float | None] = []
    missing = 0
    for value in values:
        figures.append(_figure(value))
        missing += figures[-1] is None
        if missing * 10 > len(values):
            return []
    return figures


def _figure(value: str) -> float | None:
    is_bare = value[:1].isdigit() and value[-1:].isdigit() and "," not in value
    try:
        return float(value if is_bare else value.strip().strip('"').replace(",", "").lstrip("$€£¥").rstrip("%"))
    except ValueError:
        return None
