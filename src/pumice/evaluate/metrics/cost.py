"""Cost: input at cache prices, and honest cost, which adds the read-backs that missing lines will cause (frontier §1)."""

import msgspec

from pumice.domain.book import Size
from pumice.evaluate.options import Options
from pumice.evaluate.script import Moment
from pumice.evaluate.sizing import add
from pumice.evaluate.view import View
from pumice.measure import prices
from pumice.measure.prices import Prices

READ_BACK_POINTED = (150, 60)
"""Input and output tokens of reading back a line whose block the view points at (frontier §1)."""
READ_BACK_SEARCHED = (1500, 100)
"""The same where nothing in the view says where it is."""


class Bill(msgspec.Struct, frozen=True):
    """Input tokens of one call, or of many, calibrated."""

    fresh: int
    cached: int

    @property
    def tokens(self) -> int:
        return self.fresh + self.cached

    def usd(self, paid: Prices) -> float:
        """Fresh tokens are written to the cache, where that has a price of its own."""
        return self.fresh * paid.write + self.cached * paid.read


class Money(msgspec.Struct, frozen=True):
    """USD; None as soon as one call's model has no known price."""

    cost: float | None = 0.0
    full: float | None = 0.0
    """The full history on the same calls."""
    honest: float | None = 0.0
    output: float | None = 0.0
    """What the recorded responses cost, None as soon as one does not tell its size; in no ratio."""


UNKNOWN = Money(None, None, None, None)


class Charge(msgspec.Struct, frozen=True):
    """What one call takes in, under the policy and as full history."""

    bill: Bill
    full: Bill
    model: str

    def money(self, *, lost: int, pointed: int, output: int | None, asked: float = 0.0) -> Money:
        """USD of the call; `lost` blocks are read back, `pointed` of them under a pointer of the view.

        `asked` are USD of questions the policy put to a model of its own.
        """
        known = prices.of(self.model)
        if known is None:
            return UNKNOWN
        paid = known.at(self.bill.tokens)
        cost = self.bill.usd(paid) + asked
        return Money(
            cost=cost,
            full=self.full.usd(known.at(self.full.tokens)),
            honest=cost + read_backs(lost, pointed, view=self.bill.tokens, paid=paid),
            output=None if output is None else output * paid.output,
        )


class Till:
    """Follows one session under one policy: what is cached is what the view before had in common."""

    def __init__(self, head: Size, options: Options) -> None:
        self._options = options
        self._head = head
        self._full: Size | None = None
        self._at: float | None = None

    def see(self, moment: Moment, view: View, factor: float) -> Charge:
        """Charge a call; the full history only ever grows, so all of it but the newest part is cached."""
        is_warm = not self._cools(moment.call.at)
        extra = self._options.head
        full = add(self._head, moment.full)
        charge = Charge(
            _bill(view.size, view.sums[view.shared] if view.shared and is_warm else None, factor, extra),
            _bill(full, self._full if is_warm else None, factor, extra),
            self._options.model or moment.call.model,
        )
        self._full = full
        return charge

    def _cools(self, at: float | None) -> bool:
        """Whether the cache has gone cold since the call before; never without a time to live."""
        before, self._at = self._at, at if at is not None else self._at
        ttl = self._options.ttl
        return ttl is not None and at is not None and before is not None and at - before > ttl


def _bill(size: Size, cached: Size | None, factor: float, extra: int) -> Bill:
    """`extra` are tokens of a head that no body shows; they stand in front, so they are cached whenever anything is."""
    known = 0 if cached is None else cached.tokens(factor) + extra
    return Bill(size.tokens(factor) + extra - known, known)


def read_backs(lost: int, pointed: int, *, view: int, paid: Prices) -> float:
    """USD of reading `lost` blocks back, each with one more call on the view."""
    again = lost * view * paid.read
    return again + pointed * _read_back(READ_BACK_POINTED, paid) + (lost - pointed) * _read_back(READ_BACK_SEARCHED, paid)


def _read_back(size: tuple[int, int], paid: Prices) -> float:
    taken, said = size
    return taken * paid.write + said * paid.output
