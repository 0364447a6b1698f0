"""Run the bench: `python -m bench [part …] [--repeats N] [--json] [--slow]`; exit 1 when a target is missed."""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence

from bench import floor, install, memory, one_call, pairs, planning, report, search, start
from bench.proxy import main as proxy
from bench.row import Row

PARTS: dict[str, Callable[[int], Iterator[Row]]] = {
    "floor": floor.rows,
    "call": one_call.rows,
    "planning": planning.rows,
    "start": start.rows,
    "memory": memory.rows,
    "search": search.rows,
    "install": install.rows,
}
SLOW = ("install",)
OWN: dict[str, Callable[[Sequence[str]], int]] = {"pairs": pairs.main, "proxy": proxy.main}
"""Parts with options of their own, which stand first."""


def main() -> int:
    if len(sys.argv) > 1 and sys.argv[1] in OWN:
        return OWN[sys.argv[1]](sys.argv[2:])
    asked = _arguments()
    parts = asked.part or [name for name in PARTS if asked.slow or name not in SLOW]
    rows = [row for name in parts for row in PARTS[name](asked.repeats)]
    (report.as_json if asked.json else report.table)(rows)
    return int(any(row.is_met is False for row in rows))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("part", nargs="*", help=f"what to measure: {', '.join(PARTS)} (all but {', '.join(SLOW)} without one)")
    parser.add_argument("--repeats", type=int, default=3, help="runs of everything; the least or the median counts")
    parser.add_argument("--json", action="store_true", help="rows as JSON")
    parser.add_argument("--slow", action="store_true", help="with the parts that take minutes or need a package registry")
    asked = parser.parse_args()
    unknown = [name for name in asked.part if name not in PARTS]
    if unknown or asked.repeats < 1:
        parser.error(f"unknown part {unknown[0]!r}" if unknown else "--repeats must be 1 or more")
    return asked


if __name__ == "__main__":
    sys.exit(main())
