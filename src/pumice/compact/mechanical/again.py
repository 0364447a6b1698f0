"""Files that were read again: an older read goes where a newer one shows all that it showed (F-C2)."""

from collections.abc import Iterator, Sequence

import msgspec

from pumice import excerpt
from pumice.commit import arguments, effects
from pumice.compact.exchanges import Exchange
from pumice.compact.mechanical.scene import Found, Scene, line
from pumice.compact.scan import own_number
from pumice.compile import reread

AT_ONCE = 2000
"""Lines some clients show of a file at once, without saying so where there are more (Claude Code's `Read`)."""
_NEAR = 40
"""Lines from either end of a result among which the first and the last line of the file are looked for."""


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
            yield line(exchange.result, f"read again in {name}", f"a newer read of the same, {name}, shows it")
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
    first = next(filter(None, map(own_number, lines[:_NEAR])), None)
    last = next(filter(None, map(own_number, reversed(lines[-_NEAR:]))), None)
    begin = exchange.use.first_line if first is None else first
    end = begin + len(lines) - 1 if last is None else last
    is_complete = begin == 1 and end < AT_ONCE and _asks_for_all(exchange) and not excerpt.is_already_cut(exchange.result.text)
    return _Read(at, exchange, begin, end, is_complete)


def _asks_for_all(exchange: Exchange) -> bool:
    """Whether a call names a file and nothing else, no part of it."""
    return set(arguments.read(exchange.call)) <= set(effects.lookup(exchange.call.tool).target)
