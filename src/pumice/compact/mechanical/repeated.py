"""Results that came twice: the same query asked again, or the same bytes from anywhere (F-C2)."""

from collections.abc import Iterator

from pumice.commit import done, effects
from pumice.commit.effects import Does
from pumice.compact.exchanges import Exchange
from pumice.compact.mechanical.scene import Found, Scene, does, line
from pumice.domain.effect import Effect

LEAST = 40
"""Characters: shorter results are the same by chance."""
_ASKING = frozenset({Does.SEARCH, Does.FETCH, Does.SHELL})


def duplicate(scene: Scene) -> Iterator[Found]:
    """All but the newest of results to one query, and of results with the same text; one line each."""
    may_go = {exchange.result.id for exchange in scene.older()}
    texts: dict[str, str] = {}
    asked: dict[tuple[str, str], Exchange] = {}
    for exchange in reversed(scene.exchanges):
        result, query = exchange.result, (exchange.call.tool, exchange.call.text)
        same, newer = texts.get(result.text), asked.get(query)
        if same is not None and result.id in may_go:
            yield line(result, f"the same as {same}", f"{same} holds the same text")
        elif newer is not None and result.id in may_go and _is_asked_again(exchange, newer):
            yield line(result, f"asked again in {newer.result.id}", f"{newer.result.id} is newer")
        elif len(result.text) >= LEAST and not result.media and scene.is_whole(result):
            texts.setdefault(result.text, result.id)
        if _is_query(exchange) and (newer is None or (_has_failed(newer) and not _has_failed(exchange))):
            asked[query] = exchange


def _is_asked_again(older: Exchange, newer: Exchange) -> bool:
    """Whether the newer answer stands for the older: not a failure for something that had worked."""
    return _is_query(older) and (_has_failed(older) or not _has_failed(newer))


def _has_failed(exchange: Exchange) -> bool:
    return done.has_failed(exchange.result, exchange.use)


def _is_query(exchange: Exchange) -> bool:
    """Whether a call asks for what is: a poll of something that runs shows each time only what is new."""
    if exchange.use.effect is Effect.WRITE or does(exchange) not in _ASKING:
        return False
    return not any(name.lower().endswith("id") for name in effects.lookup(exchange.call.tool).target)
