"""`pumice stats`: money and tokens saved and lost, by day, project, model, policy or session."""

import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any, Literal

import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pumice.domain.account import Account
from pumice.errors import InvalidInput
from pumice.evaluate.table import percent
from pumice.faces.cli import chart, recorded
from pumice.faces.library import Engine
from pumice.measure.savings import Savings, add_up, apart

By = Literal["day", "project", "model", "policy", "session"]
_AGO = re.compile(r"(\d{1,4})([hdw])")
_UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}
MOST = 40
"""Rows of a table; of more, the JSON has the rest."""
MOST_LOSSES = 10
COLUMNS = ("calls", "full tokens", "sent", "% less", "cached", "cost $", "without $", "saved $", "% less")
FIRST_OUT = (3, 4, 8, 1, 2, 0)
"""Places in COLUMNS that are left out one by one where there is little room."""
EMPTY = (
    "no calls are on the books yet: start `pumice serve`, and let `pumice setup claude-code` say how a client is pointed at it"
)


def stats(*, by: By = "day", since: str = "", scope: str = "", line: bool = False, json: bool = False) -> int:
    """What pumice has saved and lost: tokens and money, cache counted, beside the client's own history.

    Sessions that cost more with pumice than without are told one by one. Days are those of UTC.

    Example: pumice stats --by project --since 7d

    Parameters
    ----------
    by
        What a row stands for: day, project, model, policy or session; day without it.
    since
        A date such as 2026-11-30, or an age such as 12h, 7d or 4w; everything without it.
    scope
        tenant:T/project:P/user:U, as far as it should be narrowed; all of the local tenant without it.
    line
        One line, for the status line of a client.
    json
        Print {"by", "since", "total", "rows": [{"name", …}], "losses": [{"name", …}]}.
    """
    start = _start(since, time.time())
    with Engine.open() as engine:
        rows = engine.accounts(scope, since=start)
    if json:
        sys.stdout.write(msgspec.json.encode(_told(rows, by, since)).decode() + "\n")
    elif line:
        sys.stdout.write(_line(add_up(rows)) + "\n")
    elif not rows:
        sys.stdout.write(("no calls are on the books since then" if since else EMPTY) + "\n")
    else:
        _print(recorded.console(), rows, by)
    return 0


def _start(since: str, now: float) -> float:
    """The time a word stands for; raises InvalidInput."""
    if not since:
        return 0.0
    if ago := _AGO.fullmatch(since):
        return now - int(ago[1]) * _UNITS[ago[2]].total_seconds()
    try:
        day = date.fromisoformat(since)
    except ValueError:
        raise InvalidInput(
            f"--since {since!r} given, expected a date such as 2026-11-30 or an age such as 12h, 7d or 4w."
        ) from None
    return datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()


def _day(row: Account) -> str:
    return f"{datetime.fromtimestamp(row.at, UTC):%Y-%m-%d}"


def _session(row: Account) -> str:
    return f"{row.key.project}/{row.key.session}" if row.key.project else row.key.session


NAMES: Mapping[str, Callable[[Account], str]] = {
    "day": _day,
    "project": lambda row: row.key.project or "(none)",
    "model": lambda row: row.model or "(unknown)",
    "policy": lambda row: row.policy or "(none)",
    "session": _session,
}


def _losses(rows: Sequence[Account]) -> dict[str, Savings]:
    """Sessions that cost more than they would have, the dearest first."""
    found = {name: one for name, one in apart(rows, _session).items() if one.is_loss}
    return dict(sorted(found.items(), key=lambda item: item[1].saved_usd or 0.0))


def _told(rows: Sequence[Account], by: By, since: str) -> dict[str, Any]:
    return {
        "by": by,
        "since": since or None,
        "total": _plain(add_up(rows)),
        "rows": [{"name": name, **_plain(one)} for name, one in apart(rows, NAMES[by]).items()],
        "losses": [{"name": name, **_plain(one)} for name, one in _losses(rows).items()],
    }


def _plain(found: Savings) -> dict[str, Any]:
    return {**msgspec.to_builtins(found), "saved_usd": found.saved_usd}


def _line(found: Savings) -> str:
    if not found.calls:
        return "pumice: no calls yet"
    fewer = max(0, found.full_tokens - found.sent_tokens)
    if found.saved_usd is None:
        return f"pumice: {fewer:,} tokens kept out of {found.calls:,} calls"
    word = "lost" if found.is_loss else "saved"
    return f"pumice: ${abs(found.saved_usd):.2f} {word} ({_less(found)}%), {fewer:,} tokens kept out of {found.calls:,} calls"


def _less(found: Savings) -> str:
    """Share of the money that was saved."""
    if found.saved_usd is None or not found.full_cost_usd:
        return "–"
    return percent(found.saved_usd / found.full_cost_usd)


def _print(console: Console, rows: Sequence[Account], by: By) -> None:
    listed = apart(rows, NAMES[by])
    if by != "day":
        listed = dict(sorted(listed.items(), key=lambda item: -(item[1].saved_usd or 0.0)))
    console.print(_table(listed, by, add_up(rows), console.width))
    days = list(apart(rows, _day).values())
    if len(days) > 1:
        console.print(*_chart(days, console.width), sep="\n")
    for line in _footnotes(rows, len(listed)):
        console.print(line, highlight=False)


def _table(listed: Mapping[str, Savings], by: By, total: Savings, width: int) -> Table:
    shown = list(listed.items())[-MOST:] if by == "day" else list(listed.items())[:MOST]
    rows = [(Text(name), list(_cells(one))) for name, one in shown]
    rows.append((Text("all", style="bold"), list(_cells(total))))
    longest = max(len(name) for name, _ in rows)
    left = _fitting([cells for _, cells in rows], width - longest)
    table = recorded.table(by, *(COLUMNS[place] for place in left))
    table.columns[0].min_width = longest
    for name, cells in rows:
        if cells is rows[-1][1]:
            table.add_section()
        table.add_row(name, *(cells[place] for place in left))
    return table


def _fitting(rows: Sequence[Sequence[str | Text]], width: int) -> list[int]:
    """Places of the columns there is room for, the most telling ones: a name is never cut, for other commands take it."""
    widths = [max(len(name), *(len(cells[place]) for cells in rows)) + 2 for place, name in enumerate(COLUMNS)]
    left = list(range(len(COLUMNS)))
    for place in FIRST_OUT:
        if sum(widths[kept] for kept in left) <= width:
            break
        left.remove(place)
    return left


def _cells(one: Savings) -> Iterator[str | Text]:
    yield f"{one.calls:,}"
    yield f"{one.full_tokens:,}"
    yield f"{one.sent_tokens:,}"
    yield percent(1 - one.sent_tokens / one.full_tokens) if one.full_tokens else "–"
    yield percent(one.read_tokens / one.sent_tokens) if one.sent_tokens else "–"
    yield _usd(one.cost_usd)
    yield _usd(one.full_cost_usd)
    yield Text(_usd(one.saved_usd), style="red" if one.is_loss else "green" if (one.saved_usd or 0) > 0 else "")
    yield _less(one)


def _usd(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _chart(days: Sequence[Savings], width: int) -> Iterator[Text]:
    """Two lines of bars on one scale, a day each: what was paid, and what would have been."""
    is_money = any(day.cost_usd is not None for day in days)
    paid = [day.cost_usd if is_money else float(day.sent_tokens) for day in days]
    full = [day.full_cost_usd if is_money else float(day.full_tokens) for day in days]
    top = max((value for value in (*paid, *full) if value is not None), default=0.0)
    ends = f"0 to ${top:.2f} a day" if is_money else f"0 to {top:,.0f} tokens a day"
    for name, values, style in (("without", full, "dim"), ("with pumice", paid, "green")):
        yield Text.assemble((f"{name:>12} ", "dim"), (chart.bars(values, width - 14, top=top or None), style))
    yield Text(f"{'':>12} {len(days)} days, {ends}", style="dim")


def _footnotes(rows: Sequence[Account], listed: int) -> Iterator[Text]:
    total, losses = add_up(rows), _losses(rows)
    if total.observed_usd is not None and total.observed_full_usd is not None:
        seen = f"${total.observed_full_usd:.2f} paid, ${total.observed_usd:.2f} with pumice"
        yield Text(f"{total.observed:,} calls were only observed: {seen}")
    if total.read_backs:
        yield Text(f"{total.read_backs:,} read-backs cost ${total.read_back_usd:.2f} of it", style="dim")
    if total.asked_usd:
        yield Text(f"questions to models cost ${total.asked_usd:.2f} of it", style="dim")
    if total.unpriced:
        yield Text(
            f"{total.unpriced:,} calls of models without a known price, or without figures, are in no money", style="dim"
        )
    if listed > MOST:
        yield Text(f"{listed - MOST:,} more rows are in --json", style="dim")
    for name, one in list(losses.items())[:MOST_LOSSES]:
        lost = -(one.saved_usd or 0.0)
        yield Text(f"{name} cost ${lost:.2f} more than without pumice ({one.calls:,} calls)", style="red")
    if len(losses) > MOST_LOSSES:
        yield Text(f"{len(losses) - MOST_LOSSES} more such sessions", style="red")
