"""What a scripted model does with the project: 36 steps, as a real one might, each a function of what it is shown."""

import re
from collections.abc import Callable, Sequence

from project import WRONG

from pumice.wire.double import Say, Use

TASK = """The tests of this shop fail. Find out why and repair it. Never touch legacy/, it is kept for audits.
Order AX-4471-B was charged wrongly because of this; name it in CHANGES.md. 只改 shop/ 里的文件，测试不要动。"""
PLAN = ("survey the project", "repair prices", "repair orders", "repair stock", "write CHANGES.md")
Step = Say | Callable[[str], Say]
"""An answer, or how it follows from the text of the view."""


def steps() -> Sequence[Step]:
    """The whole task."""
    return (*_survey(), *_repairs(), *_end())


def _survey() -> list[Step]:
    areas = ("prices", "orders", "stock", "parcels", "returns", "vouchers")
    return [
        _plan(0),
        _use("list_files"),
        _use("read_file", path="README.md"),
        _use("read_file", path="shop/rounding.py"),
        *(_use("read_file", path=f"shop/{area}.py") for area in areas),
        _use("run_tests"),
        _use("update_notes", notes={"failing": "prices (rounding), orders.total, stock.checked", "order": "AX-4471-B"}),
        _use("search_files", regex=r"half_up|int\("),
        _use("end_phase", name="survey", summary="Three modules fail: prices, orders, stock. legacy/ stays as it is."),
    ]


def _repairs() -> list[Step]:
    made: list[Step] = []
    for at, area in enumerate(("prices", "orders", "stock"), 1):
        right, wrong = WRONG[area]
        made += [
            _plan(at),
            _use("read_file", path=f"tests/test_{area}.py"),
            _use("edit_file", path=f"shop/{area}.py", old=wrong, new=right),
            _use("run_tests"),
        ]
    return [*made[:8], _read_back, *made[8:]]


def _end() -> list[Step]:
    changes = "# Changes\n\nOrder AX-4471-B was charged wrongly: prices were cut off instead of rounded half up.\n"
    return [
        _plan(4),
        _use("update_notes", notes={"failing": "", "done": "all tests pass"}),
        _use("read_file", path="legacy/discount.py"),
        _use("write_file", path="CHANGES.md", content=changes),
        _use("read_file", path="CHANGES.md"),
        _use("search_files", regex="AX-4471"),
        _use("run_tests"),
        _plan(5),
        Say("All tests pass. Order AX-4471-B is named in CHANGES.md, and nothing under legacy/ or tests/ was changed."),
    ]


def _read_back(view: str) -> Say:
    """Look again at the first run of the tests, wherever it is by now."""
    named = re.search(r"⋯ (b\d+) run_tests", view)
    if named is None:
        return _use("search_files", regex="def total")
    return _use("read_range", pointer=named[1], limit=20)


def _plan(done: int) -> Say:
    def status(at: int) -> str:
        return "completed" if at < done else "in_progress" if at == done else "pending"

    return _use("update_plan", plan=[{"step": step, "status": status(at)} for at, step in enumerate(PLAN)])


def _use(tool: str, **arguments: object) -> Say:
    return Say("", (Use(tool, arguments),))
