"""Attempts that failed and worked later, and plans that were replaced (F-C2)."""

from collections.abc import Iterator
from typing import Any

from pumice.commit import arguments, done
from pumice.commit.effects import Does
from pumice.compact.exchanges import Exchange
from pumice.compact.mechanical.scene import Found, Scene, does, dropped, line

_HARMLESS = frozenset({Does.EDIT, Does.FILE_READ, Does.SEARCH, Does.FETCH})
"""A failed call of these has changed nothing."""


def fixed(scene: Scene) -> Iterator[Found]:
    """Failures whose command or target worked later: one line, or nothing of a call that did nothing."""
    may_go = {exchange.result.id for exchange in scene.older()}
    worked: dict[str, str] = {}
    for exchange in reversed(scene.exchanges):
        key = done.attempt(exchange.use)
        if not done.has_failed(exchange.result, exchange.use):
            worked.setdefault(key, exchange.result.id)
        elif key in worked and exchange.use.target and exchange.result.id in may_go:
            yield _failure(exchange, worked[key])


def _failure(exchange: Exchange, later: str) -> Found:
    reason = f"failed; the same worked in {later}"
    if does(exchange) in _HARMLESS and exchange.may_go:
        return dropped(exchange, reason)
    return line(exchange.result, f"failed; it worked in {later}", reason)


def plans(scene: Scene) -> Iterator[Found]:
    """Plans, to-do lists and notes that the agent has written anew; the newest of each stands."""
    may_go = {exchange.result.id for exchange in scene.older() if exchange.may_go}
    newest: dict[tuple[Any, ...], str] = {}
    for exchange in reversed(scene.exchanges):
        if does(exchange) is not Does.PLAN:
            continue
        key = _subject(exchange)
        if key in newest and exchange.result.id in may_go:
            yield dropped(exchange, f"replaced by {newest[key]}")
        newest.setdefault(key, exchange.call.id)


def _subject(exchange: Exchange) -> tuple[Any, ...]:
    """What a plan call replaces: the whole list where it brings one, else the same fields of the same item."""
    given = arguments.read(exchange.call)
    if any(isinstance(value, list) for value in given.values()):
        return (exchange.call.tool,)
    return (exchange.call.tool, exchange.use.target, *sorted(given))
