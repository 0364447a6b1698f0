"""The terminal table of a replay: policies side by side, session by session and pooled."""

import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import PurePath

import msgspec
from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from pumice.evaluate.footnotes import faults, footnotes
from pumice.evaluate.replay import SessionRuns, result
from pumice.evaluate.result import PolicyResult, cost_share, policy_result

MOST_SESSIONS = 30
"""Sessions shown one by one; of more, only what they add up to."""
ROOMY = 104
"""Columns of a terminal from which figures stand two blanks apart instead of one."""
NAME = 10
"""Characters of a policy's name that are always shown."""


def render(sessions: Sequence[SessionRuns], *, width: int) -> RenderableType:
    """Everything `replay` prints without `--json`, for a terminal of so many columns."""
    parts: list[RenderableType] = []
    if len(sessions) <= MOST_SESSIONS:
        for session in sessions:
            rows = {name: policy_result(one.run.score) for name, one in session.policies.items()}
            parts += [_table(_title(session), rows, session.calls, width), Text()]
    if len(sessions) > 1:
        total = result(sessions).total
        title = Text.assemble((f"all {len(sessions)} sessions", "bold"), f", {total.calls:,} calls, pooled")
        parts += [_table(title, total.policies, total.calls, width), Text()]
        parts += [Text(line, style="dim") for line in _spreads(sessions)]
    parts += [Text(line, style="dim") for line in footnotes(sessions)]
    parts += [Text(line, style="yellow") for line in faults(sessions)]
    return Group(*parts)


def _title(session: SessionRuns) -> Text:
    model = session.model or "unknown model"
    return Text.assemble((PurePath(session.file).name, "bold"), f", {session.calls} calls, {model}")


def _table(title: Text, rows: Mapping[str, PolicyResult], calls: int, width: int) -> Table:
    gap = 2 if width >= ROOMY else 1
    shown = _shown(width - NAME, gap)
    room = width - sum(column.width + gap for column in shown)
    table = Table(
        title=title, title_justify="left", title_style="", box=box.SIMPLE_HEAD, padding=(0, gap - 1, 0, 0), pad_edge=False,
        show_edge=False, header_style="dim",
    )  # fmt: skip
    table.add_column("policy", min_width=NAME, max_width=max(NAME, room), no_wrap=True)
    for column in shown:
        table.add_column(column.name, justify="right", width=column.width, no_wrap=True)
    for name, found in rows.items():
        table.add_row(Text(name, style="bold"), *(column.cell(found, calls) for column in shown))
    return table


def _shown(width: int, gap: int) -> list["Column"]:
    """The columns that fit, in order; the last to be missed stay longest, and none is ever cut in the middle."""
    shown = list(COLUMNS)
    while len(shown) > 1 and sum(column.width + gap for column in shown) > width:
        shown.remove(max(shown, key=lambda column: column.spare))
    return shown


def _spreads(sessions: Sequence[SessionRuns]) -> Iterator[str]:
    """Pooled figures are ruled by long sessions, so the middle and the worst one are told too (frontier §7)."""
    for name in sessions[0].policies:
        money = [session.policies[name].run.score.money for session in sessions]
        shares = sorted(share for one in money if (share := cost_share(one.cost, one.full)) is not None)
        if shares and shares != [1.0] * len(shares):
            middle, worst = statistics.median(shares), shares[-1]
            yield f"{name}: cost of the median session {percent(middle)}, of the worst {percent(worst)}"


class Column(msgspec.Struct, frozen=True):
    """A figure of the table."""

    name: str
    width: int
    cell: Callable[[PolicyResult, int], Text]
    """Of a result and its number of calls."""
    spare: int = 0
    """Where the terminal is narrow, columns go from the highest of these down."""


def percent(value: float | None) -> str:
    """A share with one digit that never rounds up to a whole: 99.96% is not 100."""
    if value is None:
        return "–"
    return "100" if value == 1 else f"{min(100 * value, 99.9) if value < 1 else 100 * value:.1f}"


def _share(value: float | None, good: Callable[[float], bool] | None = None) -> Text:
    style = "" if value is None or good is None else ("green" if good(value) else "red")
    return Text(percent(value), style=style)


def _cost(value: float | None, full: float | None) -> Text:
    return _share(cost_share(value, full), lambda share: share <= 1.0)


def _faultless(count: int) -> Text:
    return Text(str(count), style="red" if count else "green")


def _per_call(found: PolicyResult, calls: int) -> Text:
    if not calls:
        return Text("–")
    size = found.input_tokens / calls / 1000
    return Text(f"{size:.1f}k" if size < 999.95 else f"{size / 1000:.2f}M")


def _milliseconds(found: PolicyResult, _: int) -> Text:
    return Text("–" if found.latency_ms.p50 is None else f"{found.latency_ms.p50:.1f}")


COLUMNS = (
    Column("cost", 5, lambda found, _: _cost(found.cost_usd, found.full_cost_usd)),
    Column("honest", 6, lambda found, _: _cost(found.honest_cost_usd, found.full_cost_usd), spare=2),
    Column("view", 6, _per_call, spare=6),
    Column("cuts", 4, lambda found, _: Text(str(found.epochs)), spare=4),
    Column("far", 5, lambda found, _: _share(found.far_recall), spare=3),
    Column("line", 5, lambda found, _: _share(found.line_recall)),
    Column("near", 5, lambda found, _: _share(found.near_line_recall), spare=7),
    Column("reach", 5, lambda found, _: _share(found.reachable_recall), spare=8),
    Column(
        "reads 1·3", 9, lambda found, _: Text(f"{percent(found.last_read_exact)}·{percent(found.last3_reads_exact)}"), spare=5
    ),
    Column("rules", 5, lambda found, _: _share(found.constraint_survival, lambda share: share == 1.0)),
    Column("over", 4, lambda found, _: _faultless(found.overflows)),
    Column("bad", 4, lambda found, _: _faultless(found.violations + found.altered_values)),
    Column("ms", 5, _milliseconds, spare=9),
)
"""cost and honest cost in % of full history; view: mean tokens; near: near lines; bad: violations and altered values."""
