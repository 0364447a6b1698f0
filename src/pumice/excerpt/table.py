"""Tables: CSV and its relatives, psql and Markdown, columns by width. The header and some rows always stay."""

import re
from collections import Counter
from collections.abc import Sequence

import msgspec

from pumice.excerpt import lines, odd
from pumice.excerpt.units import Shape

_SAMPLE = 200
_RULE = re.compile(r"\s*[|+]?\s*:?[-=]{2,}:?(?:\s*[|+\s]\s*:?[-=]{2,}:?)*\s*[|+]?\s*$")
_NAMES = {",": "CSV", "\t": "TSV", ";": "CSV by semicolons", "|": "table", "  ": "table"}
_FOOT = re.compile(r"\s*\(\d+ rows?\)\s*$")
_WIDE = re.compile(r"\s{2,}|\t")


class Layout(msgspec.Struct, frozen=True):
    """How a table is written."""

    delimiter: str
    """Two spaces stand for columns by width."""
    columns: int
    header: int
    """Lines that stand above the first row, rules included."""


def layout(text: str) -> Layout | None:
    """The layout of a text in which nearly every line has the same cells; None for anything else."""
    sample = [line for line in text[:200_000].split("\n")[:_SAMPLE] if line.strip() and not _FOOT.match(line)]
    if len(sample) < 4:
        return None
    rule = next((at for at, line in enumerate(sample[:3]) if _RULE.match(line)), None)
    filled = [line for line in sample if not _RULE.match(line)]
    for delimiter in ("\t", ",", ";", "|"):
        columns = _columns(filled, delimiter)
        if columns:
            return Layout(delimiter, columns, 1 if rule is None else rule + 1)
    return _by_width(sample)


def cut(text: str, found: Layout) -> Shape:
    """Rows as units: header, first and last rows first, odd ones next, then what names most."""
    pieces = list(lines.split(text))
    bodies = lines.texts(text, pieces)
    cells = [cells_of(body, found.delimiter) for body in bodies]
    strange = odd.rows(cells[found.header :])
    last = len(pieces) - 1
    says = lines.weigh(pieces, bodies)
    units = []
    for at, (unit, body) in enumerate(zip(pieces, bodies, strict=True)):
        is_frame = unit.row < found.header + 2 or at >= last - 1 or bool(_FOOT.match(body))
        is_odd = at - found.header in strange
        value = says[at].value + 2.0 * is_odd
        units.append(lines.placed(unit, is_frame=is_frame, must=is_odd or says[at].must, value=value))
    rows = sum(1 for body in bodies[found.header :] if body.strip() and not _FOOT.match(body))
    return Shape("table", units, "row", f"{_NAMES[found.delimiter]}, {rows} rows, {found.columns} columns")


def cells_of(line: str, delimiter: str) -> list[str]:
    """The cells of a row as far as oddness needs them; quotes are not undone."""
    if delimiter == "  ":
        return _WIDE.split(line.strip())
    return [cell.strip() for cell in line.strip().strip("|" if delimiter == "|" else "").split(delimiter)]


def _columns(sample: Sequence[str], delimiter: str) -> int:
    """Cells per line when at least nine of ten lines agree on two or more, 0 otherwise."""
    counts = Counter(_outside_quotes(line, delimiter) for line in sample)
    common, times = counts.most_common(1)[0]
    is_prose = delimiter in ",;" and sum(f"{delimiter} " in line for line in sample) * 2 > len(sample)
    enough = common >= (2 if is_prose else 1)
    agreed = times * 10 >= len(sample) * (10 if common == 1 or is_prose else 9)
    return common + 1 if enough and agreed else 0


def _outside_quotes(line: str, delimiter: str) -> int:
    return "".join(line.split('"')[::2]).count(delimiter) if '"' in line else line.count(delimiter)


def _by_width(sample: Sequence[str]) -> Layout | None:
    """Columns by width have a header in capitals, as `ps`, `kubectl` and `docker` print it."""
    header = _WIDE.split(sample[0].strip())
    if len(header) < 3 or not all(cell.isupper() or not cell.isalpha() for cell in header):
        return None
    alike = sum(len(_WIDE.split(line.strip())) >= len(header) - 1 for line in sample[1:])
    return Layout("  ", len(header), 1) if alike * 10 >= (len(sample) - 1) * 8 else None
