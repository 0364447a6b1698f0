"""Style `results`: big or old results go to the workspace, oldest first, and an excerpt or a line stays of each (F-C4).

What an earlier epoch has offloaded stands as it stood then: its bytes are part of a prefix that may still be cached.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate

from pumice.compact import exchanges
from pumice.compact.exchanges import Exchange
from pumice.compact.laid import lay
from pumice.compact.layout import Brief, Layout
from pumice.compact.offload import known, which
from pumice.compact.offload.forms import SHARE, Former
from pumice.compact.showing import Showing
from pumice.domain.decision import Decision

Way = Callable[[Exchange, str, str], Decision | None]
"""(exchange, address, why) → a smaller form of its result, None where there is none."""

AGAIN = "can be fetched again"
"""Why a result goes without an excerpt."""


def lay_out(brief: Brief, before: Layout) -> Layout:
    """Excerpts of results until the target is met; then, of what can be fetched again, one line each."""
    held = exchanges.standing(brief.book.groups, brief.book.uses, before)
    decided = known.tombstones(brief, before, held)
    start = known.with_forms(before, decided) if decided else before
    offloading = _Pass(brief, start)
    offloading.run(which.offloadable(held, brief.policy.offload))
    return offloading.layout() if offloading.freed >= max(1, brief.policy.offload.at_least) else start


class _Pass:
    """Offloads result by result while it runs, from a layout on."""

    def __init__(self, brief: Brief, start: Layout) -> None:
        self._brief, self._start = brief, start
        self._former = Former(brief.ruler, brief.policy.offload.summary)
        self._addresses = known.addresses(brief)
        self._showing = Showing(brief, start)
        self._over = lay(brief, start).tokens - brief.target
        self._forms: dict[str, Decision] = {}
        self._whole: set[str] = set()
        self.freed = 0

    def layout(self) -> Layout:
        """What the pass has come to."""
        return known.with_forms(self._start, self._forms)

    def run(self, held: Sequence[Exchange]) -> None:
        """What is too big on its own first, whatever the room; then the oldest until the target is met."""
        policy, former = self._brief.policy.offload, self._former
        self._whole = {one.result.id for one in held if which.is_whole(one.result, self._brief.book.forms, self._start.forms)}
        ways: tuple[Way, ...] = (former.excerpt, former.line_of_unshowable) if policy.excerpt else (former.line,)
        for exchange in held:
            size = self._showing.block(exchange.result)
            if policy.single_result_over is not None and size > policy.single_result_over and self._is_whole(exchange):
                self._offload(exchange, f"{size} tokens, over {policy.single_result_over}", ways)
        old = which.old(self._brief, held, newest=which.newest(self._brief, held, self._showing))
        for exchange in self._beyond_excerpts(old):
            self._offload(exchange, AGAIN, (former.line,))
        waiting = [exchange for exchange in old if self._is_whole(exchange)]
        while waiting and self._over > self.freed:
            sure = self._sure(waiting)
            if policy.excerpt:
                former.measure((exchange, self._addresses.of(exchange.result.id)) for exchange in sure)
            for exchange in sure:
                self._offload(exchange, "offloaded, oldest first", ways)
            waiting = waiting[len(sure) :]
        for exchange in old:
            if self._over > self.freed and exchange.can_be_repeated:
                self._offload(exchange, AGAIN, (former.line,))

    def _beyond_excerpts(self, old: Sequence[Exchange]) -> Iterator[Exchange]:
        """The oldest of what can be fetched again, as many as excerpts of everything would not make room for."""
        whole = {exchange.result.id: self._showing.block(exchange.result) for exchange in old if self._is_whole(exchange)}
        short = self._over - self.freed - (1 - SHARE) * sum(whole.values())
        for exchange in old:
            if short <= 0:
                return
            if exchange.can_be_repeated:
                size = self._showing.block(exchange.result)
                short -= SHARE * size if exchange.result.id in whole else size
                yield exchange

    def _sure(self, waiting: Sequence[Exchange]) -> list[Exchange]:
        """The first of what is waiting, as many as are needed for the target however much each frees; at least one."""
        sizes = accumulate((self._showing.block(exchange.result) for exchange in waiting), initial=self.freed)
        return [exchange for exchange, freed in zip(waiting, sizes, strict=False) if freed < self._over]

    def _is_whole(self, exchange: Exchange) -> bool:
        return exchange.result.id in self._whole and exchange.result.id not in self._forms

    def _offload(self, exchange: Exchange, why: str, ways: Sequence[Way]) -> None:
        name = exchange.result.id
        made = self._forms.get(name)
        now = self._showing.block(exchange.result) if made is None else self._brief.ruler.shown(exchange.result, made)
        for way in ways:
            form = way(exchange, self._addresses.of(name), why)
            gain = now - self._brief.ruler.shown(exchange.result, form) if form else 0
            if form and gain > 0:
                self._addresses.give(name)
                self._forms[name] = form
                self.freed += gain
                return
