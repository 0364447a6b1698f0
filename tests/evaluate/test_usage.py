"""The usage made up for a view calibrates the product as the recorded bills would have."""

import json

from pumice.domain.book import Size
from pumice.evaluate.factor import Rate
from pumice.evaluate.metrics.cost import Bill
from pumice.evaluate.usage import Usage
from pumice.wire import get

RESPONSE = json.dumps({"id": "m", "content": [], "usage": {"input_tokens": 170_000, "output_tokens": 5}}).encode()
MAIN = ("main", 0)


def _input(usage: Usage, text: int, *, growth: float, epoch: tuple[str, int] = MAIN) -> int:
    made = usage.billed(RESPONSE, size=Size(text, 80), bill=Bill(100, 0), rate=Rate(1.25, growth), epoch=epoch, output=5)
    reported = get("anthropic").read_response(made).usage
    assert reported is not None
    assert reported.output == 5
    return reported.input


def test_growth_is_billed_at_the_recorded_rate() -> None:
    """Whatever the recorded client had in its window besides."""
    usage = Usage("anthropic")
    first = _input(usage, 10_000, growth=1.5)
    assert _input(usage, 11_000, growth=2.0) - first == 2000


def test_a_new_epoch_starts_from_its_own_size() -> None:
    """After a cut the view is billed for what it is."""
    usage = Usage("anthropic")
    _input(usage, 40_000, growth=1.5)
    assert _input(usage, 10_000, growth=1.5, epoch=("main", 1)) == 15_080


def test_a_recording_without_usage_gets_none() -> None:
    """Nothing is made up where nothing was reported."""
    plain = json.dumps({"id": "m", "content": []}).encode()
    made = Usage("anthropic").billed(plain, size=Size(1), bill=Bill(9, 0), rate=Rate(1.25, 1.25), epoch=MAIN, output=0)
    assert made == plain
