"""What something newer replaces: reads and queries done again, failures that worked later, plans written anew (F-C2)."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from pumice import excerpt
from pumice.commit import arguments, done, effects
from pumice.commit.effects import Does
from pumice.compact import numbering
from pumice.compact.exchanges import Exchange
from pumice.compact.mechanical.scene import Found, Scene, does, dropped, line, may_drop
from pumice.compile import reread
from pumice.domain.effect import Effect

AT_ONCE = 2000
"""Lines some clients show of a file at once, without saying so where there are more (Claude Code's `Read`)."""
LEAST = 40
"""Characters: shorter results are the same by chance."""
TARGET = 200
"""Characters of a target that is as long as one may be."""
_ASKING = frozenset({Does.SEARCH, Does.FETCH, Does.SHELL})
_HARMLESS = frozenset({Does.EDIT, Does.FILE_READ, Does.SEARCH, Does.FETCH})
"""A failed call of these has changed nothing."""
_OWN = frozenset({Does.PLAN, Does.NOTES})


class _Read(msgspec.Struct, frozen=True):
    """A file read, and which lines it shows."""

    at: int
    """Position among the exchanges."""
    exchange: Exchange
    first: int
    last: int
    is_complete: bool
    """It shows the file from its first line to its last."""


def superseded(scene: Scene) -> Iterator[Found]:
    """Older reads of a file, one line each. What alone shows a part of a file stays, whether that was edited since or not."""
    may_go = {exchange.result.id for exchange in scene.older()}
    newer: dict[str, list[_Read]] = {}
    edits: dict[str, list[int]] = {}
    for at in range(len(scene.exchanges) - 1, -1, -1):
        exchange = scene.exchanges[at]
        if exchange.use.is_edit and not effects.failed(exchange.result):
            edits.setdefault(exchange.use.target, []).append(at)
        if not _is_read(exchange):
            continue
        read, known = _read(at, exchange), newer.setdefault(exchange.use.target, [])
        better = next((one for one in known if _covers(one, read, edits.get(exchange.use.target, ()))), None)
        if better is not None and exchange.result.id in may_go:
            name = better.exchange.result.id
            yield line(scene, exchange.result, f"read again in {name}", f"a newer read of the same, {name}, shows it")
        if scene.is_whole(exchange.result):
            known.append(read)


def _covers(newer: _Read, older: _Read, edits: Sequence[int]) -> bool:
    """Whether a newer read shows all of the file that an older one did; edits in between may have moved its lines."""
    if newer.is_complete:
        return True
    is_edited = any(older.at < at < newer.at for at in edits)
    return not is_edited and newer.first <= older.first and newer.last >= older.last


def _is_read(exchange: Exchange) -> bool:
    use, result = exchange.use, exchange.result
    is_file = use.is_file_read and ("/" in use.target or "." in use.target)
    return is_file and not result.media and not reread.points_back(result, use)


def _read(at: int, exchange: Exchange) -> _Read:
    lines = exchange.result.text.rstrip("\n").split("\n")
    first, last = numbering.ends(lines)
    begin = exchange.use.first_line if first is None else first.number
    end = begin + len(lines) - 1 if last is None else last.number
    is_complete = begin == 1 and end < AT_ONCE and _asks_for_all(exchange) and not excerpt.is_already_cut(exchange.result.text)
    return _Read(at, exchange, begin, end, is_complete)


def _asks_for_all(exchange: Exchange) -> bool:
    """Whether a call names a file and nothing else, no part of it; what is read back comes in parts anyway."""
    return not exchange.use.target.startswith("workspace://") and set(arguments.read(exchange.call)) <= set(
        effects.lookup(exchange.call.tool).target
    )


def duplicate(scene: Scene) -> Iterator[Found]:
    """All but the newest of results to one query, and of results with the same text; one line each."""
    may_go = {exchange.result.id for exchange in scene.older()}
    texts: dict[str, str] = {}
    asked: dict[tuple[str, str], Exchange] = {}
    for exchange in reversed(scene.exchanges):
        result, query = exchange.result, (exchange.call.tool, exchange.call.text)
        same, newer = texts.get(result.text), asked.get(query)
        if same is not None and result.id in may_go:
            yield line(scene, result, f"the same as {same}", f"{same} holds the same text")
        elif newer is not None and result.id in may_go and _is_query(exchange) and not _is_worse(scene, newer, exchange):
            yield line(scene, result, f"asked again in {newer.result.id}", f"{newer.result.id} is newer")
        elif len(result.text) >= LEAST and not result.media and scene.is_whole(result):
            texts.setdefault(result.text, result.id)
        if _is_query(exchange) and (newer is None or _is_worse(scene, newer, exchange)):
            asked[query] = exchange


def _is_worse(scene: Scene, newer: Exchange, older: Exchange) -> bool:
    """Whether the newer answer is a failure and the older is none."""
    return newer.result.id in scene.failed and older.result.id not in scene.failed


def _is_query(exchange: Exchange) -> bool:
    """Whether a call asks for what is: a poll of something that runs shows each time only what is new."""
    if exchange.use.effect is Effect.WRITE or does(exchange) not in _ASKING:
        return False
    return not any(name.lower().endswith("id") for name in effects.lookup(exchange.call.tool).target)


def fixed(scene: Scene) -> Iterator[Found]:
    """Failures whose command or target worked later: one line, or nothing of a call that did nothing."""
    may_go = {exchange.result.id for exchange in scene.older()}
    worked: dict[str, str] = {}
    for exchange in reversed(scene.exchanges):
        key = _attempt(exchange)
        if exchange.result.id not in scene.failed:
            worked.setdefault(key, exchange.result.id)
        elif key in worked and exchange.use.target and exchange.result.id in may_go:
            yield _failure(scene, exchange, worked[key])


def _attempt(exchange: Exchange) -> str:
    """What a call tried; a target that is cut short does not tell two long commands apart."""
    return done.attempt(exchange.use) if len(exchange.use.target) < TARGET else f"{exchange.use.tool} {exchange.call.text}"


def _failure(scene: Scene, exchange: Exchange, later: str) -> Found:
    reason = f"failed; the same worked in {later}"
    if does(exchange) in _HARMLESS and may_drop(scene, exchange):
        return dropped(exchange, reason)
    return line(scene, exchange.result, f"failed; it worked in {later}", reason)


def plans(scene: Scene) -> Iterator[Found]:
    """Plans, to-do lists and notes that the agent has written anew; the newest of each stands."""
    may_go = {exchange.result.id for exchange in scene.older() if may_drop(scene, exchange)}
    newest: dict[tuple[Any, ...], str] = {}
    for exchange in reversed(scene.exchanges):
        if does(exchange) not in _OWN or exchange.result.id in scene.failed:
            continue
        key = _subject(exchange)
        if key in newest and exchange.result.id in may_go:
            yield dropped(exchange, f"replaced by {newest[key]}")
        newest.setdefault(key, exchange.call.id)


def _subject(exchange: Exchange) -> tuple[Any, ...]:
    """What a plan call replaces: the whole list where it brings one, else the same fields of the same item."""
    given = arguments.read(exchange.call)
    # Notes come by topic: a call of which a topic still stands is cited by the task state, and stays for that.
    if does(exchange) is Does.NOTES or any(isinstance(value, list) for value in given.values()):
        return (exchange.call.tool,)
    return (exchange.call.tool, exchange.use.target, *sorted(given))
