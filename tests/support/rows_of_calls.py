"""Accounts of made-up sessions: one call after another, as a session would enter them."""

from collections.abc import Iterable
from typing import Any

from pumice.domain.account import Account, Facts
from pumice.domain.event import SessionKey
from pumice.domain.message import Usage
from pumice.measure.accounts import account

KEY = SessionKey("local", "build-42", project="web")
MODEL = "claude-sonnet-4-5"


def facts(number: int = 1, **given: Any) -> Facts:
    return Facts(**{"key": KEY, "at": 60.0 * number, "model": MODEL, "dialect": "anthropic", "stage": "compiled", **given})


def usage(sent: int, read: int, output: int = 300) -> Usage:
    """All input that is not read is written, as a client with markers has it."""
    return Usage(sent, output, read, sent - read)


def entered(calls: Iterable[Facts]) -> list[Account]:
    rows: list[Account] = []
    for one in calls:
        rows.append(account(one, next((row for row in reversed(rows) if row.full), None)))
    return rows


def session(calls: int, *, cut_every: int, cut_to: int, start: int = 30_000, growth: int = 2_000) -> list[Account]:
    """A session whose history grows evenly, cut down to a size every so many calls; nothing is cut with `cut_every` 0."""
    found, sent, epoch = [], start, 0
    for number in range(1, calls + 1):
        full = start + growth * (number - 1)
        is_cut = bool(cut_every) and number > 1 and (number - 1) % cut_every == 0
        epoch += is_cut
        before, sent = sent, cut_to if is_cut else sent + growth * (number > 1)
        read = 0 if number == 1 or is_cut else before
        found.append(
            facts(number, full=full, sent=sent, epoch=epoch, lane="main", usage=usage(sent, read), predicted_read=read)
        )
    return entered(found)
