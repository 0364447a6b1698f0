"""What a session has cost so far, in dollars: foretold when a call is compiled, as reported once its response is in."""

from pumice.domain.message import Usage
from pumice.engine.journal import CallEvent, ResponseEvent
from pumice.measure import cost, prices
from pumice.measure.cache import Hit


class Spending:
    """Adds up; what a model without a known price costs is not in it."""

    def __init__(self) -> None:
        self.usd = 0.0
        self.asked_usd = 0.0
        """Of it, what questions of our own to a model cost."""
        self._foretold: dict[int, float] = {}

    def foretell(self, call: CallEvent, model: str) -> None:
        """A call goes out: its beginning is read from the cache, the rest is written."""
        read = min(call.predicted_read, call.tokens)
        self._foretold[call.call] = _usd(model, Usage(call.tokens, 0, read))
        self.usd += self._foretold[call.call]

    def settle(self, call: CallEvent, response: ResponseEvent, model: str) -> None:
        """The provider has reported: that holds in place of what was foretold, which goes on for what it leaves open."""
        foretold = self._foretold.pop(call.call, 0.0)
        if response.reported is None:
            self.usd += _usd(model, Usage(0, response.output or 0))
            return
        self.usd += _usd(model, Usage(response.reported, response.output or 0, response.cache_read or 0)) - foretold

    def add(self, model: str, usage: Usage) -> None:
        """A question of our own to a model."""
        cost = _usd(model, usage)
        self.usd, self.asked_usd = self.usd + cost, self.asked_usd + cost


def usd(model: str, usage: Usage) -> float | None:
    """Dollars of one request; None where the model has no known price."""
    known = prices.of(model)
    if known is None:
        return None
    hit = Hit(usage.cache_read, max(0, usage.input - usage.cache_read))
    return cost.of_call(hit, known, output=usage.output).total


def _usd(model: str, usage: Usage) -> float:
    return usd(model, usage) or 0.0
